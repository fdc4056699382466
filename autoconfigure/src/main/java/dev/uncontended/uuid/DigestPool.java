/*
 * Copyright 2026 the Uncontended authors.
 *
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at
 *
 *      https://www.apache.org/licenses/LICENSE-2.0
 *
 * Unless required by applicable law or agreed to in writing, software
 * distributed under the License is distributed on an "AS IS" BASIS,
 * WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 * See the License for the specific language governing permissions and
 * limitations under the License.
 */

package dev.uncontended.uuid;

import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.security.ProviderException;
import java.util.Arrays;
import java.util.concurrent.atomic.LongAdder;

/**
 * Clones of a digest, leased without waiting. Thread-safe.
 * <p>
 * A thread leases one by a compare-and-set and releases it by a store with release, so
 * the lease's plain fields pass from one owner to the next. A thread that finds its own
 * leased tries a neighbour, and then clones the prototype for this call only: so no
 * thread waits for an owner that is descheduled, and no more clones are kept than there
 * are places. The prototype is never used for hashing and may be cloned by many threads
 * at a time.
 */
final class DigestPool {

	private static final long GOLDEN_RATIO = 0x9E3779B97F4A7C15L;

	private final MessageDigest prototype;

	private final LeasedDigest[] places;

	private final int shift;

	private final LongAdder clones = new LongAdder();

	/** The names hashed with clones that were not kept. */
	private final LongAdder unkept = new LongAdder();

	DigestPool(MessageDigest prototype) {
		this(prototype, Math.min(256, 4 * Runtime.getRuntime().availableProcessors()));
	}

	/**
	 * Makes a pool.
	 * @param prototype what to clone
	 * @param places the number of clones to keep, at least 2, rounded up to a power of
	 * two
	 */
	DigestPool(MessageDigest prototype, int places) {
		this.prototype = prototype;
		int log = Integer.SIZE - Integer.numberOfLeadingZeros(places - 1);
		this.shift = Long.SIZE - log;
		this.places = new LeasedDigest[1 << log];
		Arrays.setAll(this.places, (i) -> new LeasedDigest(true));
	}

	/**
	 * Leases a digest.
	 * @return a digest that the caller must {@link #release}
	 */
	LeasedDigest lease() {
		int home = home();
		LeasedDigest lease = this.places[home];
		if (lease.tryLease()) {
			return lease.isEmpty() ? filled(lease) : lease;
		}
		lease = this.places[home ^ 1];
		if (lease.tryLease()) {
			return lease.isEmpty() ? filled(lease) : lease;
		}
		return filled(new LeasedDigest(false));
	}

	void release(LeasedDigest lease) {
		if (lease.kept) {
			lease.release();
		}
		else {
			this.unkept.add(lease.count());
		}
	}

	private LeasedDigest filled(LeasedDigest lease) {
		try {
			lease.put(newDigest());
			if (lease.kept) {
				lease.keepApart(newDigest());
			}
			this.clones.increment();
			return lease;
		}
		catch (Throwable ex) {
			lease.release();
			throw ex;
		}
	}

	private MessageDigest newDigest() {
		try {
			return (MessageDigest) this.prototype.clone();
		}
		catch (CloneNotSupportedException ex) {
			return newInstance();
		}
	}

	private MessageDigest newInstance() {
		try {
			return MessageDigest.getInstance(this.prototype.getAlgorithm(), this.prototype.getProvider());
		}
		catch (NoSuchAlgorithmException ex) {
			throw new ProviderException("The provider no longer offers " + this.prototype.getAlgorithm(), ex);
		}
	}

	NameUuidStats stats() {
		long hashed = this.unkept.sum();
		for (LeasedDigest lease : this.places) {
			hashed += lease.count();
		}
		return new NameUuidStats(hashed, this.clones.sum());
	}

	private int home() {
		return (int) ((Thread.currentThread().getId() * GOLDEN_RATIO) >>> this.shift);
	}

}
