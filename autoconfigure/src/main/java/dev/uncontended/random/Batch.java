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
import java.util.concurrent.atomic.AtomicLong;

import org.jspecify.annotations.Nullable;

/**
 * A buffer full of random slots, handed out from the last to the first, and never filled
 * again: its bytes are, in a new batch. It is shared by all threads or biased to one.
 * {@link StripedPool} has the argument for who may do what when.
 * <p>
 * It is not padded. A batch that threads are busy with lives for microseconds in a corner
 * of the heap where nobody else writes.
 */
final class Batch {

	static final int SLOT = 16;

	private static final int MAX_PASSES = 64;

	/** What remains of a withdrawn batch when what it had left was counted. */
	private static final int SETTLED = -1;

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

	/** The slots to hand out. Never grows unless this batch was withdrawn. */
	volatile int remaining;

	/** The thread that filled it; {@code null} if it was never filled. */
	private final @Nullable Thread publisher;

	/** The only thread that may claim slots; {@code null} if all may. */
	private final @Nullable Thread owner;

	/**
	 * Whether a biased batch was, or is about to be, replaced without its owner: no claim
	 * is confirmed any more.
	 */
	private boolean withdrawn;

	/** The withdrawn batch that this one follows, until what it had left is counted. */
	private final @Nullable Batch orphan;

	/** The slots of the stripe that nobody will get, common to all its batches. */
	private final AtomicLong forsaken;

	/**
	 * How often an empty batch was passed over. Races lose counts, which does not matter.
	 */
	private int passes;

	/**
	 * Makes a batch that follows none and that all threads share.
	 */
	Batch(byte[] bytes, int remaining, Epoch epoch) {
		this.bytes = bytes;
		this.remaining = remaining;
		this.epoch = epoch;
		this.refills = 0;
		this.publisher = null;
		this.owner = null;
		this.orphan = null;
		this.forsaken = new AtomicLong();
	}

	private Batch(Batch previous, Epoch epoch) {
		this.bytes = new byte[0];
		this.epoch = epoch;
		this.refills = previous.refills;
		this.publisher = null;
		this.owner = null;
		this.orphan = (previous.owner != null) ? previous : previous.orphan;
		this.forsaken = previous.forsaken;
	}

	private Batch(Batch previous, byte[] bytes, int remaining, Thread publisher) {
		this.bytes = bytes;
		this.remaining = remaining;
		this.epoch = previous.epoch;
		this.refills = previous.refills + 1;
		this.publisher = publisher;
		boolean orphaned = previous.isBiasedAgainst(publisher) || previous.withdrawn;
		this.orphan = orphaned ? previous : null;
		// One that follows an orphan, or settles one, is shared: so orphans have none.
		boolean biased = previous.publisher == publisher && !orphaned && previous.orphan == null;
		this.owner = biased ? publisher : null;
		this.forsaken = previous.forsaken;
	}

	/**
	 * Makes the batch that is to replace this one when its bytes are of no more use. It
	 * has nothing to hand out.
	 */
	Batch emptied(Epoch epoch) {
		return new Batch(this, epoch);
	}

	/**
	 * Makes the batch that is to replace this one. It is biased to the thread if that has
	 * filled this one, too, and none was withdrawn meanwhile.
	 */
	Batch refilled(byte[] bytes, int remaining, Thread publisher) {
		return new Batch(this, bytes, remaining, publisher);
	}

	/**
	 * Tells whether only one thread may claim slots.
	 */
	boolean isBiased() {
		return this.owner != null;
	}

	/**
	 * Tells whether a thread other than this one has the batch to itself.
	 */
	boolean isBiasedAgainst(Thread thread) {
		return this.owner != null && this.owner != thread;
	}

	/**
	 * Tells whether nobody is to claim slots any more.
	 */
	boolean isUsedUp() {
		return this.remaining <= 0 || this.withdrawn;
	}

	/**
	 * Claims slots.
	 * @param thread the calling thread
	 * @param remaining what was last read
	 * @param count at most that
	 * @return whether the slots from {@code remaining - count} to {@code remaining - 1}
	 * belong to the caller, who must take and confirm them
	 */
	boolean claim(Thread thread, int remaining, int count) {
		if (this.owner == thread) {
			REMAINING.setOpaque(this, remaining - count);
			return true;
		}
		return this.owner == null && REMAINING.compareAndSet(this, remaining, remaining - count);
	}

	/**
	 * Tells whether slots that were claimed and taken are the caller's. They are unless
	 * the batch was withdrawn; then they may have been wiped before they were read, and
	 * go to nobody.
	 * @param first the first of the slots
	 * @param count the number of slots
	 */
	boolean confirm(int first, int count) {
		// No read of a slot may sink below this.
		VarHandle.acquireFence();
		if (!this.withdrawn) {
			return true;
		}
		if (!REMAINING.compareAndSet(this, first, first + count)) {
			// It was settled between the claim and now.
			this.forsaken.addAndGet(count);
		}
		return false;
	}

	/**
	 * Marks a biased batch that is to be replaced without its owner.
	 */
	void withdraw() {
		this.withdrawn = true;
	}

	/**
	 * Tells whether the batch before this one was withdrawn.
	 */
	boolean hasOrphan() {
		return this.orphan != null;
	}

	/**
	 * Counts what is left of the withdrawn batch that this one followed.
	 */
	void settleOrphan() {
		if (this.orphan != null) {
			this.forsaken.addAndGet((int) REMAINING.getAndSet(this.orphan, SETTLED));
		}
	}

	/**
	 * Returns the slots of the stripe that nobody will get.
	 */
	long forsaken() {
		return this.forsaken.get() + ((this.orphan != null) ? this.orphan.remaining : 0);
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
	 * Wipes what nobody has claimed of a batch that was replaced; all of it if it is
	 * biased, because its owner may be in the middle of a claim, which it will not
	 * confirm.
	 */
	void discard() {
		if (isBiased()) {
			withdraw();
			// Who reads a zero and then has an acquire fence finds the mark.
			VarHandle.releaseFence();
			Arrays.fill(this.bytes, (byte) 0);
		}
		else {
			int remaining = (int) REMAINING.getAndSet(this, 0);
			Arrays.fill(this.bytes, 0, remaining * SLOT, (byte) 0);
			this.forsaken.addAndGet(remaining);
		}
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
	 * Reads and zeroes slots that the caller has claimed.
	 */
	<T> void take(int slot, int count, T[] destination, int index, SlotFunction<? extends T> function) {
		byte[] bytes = this.bytes;
		int from = slot * SLOT;
		for (int i = 0; i < count; i++) {
			int offset = from + i * SLOT;
			destination[index + i] = function.apply((long) LONGS.get(bytes, offset),
					(long) LONGS.get(bytes, offset + Long.BYTES));
		}
		VarHandle.releaseFence();
		Arrays.fill(bytes, from, from + count * SLOT, (byte) 0);
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

}
