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

package dev.uncontended.cache;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.Arrays;

import org.jspecify.annotations.Nullable;

/**
 * The entries of a {@link Segment} in numbered slots, each at the same time a link of its
 * bucket's chain in the {@link HashIndex} and of the segment's list from the oldest entry
 * to the newest.
 * <p>
 * <b>Arrays instead of nodes.</b> A full cache drops an old entry at each put to make
 * room for a new one. A node for each would be garbage that has grown old, which is the
 * costliest kind, and each link to a new node a store that the collector has to be told
 * of. Here the new entry moves into the slot of the old one. Of what a put stores, only
 * the key and the value are references, side by side; slots are linked by their numbers.
 * They come in pages, which never move.
 * <p>
 * <b>Writers</b> hold the lock of the segment. They {@link #write} an entry to a vacant
 * slot, link it into the index, and {@link #publish} it. From then until they have taken
 * it out of the index and {@link #vacate} the slot its key, hash, value and time stay as
 * they are: a key that is put anew gets another slot.
 * <p>
 * <b>Readers</b> hold nothing, so the entry may leave, and the slot get another one,
 * while they look at it. Two counters tell them. The <em>stamp</em> of a slot is even
 * while the slot has an entry that is published; {@code changes} counts publications and
 * departures of the whole slab. To publish is to make the stamp even and then to count.
 * To vacate a slot, once the index does not lead there any more, is to count, then to
 * make the stamp odd. All of these are stores with release, and a fence comes before the
 * slot is changed.
 * <ul>
 * <li>A reader who loads the stamp with acquire, then the rest of the slot, then, after a
 * fence, the stamp again, and finds it even and unchanged, has read one entry, which was
 * in the index all the time.</li>
 * <li>A slot that has left the index keeps its link to the rest of its chain until it
 * joins another one, so a reader who stands on it may find the way on, may be led astray,
 * and may have missed the entry that came in its place. Who sees anything of a slot that
 * has changed also sees that the departure was counted, once it has loaded links with
 * acquire and the count after a fence. Conversely, who sets out with the new count has
 * seen the slot leave the index, and cannot get there any more but through its new chain.
 * In the same way, who passes an entry before it is published and does not find there the
 * one that it replaces, sees that the publication was counted. So a reader who comes to
 * the end of a chain and finds the count as it was at the start has seen all entries that
 * were in the chain throughout.</li>
 * </ul>
 * Keys and values are stored after a fence and loaded with acquire: a reader asks a key
 * whether it is the right one before it knows whether it still stands on the same entry.
 * <p>
 * {@code used} is set by readers and cleared by the eviction hand. An update that is
 * lost, or that hits the next entry of the slot, makes one entry look less or more used
 * than it is and nothing else, so opaque will do. It is read before it is set: most of
 * the time it is set already, and the cache line stays shared. {@code older} and
 * {@code newer} belong to the writers alone.
 *
 * @param <K> the type of the keys
 * @param <V> the type of the values
 */
final class EntrySlab<K, V> {

	/**
	 * The number of no slot.
	 */
	static final int NONE = 0;

	private static final int PAGE_BITS = 7;

	private static final int PAGE_SIZE = 1 << PAGE_BITS;

	/**
	 * How many words a slot has: half a cache line.
	 */
	private static final int WORDS = 8;

	private static final int STAMP = 0;

	private static final int HASH = 1;

	private static final int CHAIN = 2;

	private static final int USED = 3;

	private static final int TIME_HIGH = 4;

	private static final int TIME_LOW = 5;

	private static final int OLDER = 6;

	private static final int NEWER = 7;

	private static final int REFERENCES = 2;

	private static final int KEY = 0;

	private static final int VALUE = 1;

	private static final VarHandle WORD = MethodHandles.arrayElementVarHandle(int[].class);

	private static final VarHandle REFERENCE = MethodHandles.arrayElementVarHandle(Object[].class);

	private static final VarHandle CHANGES;

	static {
		try {
			CHANGES = MethodHandles.lookup().findVarHandle(EntrySlab.class, "changes", int.class);
		}
		catch (ReflectiveOperationException ex) {
			throw new ExceptionInInitializerError(ex);
		}
	}

	/**
	 * Plain, as {@code references} is: readers look at a page after they have loaded a
	 * link to it, which was stored with release later; and a longer array is stored after
	 * a fence, complete with the pages that it has taken over.
	 */
	private int[][] words = {};

	private Object[][] references = {};

	private int changes;

	/**
	 * The slot that was freed last; {@code newer} leads to the one that was freed before.
	 */
	private int free = NONE;

	/**
	 * The first slot that was never taken.
	 */
	private int fresh = NONE + 1;

	/**
	 * Makes sure that there is a slot to {@link #take}.
	 * @throws OutOfMemoryError if there is none and no memory for more; nothing has
	 * changed then
	 */
	void ensureRoom() {
		int page = this.fresh >>> PAGE_BITS;
		if (this.free != NONE) {
			return;
		}
		if (page == this.words.length) {
			int length = Math.max(2, 2 * page);
			int[][] words = Arrays.copyOf(this.words, length);
			Object[][] references = Arrays.copyOf(this.references, length);
			VarHandle.releaseFence();
			this.words = words;
			this.references = references;
		}
		if (this.references[page] == null) {
			this.words[page] = new int[PAGE_SIZE * WORDS];
			this.references[page] = new Object[PAGE_SIZE * REFERENCES];
		}
	}

	/**
	 * Takes a free slot, to be written.
	 */
	int take() {
		int slot = this.free;
		if (slot == NONE) {
			return this.fresh++;
		}
		this.free = newer(slot);
		return slot;
	}

	/**
	 * Writes an entry to a slot that was taken or vacated. The links of the chain and to
	 * newer entries are for the caller to set. No reader takes it for an entry yet.
	 */
	void write(int slot, K key, int hash, V value, long writeTime, int older) {
		int[] words = words(slot);
		int word = firstWord(slot);
		words[word + STAMP] |= 1;
		words[word + HASH] = hash;
		words[word + USED] = 0;
		words[word + TIME_HIGH] = (int) (writeTime >>> Integer.SIZE);
		words[word + TIME_LOW] = (int) writeTime;
		words[word + OLDER] = older;
		words[word + NEWER] = NONE;
		Object[] references = references(slot);
		int reference = firstReference(slot);
		VarHandle.releaseFence();
		references[reference + KEY] = key;
		references[reference + VALUE] = value;
	}

	/**
	 * Lets readers find the entry, which has been written and linked into the index.
	 */
	void publish(int slot) {
		changeStamp(slot);
		countChange();
	}

	/**
	 * Tells readers that the entry has left the index, so that the slot can be written
	 * again or freed.
	 */
	void vacate(int slot) {
		countChange();
		changeStamp(slot);
		VarHandle.releaseFence();
	}

	private void countChange() {
		CHANGES.setRelease(this, this.changes + 1);
	}

	private void changeStamp(int slot) {
		int[] words = words(slot);
		int stamp = firstWord(slot) + STAMP;
		WORD.setRelease(words, stamp, words[stamp] + 1);
	}

	/**
	 * Empties a slot that was vacated and takes it back.
	 */
	void free(int slot) {
		Object[] references = references(slot);
		int reference = firstReference(slot);
		references[reference + KEY] = null;
		references[reference + VALUE] = null;
		setNewer(slot, this.free);
		this.free = slot;
	}

	/**
	 * For readers: how many entries have come and left.
	 */
	int changes() {
		return (int) CHANGES.getAcquire(this);
	}

	/**
	 * For readers: looks for the live entry of a key in a chain and notes its use. If
	 * there is none, or it leaves meanwhile, {@link #changes} tells whether to look
	 * again.
	 */
	@Nullable V read(int first, K key, int hash, Bounds bounds, Ticker ticker) {
		int slot = first;
		while (slot != NONE) {
			int[] words = words(slot);
			int word = firstWord(slot);
			int stamp = (int) WORD.getAcquire(words, word + STAMP);
			if (words[word + HASH] == hash && isEntry(stamp)) {
				Object[] references = references(slot);
				int reference = firstReference(slot);
				if (key.equals(REFERENCE.getAcquire(references, reference + KEY))) {
					Object value = REFERENCE.getAcquire(references, reference + VALUE);
					long writeTime = time(words[word + TIME_HIGH], words[word + TIME_LOW]);
					// Timeouts are forgotten when what had expired by them is gone.
					Timeouts timeouts = bounds.timeouts();
					VarHandle.loadLoadFence();
					boolean current = (int) WORD.getOpaque(words, word + STAMP) == stamp;
					if (!current || timeouts.isExpired(writeTime, ticker)) {
						return null;
					}
					// Mostly it is set already: so the cache line stays shared.
					if ((int) WORD.getOpaque(words, word + USED) == 0) {
						WORD.setOpaque(words, word + USED, 1);
					}
					return value(value);
				}
			}
			slot = (int) WORD.getAcquire(words, word + CHAIN);
		}
		return null;
	}

	private static boolean isEntry(int stamp) {
		return (stamp & 1) == 0;
	}

	@SuppressWarnings("unchecked")
	K key(int slot) {
		return (K) references(slot)[firstReference(slot) + KEY];
	}

	V value(int slot) {
		return value(references(slot)[firstReference(slot) + VALUE]);
	}

	@SuppressWarnings("unchecked")
	private V value(Object value) {
		return (V) value;
	}

	int hash(int slot) {
		return words(slot)[firstWord(slot) + HASH];
	}

	long writeTime(int slot) {
		int[] words = words(slot);
		int word = firstWord(slot);
		return time(words[word + TIME_HIGH], words[word + TIME_LOW]);
	}

	int chain(int slot) {
		return words(slot)[firstWord(slot) + CHAIN];
	}

	/**
	 * Sets the next slot of the chain, for readers to follow.
	 */
	void setChain(int slot, int chain) {
		WORD.setRelease(words(slot), firstWord(slot) + CHAIN, chain);
	}

	boolean isUsed(int slot) {
		return (int) WORD.getOpaque(words(slot), firstWord(slot) + USED) != 0;
	}

	void forgive(int slot) {
		WORD.setOpaque(words(slot), firstWord(slot) + USED, 0);
	}

	int older(int slot) {
		return words(slot)[firstWord(slot) + OLDER];
	}

	void setOlder(int slot, int older) {
		words(slot)[firstWord(slot) + OLDER] = older;
	}

	int newer(int slot) {
		return words(slot)[firstWord(slot) + NEWER];
	}

	void setNewer(int slot, int newer) {
		words(slot)[firstWord(slot) + NEWER] = newer;
	}

	private static long time(int high, int low) {
		return ((long) high << Integer.SIZE) | Integer.toUnsignedLong(low);
	}

	private int[] words(int slot) {
		return this.words[slot >>> PAGE_BITS];
	}

	private static int firstWord(int slot) {
		return (slot & (PAGE_SIZE - 1)) * WORDS;
	}

	private Object[] references(int slot) {
		return this.references[slot >>> PAGE_BITS];
	}

	private static int firstReference(int slot) {
		return (slot & (PAGE_SIZE - 1)) * REFERENCES;
	}

}
