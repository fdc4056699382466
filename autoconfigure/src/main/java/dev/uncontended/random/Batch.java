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

package dev.uncontended.random;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.util.Arrays;

/**
 * A buffer full of random slots, handed out from the last to the first. Its bytes are
 * filled once, before any other thread can reach them. {@link StripedPool} has the
 * argument for what may happen when.
 * <p>
 * It is not padded. A batch that threads are busy with lives for microseconds in a corner
 * of the heap where no other thread writes.
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

	/** The refills of the stripe, this one included. */
	final long refills;

	/** The time that those took together. */
	final long refillNanos;

	/** The time that this refill took. */
	final long lastRefillNanos;

	/** The slots to hand out. Never grows. */
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
	 * Creates a stripe's first batch, with nothing to hand out.
	 */
	static Batch first(Epoch epoch) {
		return unbuffered(new byte[0], epoch);
	}

	/**
	 * Creates a batch that no other thread sees: all of its slots belong to the caller.
	 */
	static Batch unbuffered(byte[] bytes, Epoch epoch) {
		return new Batch(bytes, 0, 0, 0, 0, epoch);
	}

	/**
	 * Creates the batch that replaces this one when it is used up.
	 */
	Batch refilled(byte[] bytes, int remaining, long nanos) {
		return new Batch(bytes, remaining, this.refills + 1, this.refillNanos + nanos, nanos, this.epoch);
	}

	/**
	 * Creates the batch that replaces this one in another epoch, with nothing to hand
	 * out.
	 */
	Batch emptied(Epoch epoch) {
		return new Batch(new byte[0], 0, this.refills, this.refillNanos, this.lastRefillNanos, epoch);
	}

	/**
	 * Claims a slot.
	 * @return the slot, which belongs to the caller, or a negative number if there is
	 * none, or another thread was faster
	 */
	int claim() {
		// An empty batch fails as a lost race does. If it had a branch of its own, the
		// first lost race would be new to the compiler, which then throws away what it
		// has made of the callers.
		int remaining = Math.max(this.remaining, 1);
		return claim(remaining, 1) ? remaining - 1 : -1;
	}

	/**
	 * Claims slots.
	 * @param remaining what was last read, but at least 1
	 * @param count at most that
	 * @return whether the slots from {@code remaining - count} to {@code remaining - 1}
	 * belong to the caller, which takes them and then validates
	 */
	boolean claim(int remaining, int count) {
		return REMAINING.compareAndSet(this, remaining, remaining - count);
	}

	/**
	 * Discards the slots that are not claimed, and wipes everything: a thread that has
	 * claimed a slot and not read it will find that its epoch has ended.
	 * @return the number of slots that were not claimed
	 */
	int revoke() {
		int discarded = (int) REMAINING.getAndSet(this, 0);
		Arrays.fill(this.bytes, (byte) 0);
		return discarded;
	}

	/**
	 * Returns the first half of a slot.
	 */
	long first(int slot) {
		return (long) LONGS.get(this.bytes, slot * SLOT);
	}

	/**
	 * Returns the other half of a slot.
	 */
	long second(int slot) {
		return (long) LONGS.get(this.bytes, slot * SLOT + Long.BYTES);
	}

	/**
	 * Zeroes a slot that was read.
	 */
	void zero(int slot) {
		LONGS.set(this.bytes, slot * SLOT, 0L);
		LONGS.set(this.bytes, slot * SLOT + Long.BYTES, 0L);
	}

	/**
	 * Zeroes slots.
	 */
	void zero(int from, int to) {
		Arrays.fill(this.bytes, from * SLOT, to * SLOT, (byte) 0);
	}

	/**
	 * Writes a slot to an array, or as much of it as there is room for.
	 * @return the offset after the slot
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

	/**
	 * Returns the 64 bits at an offset of an array of slots.
	 */
	static long bits(byte[] slots, int offset) {
		return (long) LONGS.get(slots, offset);
	}

}
