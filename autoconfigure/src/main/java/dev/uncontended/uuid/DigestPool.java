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
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicReferenceArray;
import java.util.concurrent.atomic.LongAdder;

import org.jspecify.annotations.Nullable;

/**
 * Clones of a digest, leased without waiting. Thread-safe.
 * <p>
 * A lease is taken out of the array with {@code getAndSet(null)} and put back with a
 * compare-and-set: the first is an acquire and the second a release, so the lease's plain
 * fields pass from one owner to the next. A thread that finds its place empty looks at
 * the next one, and then clones the prototype; one that finds its place taken when it
 * gives back drops the lease. So no more leases are kept than there are places, and
 * nobody waits for a descheduled owner. The prototype is never used for hashing and may
 * be cloned by many threads at a time.
 */
final class DigestPool {

	private static final long GOLDEN_RATIO = 0x9E3779B97F4A7C15L;

	/** Elements between two references, so that they are on different cache lines. */
	private static final int SPREAD = 16;

	private final MessageDigest prototype;

	private final int places;

	private final int shift;

	private final AtomicReferenceArray<@Nullable LeasedDigest> leases;

	/** The leases in the array and those that are out, for the statistics. */
	private final Set<LeasedDigest> live = ConcurrentHashMap.newKeySet();

	private final LongAdder clones = new LongAdder();

	private final LongAdder hashedByDropped = new LongAdder();

	DigestPool(MessageDigest prototype) {
		this.prototype = prototype;
		int log = Integer.SIZE
				- Integer.numberOfLeadingZeros(Math.min(256, 4 * Runtime.getRuntime().availableProcessors()) - 1);
		this.places = 1 << log;
		this.shift = Long.SIZE - log;
		this.leases = new AtomicReferenceArray<>((this.places + 1) * SPREAD);
	}

	LeasedDigest acquire() {
		int home = home();
		LeasedDigest lease = this.leases.getAndSet(at(home), null);
		if (lease == null) {
			lease = this.leases.getAndSet(at(home ^ 1), null);
		}
		return (lease != null) ? lease : newLease();
	}

	void release(LeasedDigest lease) {
		if (!this.leases.compareAndSet(at(home()), null, lease)) {
			drop(lease);
		}
	}

	/**
	 * Gives up a lease, because its digest failed or there is no place for it.
	 */
	void drop(LeasedDigest lease) {
		this.hashedByDropped.add(lease.count());
		this.live.remove(lease);
	}

	private LeasedDigest newLease() {
		LeasedDigest lease = new LeasedDigest(newDigest());
		this.clones.increment();
		this.live.add(lease);
		return lease;
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
		long hashed = this.hashedByDropped.sum();
		for (LeasedDigest lease : this.live) {
			hashed += lease.count();
		}
		return new NameUuidStats(hashed, this.clones.sum());
	}

	private int home() {
		// The mask is for a single place, where Java takes the shift by 64 as by 0.
		return (int) ((Thread.currentThread().getId() * GOLDEN_RATIO) >>> this.shift) & (this.places - 1);
	}

	private static int at(int place) {
		return (place + 1) * SPREAD;
	}

}
