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
 * A buffer of random slots, handed out from the last to the first. {@link StripedPool}
 * has the argument for who may do what when.
 */
final class Batch extends BatchFields {

	static final int SLOT = 16;

	/**
	 * Enough for the 2^16 slots of the largest buffer. The 47 bits above are the number
	 * of the refill, and so the state never has the same value twice.
	 */
	static final int REMAINING_BITS = 17;

	private static final long REMAINING = (1 << REMAINING_BITS) - 1;

	private static final VarHandle LONGS = MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.nativeOrder());

	private static final VarHandle STATE;

	static {
		try {
			STATE = MethodHandles.lookup().findVarHandle(BatchFields.class, "state", long.class);
		}
		catch (ReflectiveOperationException ex) {
			throw new ExceptionInInitializerError(ex);
		}
	}

	@SuppressWarnings("unused")
	private long q00, q01, q02, q03, q04, q05, q06, q07, q08, q09, q10, q11, q12, q13, q14, q15;

	private Batch(long state, byte[] bytes, Epoch epoch) {
		super(state, bytes, epoch);
	}

	/**
	 * Makes a batch that has nothing to hand out.
	 * @param refills the refills of its stripe so far
	 */
	static Batch empty(long refills, Epoch epoch) {
		return new Batch(refills << REMAINING_BITS, new byte[0], epoch);
	}

	/**
	 * Makes a batch to be filled.
	 * @param bufferSize the bytes to hand out; one slot more is kept as a guard
	 */
	static Batch blank(int bufferSize, Epoch epoch) {
		return new Batch(0, new byte[bufferSize + SLOT], epoch);
	}

	static int remaining(long state) {
		return (int) (state & REMAINING);
	}

	static long refills(long state) {
		return state >>> REMAINING_BITS;
	}

	/**
	 * Claims slots.
	 * @param state the state last read
	 * @param count at most what remains in that state
	 * @return whether the slots from {@code remaining(state) - count} on belong to the
	 * caller, who must take or wipe each
	 */
	boolean claim(long state, int count) {
		return STATE.compareAndSet(this, state, state - count);
	}

	/**
	 * Claims all that is left and wipes it.
	 * @return the number of slots that nobody will get
	 */
	int discard() {
		long state = this.state;
		while (!claim(state, remaining(state))) {
			state = this.state;
		}
		wipe(0, remaining(state));
		return remaining(state);
	}

	/**
	 * Zeroes slots that the caller has claimed.
	 */
	void wipe(int first, int count) {
		Arrays.fill(this.bytes, first * SLOT, (first + count) * SLOT, (byte) 0);
	}

	/**
	 * Tells whether a slot, the guard included, is equal to the one before.
	 */
	boolean repeatsSlot() {
		byte[] bytes = this.bytes;
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

	/**
	 * Reads and zeroes a slot that the caller has claimed.
	 */
	<T> T take(int slot, SlotFunction<T> function) {
		byte[] bytes = this.bytes;
		int offset = slot * SLOT;
		long first = (long) LONGS.get(bytes, offset);
		long second = (long) LONGS.get(bytes, offset + Long.BYTES);
		// The zeros tell who refills that the slot was read: no read may sink below them.
		VarHandle.releaseFence();
		LONGS.set(bytes, offset, 0L);
		LONGS.set(bytes, offset + Long.BYTES, 0L);
		return function.apply(first, second);
	}

	/**
	 * Copies and zeroes a slot that the caller has claimed.
	 */
	void take(int slot, byte[] destination, int offset, int length) {
		int from = slot * SLOT;
		System.arraycopy(this.bytes, from, destination, offset, length);
		VarHandle.releaseFence();
		Arrays.fill(this.bytes, from, from + SLOT, (byte) 0);
	}

	/**
	 * Tells whether every slot ever claimed was also read.
	 */
	boolean isDrained() {
		boolean drained = Zeros.contains(this.bytes);
		// What is written from here on must not be seen by those reads.
		VarHandle.acquireFence();
		return drained;
	}

	/**
	 * Makes a batch that was filled ready to be drawn from.
	 * @param refills the number of this refill of the stripe
	 * @param remaining the slots to hand out
	 */
	void open(long refills, int remaining) {
		this.state = (refills << REMAINING_BITS) | remaining;
	}

}
