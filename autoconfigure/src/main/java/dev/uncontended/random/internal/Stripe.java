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

package dev.uncontended.random.internal;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.concurrent.atomic.AtomicReferenceArray;

import dev.uncontended.random.StripeStats;
import org.jspecify.annotations.Nullable;

/**
 * A stripe of a {@link StripedPool}: the current batch of slots, and the refiller that
 * creates the next one. Thread-safe.
 * <p>
 * All accesses of the batch and of the fields that change are volatile. {@link #giveBack}
 * depends on the total order of volatile accesses; the others would be correct with
 * acquire and release, which cost the same in a draw.
 */
final class Stripe extends StripePadding {

	private static final VarHandle REFILLER;

	private static final VarHandle LEASED_AT;

	private static final VarHandle CONTENDED;

	static {
		try {
			MethodHandles.Lookup lookup = MethodHandles.lookup();
			REFILLER = lookup.findVarHandle(Stripe.class, "refiller", Refiller.class);
			LEASED_AT = lookup.findVarHandle(Stripe.class, "leasedAt", long.class);
			CONTENDED = lookup.findVarHandle(Stripe.class, "contended", long.class);
		}
		catch (ReflectiveOperationException ex) {
			throw new ExceptionInInitializerError(ex);
		}
	}

	/** The current batches of all stripes, which are never {@code null}. */
	private final AtomicReferenceArray<Batch> batches;

	/** The index of this stripe's batch. */
	private final int index;

	/** {@code null} while the refiller is leased, and after a revocation. */
	@SuppressWarnings("UnusedVariable")
	private volatile @Nullable Refiller refiller;

	/** When the refiller was last leased, in ticker nanoseconds. */
	private volatile long leasedAt;

	private volatile long contended;

	/** Only the wiper uses this field. */
	private long lastContended;

	Stripe(AtomicReferenceArray<Batch> batches, int index, Refiller refiller) {
		this.batches = batches;
		this.index = index;
		this.refiller = refiller;
	}

	Batch batch() {
		return this.batches.get(this.index);
	}

	/**
	 * Counts that the calling thread has found the stripe in use by another thread.
	 * @param times 1, or 0 to count nothing
	 */
	void contended(int times) {
		CONTENDED.getAndAdd(this, (long) times);
	}

	/**
	 * Returns how often threads have found the stripe in use since the last call. Only
	 * the wiper calls this method.
	 */
	long contendedSinceLastCall() {
		long last = this.lastContended;
		this.lastContended = this.contended;
		return this.lastContended - last;
	}

	/**
	 * Leases the refiller to the calling thread, which must give it back.
	 * @return {@code null} if the refiller is leased, or the pool is not running
	 */
	@Nullable Refiller lease(long now) {
		Refiller refiller = (Refiller) REFILLER.getAndSet(this, null);
		if (refiller != null) {
			this.leasedAt = now;
		}
		return refiller;
	}

	/**
	 * Starts another lease if the current lease takes longer than a thread should wait.
	 * @return {@code true} if the calling thread must create a refiller for the lease,
	 * and give it back
	 */
	boolean replaceLease(long now, long patience) {
		long leasedAt = this.leasedAt;
		return now - leasedAt > patience && LEASED_AT.compareAndSet(this, leasedAt, now);
	}

	/**
	 * Ends a lease. Wipes the refiller if its epoch has ended, or if the stripe has
	 * another refiller.
	 */
	void giveBack(Refiller refiller) {
		boolean stays = REFILLER.compareAndSet(this, null, refiller);
		if (!stays || (refiller.epoch.ended && REFILLER.compareAndSet(this, refiller, null))) {
			refiller.wipe();
		}
	}

	/**
	 * Replaces an empty batch.
	 * @return {@code false} if the current batch is a different one
	 */
	boolean publish(Batch empty, Batch full) {
		return this.batches.compareAndSet(this.index, empty, full);
	}

	/**
	 * Wipes all slots and the refiller, except a leased one. Before the call, the caller
	 * must end the epoch and execute a release fence.
	 * @param next the next epoch
	 */
	void revoke(Epoch next) {
		Batch batch;
		do {
			batch = batch();
			batch.revoke();
		}
		while (!publish(batch, batch.emptied(next)));
		wipe((Refiller) REFILLER.getAndSet(this, null));
	}

	/**
	 * Enables refills again, after a revocation.
	 */
	void resume(Refiller refiller) {
		this.batches.set(this.index, batch().emptied(refiller.epoch));
		// A thread may have given back a refiller of an ended epoch.
		wipe((Refiller) REFILLER.getAndSet(this, refiller));
	}

	private static void wipe(@Nullable Refiller refiller) {
		if (refiller != null) {
			refiller.wipe();
		}
	}

	StripeStats stats() {
		Batch batch = batch();
		return new StripeStats(batch.drawn(), batch.history.refills(), this.contended);
	}

}
