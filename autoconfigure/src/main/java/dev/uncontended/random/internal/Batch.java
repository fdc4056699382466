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

import dev.uncontended.random.internal.StripedPool.Epoch;

/**
 * A buffer of 16-byte slots of random bits. {@link StripedPool} explains how threads
 * claim, read and validate slots.
 */
final class Batch {

	static final int SLOT = 16;

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

	final long refills;

	final long refillNanos;

	final long lastRefillNanos;

	/** The number of unclaimed slots. Never increases. */
	volatile int remaining;

	private final byte[] bytes;

	private Batch(byte[] bytes, int remaining, long refills, long refillNanos, long lastRefillNanos, Epoch epoch) {
		this.bytes = bytes;
		this.remaining = remaining;
		this.refills = refills;
		this.refillNanos = refillNanos;
		this.lastRefillNanos = lastRefillNanos;
		this.epoch = epoch;
	}

	/**
	 * Creates a batch whose slots all belong to the caller.
	 */
	static Batch unbuffered(byte[] bytes, Epoch epoch) {
		return new Batch(bytes, 0, 0, 0, 0, epoch);
	}

	Batch refilled(byte[] bytes, int remaining, long nanos) {
		return new Batch(bytes, remaining, this.refills + 1, this.refillNanos + nanos, nanos, this.epoch);
	}

	Batch emptied(Epoch epoch) {
		return new Batch(new byte[0], 0, this.refills, this.refillNanos, this.lastRefillNanos, epoch);
	}

	/**
	 * Claims a slot.
	 * @return the index of the slot, -1 if the batch is empty, or -2 after a lost race
	 */
	int claim() {
		// If the batch is empty, the compare-and-set expects 1 and fails. Lost races then
		// take the same branch as empty batches. If lost races had their own branch, the
		// first lost race would deoptimize the compiled callers.
		int found = this.remaining;
		int remaining = Math.max(found, 1);
		return claim(remaining, 1) ? remaining - 1 : -1 - Math.min(found, 1);
	}

	/**
	 * Claims slots.
	 * @param remaining the expected number of unclaimed slots, at least 1
	 * @param count the number of slots to claim, at most {@code remaining}
	 * @return {@code true} if the caller now owns {@code count} slots, starting at slot
	 * {@code remaining - count}
	 */
	boolean claim(int remaining, int count) {
		return REMAINING.compareAndSet(this, remaining, remaining - count);
	}

	/**
	 * Discards the unclaimed slots and wipes all bytes. Before the call, the caller must
	 * change the pool's epoch and execute a release fence.
	 * @return the number of discarded slots
	 */
	int revoke() {
		int discarded = (int) REMAINING.getAndSet(this, 0);
		Arrays.fill(this.bytes, (byte) 0);
		return discarded;
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

}
