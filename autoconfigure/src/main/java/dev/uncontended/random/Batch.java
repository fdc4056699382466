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
 * A buffer full of random slots, handed out from the last to the first, and never filled
 * again: its bytes are, in a new batch. {@link StripedPool} has the argument for who may
 * do what when.
 * <p>
 * It is not padded. A batch that threads are busy with lives for microseconds in a corner
 * of the heap where nobody else writes.
 */
final class Batch {

	static final int SLOT = 16;

	private static final int MAX_PASSES = 64;

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

	final byte[] bytes;

	final Epoch epoch;

	/** The refills of the stripe, this one included. */
	final long refills;

	/** The slots to hand out. Never grows. */
	volatile int remaining;

	/**
	 * How often an empty batch was passed over. Races lose counts, which does not matter.
	 */
	private int passes;

	Batch(byte[] bytes, int remaining, long refills, Epoch epoch) {
		this.bytes = bytes;
		this.remaining = remaining;
		this.refills = refills;
		this.epoch = epoch;
	}

	/**
	 * Makes a batch that has nothing to hand out.
	 */
	static Batch empty(long refills, Epoch epoch) {
		return new Batch(new byte[0], 0, refills, epoch);
	}

	/**
	 * Claims slots.
	 * @param remaining what was last read
	 * @param count at most that
	 * @return whether the slots from {@code remaining - count} to {@code remaining - 1}
	 * belong to the caller, who must take or wipe each
	 */
	boolean claim(int remaining, int count) {
		return REMAINING.compareAndSet(this, remaining, remaining - count);
	}

	/**
	 * Tells whether this batch has been empty for so long that whoever is to replace it
	 * must be descheduled: a refill takes less time than to pass it over that often.
	 */
	boolean isAbandoned() {
		int passes = this.passes + 1;
		this.passes = (passes < MAX_PASSES) ? passes : 0;
		return passes >= MAX_PASSES;
	}

	/**
	 * Claims all that is left and wipes it.
	 * @return the number of slots that nobody will get
	 */
	int discard() {
		int remaining = (int) REMAINING.getAndSet(this, 0);
		Arrays.fill(this.bytes, 0, remaining * SLOT, (byte) 0);
		return remaining;
	}

	/**
	 * Reads and zeroes a slot that the caller has claimed.
	 */
	<T> T take(int slot, SlotFunction<T> function) {
		byte[] bytes = this.bytes;
		int offset = slot * SLOT;
		long first = (long) LONGS.get(bytes, offset);
		long second = (long) LONGS.get(bytes, offset + Long.BYTES);
		// The zeros tell who fills the bytes again that they were read: no read may sink
		// below them.
		VarHandle.releaseFence();
		LONGS.set(bytes, offset, 0L);
		LONGS.set(bytes, offset + Long.BYTES, 0L);
		return function.apply(first, second);
	}

	/**
	 * Copies and zeroes a slot that the caller has claimed.
	 */
	void take(int slot, byte[] destination, int offset) {
		byte[] bytes = this.bytes;
		int from = slot * SLOT;
		LONGS.set(destination, offset, (long) LONGS.get(bytes, from));
		LONGS.set(destination, offset + Long.BYTES, (long) LONGS.get(bytes, from + Long.BYTES));
		VarHandle.releaseFence();
		LONGS.set(bytes, from, 0L);
		LONGS.set(bytes, from + Long.BYTES, 0L);
	}

	/**
	 * Copies and zeroes slots that the caller has claimed. What is left of the last one
	 * is dropped.
	 */
	void take(int slot, int count, byte[] destination, int offset, int length) {
		int from = slot * SLOT;
		System.arraycopy(this.bytes, from, destination, offset, length);
		VarHandle.releaseFence();
		Arrays.fill(this.bytes, from, from + count * SLOT, (byte) 0);
	}

	/**
	 * Tells whether a slot is equal to the one before.
	 */
	static boolean repeats(byte[] bytes) {
		long previous = (long) LONGS.get(bytes, 0);
		for (int offset = SLOT; offset < bytes.length; offset += SLOT) {
			long first = (long) LONGS.get(bytes, offset);
			if (first == previous
					&& (long) LONGS.get(bytes, offset + Long.BYTES) == (long) LONGS.get(bytes, offset - Long.BYTES)) {
				return true;
			}
			previous = first;
		}
		return false;
	}

}
