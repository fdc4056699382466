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
import java.nio.ByteOrder;
import java.util.Arrays;

import org.jspecify.annotations.Nullable;

/**
 * A buffer of 16-byte slots of random bits, and the statistics of its stripe.
 * {@link StripedPool} explains how threads claim, read, validate and wipe slots.
 * <p>
 * Statistics are part of the batch because they change when the batch does: the
 * compare-and-set that publishes a batch also publishes the counts of all earlier ones,
 * and the draws from the current batch follow from its number of unclaimed slots.
 */
final class Batch {

	static final int SLOT = 16;

	/** The result of {@link #claim()} if all slots are claimed or wiped. */
	static final int EMPTY = -1;

	/** The result of {@link #claim()} if another thread has claimed the slot first. */
	static final int LOST_RACE = -2;

	private static final VarHandle LONGS = MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.nativeOrder());

	private static final VarHandle REMAINING;

	static {
		try {
			REMAINING = MethodHandles.lookup().findVarHandle(Batch.class, "remaining", int.class);
		}
		catch (ReflectiveOperationException ex) {
			throw new ExceptionInInitializerError(ex);
		}
	}

	final Epoch epoch;

	/** The statistics of the stripe's earlier batches. */
	final History history;

	private final byte[] bytes;

	/**
	 * The number of unclaimed slots, which never increases. After {@link #wipe()}, the
	 * negative number of wiped slots.
	 */
	private volatile int remaining;

	private Batch(byte[] bytes, int remaining, History history, Epoch epoch) {
		this.bytes = bytes;
		this.remaining = remaining;
		this.history = history;
		this.epoch = epoch;
	}

	/**
	 * Creates the first batch of a stripe, which has no slots.
	 */
	static Batch empty(Epoch epoch) {
		return unbuffered(new byte[0], epoch);
	}

	/**
	 * Creates a batch whose slots all belong to the caller.
	 */
	static Batch unbuffered(byte[] bytes, Epoch epoch) {
		return new Batch(bytes, 0, History.NONE, epoch);
	}

	/**
	 * Creates the batch that follows this batch after a refill.
	 * @param remaining the number of slots that do not belong to the caller
	 * @param nanos the duration of the refill
	 * @param period the number of the period of the refill
	 */
	Batch refilled(byte[] bytes, int remaining, long nanos, long period) {
		return new Batch(bytes, remaining, this.history.afterRefill(drawn(), nanos, period), this.epoch);
	}

	/**
	 * Creates a batch without slots that follows this batch in another epoch.
	 */
	Batch emptied(Epoch epoch) {
		return new Batch(new byte[0], 0, this.history.after(drawn()), epoch);
	}

	boolean isEmpty() {
		return this.remaining <= 0;
	}

	/**
	 * Claims a slot.
	 * @return the index of the slot, {@link #EMPTY} or {@link #LOST_RACE}
	 */
	int claim() {
		// If the batch is empty, the compare-and-set expects 1 and fails. Lost races then
		// take the same branch as empty batches. If lost races had their own branch, the
		// first lost race would deoptimize the compiled callers.
		int found = this.remaining;
		int remaining = Math.max(found, 1);
		return REMAINING.compareAndSet(this, remaining, remaining - 1) ? remaining - 1
				: EMPTY - Math.max(0, Math.min(found, 1));
	}

	/**
	 * Claims at least one slot.
	 * @param wanted the maximum number of slots to claim
	 * @return {@code null} if the batch is empty or after a lost race
	 */
	@Nullable Claim claim(int wanted) {
		int remaining = this.remaining;
		int count = Math.min(wanted, remaining);
		return (count > 0 && REMAINING.compareAndSet(this, remaining, remaining - count))
				? new Claim(this, remaining - count, count) : null;
	}

	/**
	 * Claims all unclaimed slots, and wipes them. They do not count as drawn. Does not
	 * touch slots that other threads have claimed.
	 */
	void wipe() {
		int remaining = this.remaining;
		while (remaining > 0 && !REMAINING.compareAndSet(this, remaining, -remaining)) {
			remaining = this.remaining;
		}
		zero(0, Math.max(remaining, 0));
	}

	/**
	 * Wipes all slots, also those that other threads have claimed. Before the call, the
	 * caller must end the epoch and execute a release fence.
	 */
	void revoke() {
		wipe();
		zero(0, slots());
	}

	/**
	 * Returns the number of slots that were drawn from this batch and all earlier batches
	 * of the stripe.
	 */
	long drawn() {
		return this.history.drawn + slots() - Math.abs(this.remaining);
	}

	/**
	 * Returns the number of slots that were drawn from the stripe in the period of this
	 * batch.
	 */
	long drawnInPeriod() {
		return drawn() - this.history.drawnBeforePeriod;
	}

	private int slots() {
		return this.bytes.length / SLOT;
	}

	long first(int slot) {
		return (long) LONGS.get(this.bytes, slot * SLOT);
	}

	long second(int slot) {
		return (long) LONGS.get(this.bytes, slot * SLOT + Long.BYTES);
	}

	void zero(int slot) {
		LONGS.set(this.bytes, slot * SLOT, 0L);
		LONGS.set(this.bytes, slot * SLOT + Long.BYTES, 0L);
	}

	void zero(int from, int to) {
		Arrays.fill(this.bytes, from * SLOT, to * SLOT, (byte) 0);
	}

	/**
	 * Writes a slot to an array, or only the bytes that fit.
	 * @return the offset of the next slot
	 */
	static int write(byte[] destination, int offset, long first, long second) {
		int room = destination.length - offset;
		if (room < SLOT) {
			byte[] slot = new byte[SLOT];
			write(slot, 0, first, second);
			System.arraycopy(slot, 0, destination, offset, room);
			Arrays.fill(slot, (byte) 0);
		}
		else {
			LONGS.set(destination, offset, first);
			LONGS.set(destination, offset + Long.BYTES, second);
		}
		return offset + SLOT;
	}

	/** Slots owned by one thread. */
	record Claim(Batch batch, int start, int count) {
	}

	/**
	 * The statistics of a stripe before a batch.
	 *
	 * @param refills the number of refills, including the refill of the batch
	 * @param refillNanos their total duration
	 * @param lastRefillNanos the duration of the last one
	 * @param drawn the number of slots drawn from earlier batches
	 * @param period the number of the period of the last refill
	 * @param drawnBeforePeriod the number of slots drawn before the first refill of this
	 * period
	 */
	record History(long refills, long refillNanos, long lastRefillNanos, long drawn, long period,
			long drawnBeforePeriod) {

		private static final History NONE = new History(0, 0, 0, 0, -1, 0);

		History after(long drawn) {
			return new History(this.refills, this.refillNanos, this.lastRefillNanos, drawn, this.period,
					this.drawnBeforePeriod);
		}

		History afterRefill(long drawn, long nanos, long period) {
			return new History(this.refills + 1, this.refillNanos + nanos, nanos, drawn, period,
					(period == this.period) ? this.drawnBeforePeriod : drawn);
		}

	}

}
