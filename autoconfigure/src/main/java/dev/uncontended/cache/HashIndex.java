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
 * A chained hash table of the slots of an {@link EntrySlab} that is read without locks
 * and grows bucket by bucket.
 * <p>
 * <b>Growth.</b> A table that doubles makes one unlucky writer pay for all entries. Here
 * each insertion that needs it splits two buckets (linear hashing, Litwin 1980): with
 * {@code 2^k + s} buckets, buckets {@code 0} to {@code s - 1} have been split and are
 * told apart by {@code k + 1} bits of the hash, the others by {@code k}. Buckets come in
 * pages, which never move.
 * <p>
 * <b>Chains.</b> Each is sorted by the reversed bits of the hash (split order, Shalev and
 * Shavit 2006). The entries that a split sends to the new bucket are then the tail of the
 * chain: a split moves no entry, it points the new bucket at the tail, publishes the new
 * number of buckets and cuts the chain, in this order. Insertion and removal are one
 * store each into the predecessor. Who takes the place of another comes in front of it,
 * is published, and only then leaves it out: readers see one of the two.
 * <p>
 * <b>Readers.</b> One that sets out with the old number of buckets either passes the cut
 * before it is made and finds its entry, or runs into the cut. The cut is stored with
 * release after the number of buckets, and chains are loaded with acquire, so the reader
 * then sees that the number has changed and starts again. In the same way it learns of
 * slots that have changed under its feet, see {@link EntrySlab}. A reader for whom both
 * counts are unchanged at the end of the chain has seen every entry that was there
 * throughout. It waits for nobody: it starts again only when a writer has got something
 * done meanwhile.
 * <p>
 * <b>Writers</b> hold the lock of the segment that the index belongs to.
 *
 * @param <K> the type of the keys
 * @param <V> the type of the values
 */
final class HashIndex<K, V> {

	private static final int PAGE_BITS = 8;

	private static final int PAGE_SIZE = 1 << PAGE_BITS;

	private static final int FIRST_BUCKETS = 16;

	private static final int MAXIMUM_BUCKETS = 1 << 30;

	/**
	 * A bucket costs 4 bytes, and each entry that a search passes in vain may cost a
	 * cache miss.
	 */
	private static final int BUCKETS_PER_ENTRY = 2;

	private static final VarHandle HEAD = MethodHandles.arrayElementVarHandle(int[].class);

	private static final VarHandle BUCKETS;

	static {
		try {
			BUCKETS = MethodHandles.lookup().findVarHandle(HashIndex.class, "buckets", int.class);
		}
		catch (ReflectiveOperationException ex) {
			throw new ExceptionInInitializerError(ex);
		}
	}

	private final EntrySlab<K, V> slab;

	/**
	 * Plain: a page is stored before the number of buckets that makes readers look at it,
	 * and a longer array after a fence, complete with the pages that it has taken over.
	 */
	private int[][] pages = { new int[PAGE_SIZE] };

	private int buckets = FIRST_BUCKETS;

	HashIndex(EntrySlab<K, V> slab) {
		this.slab = slab;
	}

	/**
	 * For readers: the live value of a key, whose use is noted. Takes no lock.
	 */
	@Nullable V get(K key, int hash, Bounds bounds, Ticker ticker) {
		while (true) {
			int changes = this.slab.changes();
			int count = (int) BUCKETS.getAcquire(this);
			int bucket = bucket(hash, count);
			int head = (int) HEAD.getAcquire(this.pages[bucket >>> PAGE_BITS], bucket & (PAGE_SIZE - 1));
			V value = this.slab.read(head, key, hash, bounds, ticker);
			if (value != null) {
				return value;
			}
			VarHandle.loadLoadFence();
			if ((int) BUCKETS.getAcquire(this) == count && this.slab.changes() == changes) {
				return null;
			}
		}
	}

	/**
	 * Finds the slot of a key.
	 */
	int find(K key, int hash) {
		int slot = head(bucket(hash, this.buckets));
		while (slot != EntrySlab.NONE && !(this.slab.hash(slot) == hash && key.equals(this.slab.key(slot)))) {
			slot = this.slab.chain(slot);
		}
		return slot;
	}

	/**
	 * Makes room for one entry more than the given number.
	 */
	void ensureRoom(int entries) {
		for (int i = 0; i < BUCKETS_PER_ENTRY && this.buckets / BUCKETS_PER_ENTRY <= entries
				&& this.buckets < MAXIMUM_BUCKETS; i++) {
			split();
		}
	}

	void insert(int slot) {
		int hash = this.slab.hash(slot);
		int bucket = bucket(hash, this.buckets);
		int order = order(hash);
		int previous = EntrySlab.NONE;
		int next = head(bucket);
		while (next != EntrySlab.NONE && order(this.slab.hash(next)) < order) {
			previous = next;
			next = this.slab.chain(next);
		}
		this.slab.setChain(slot, next);
		link(bucket, previous, slot);
		this.slab.publish(slot);
	}

	/**
	 * Puts an entry into the place of another that has the same hash.
	 */
	void replace(int slot, int replacement) {
		int bucket = bucket(this.slab.hash(slot), this.buckets);
		this.slab.setChain(replacement, slot);
		link(bucket, previous(bucket, slot), replacement);
		this.slab.publish(replacement);
		this.slab.setChain(replacement, this.slab.chain(slot));
	}

	void remove(int slot) {
		int bucket = bucket(this.slab.hash(slot), this.buckets);
		link(bucket, previous(bucket, slot), this.slab.chain(slot));
	}

	private int previous(int bucket, int slot) {
		int previous = EntrySlab.NONE;
		int next = head(bucket);
		while (next != slot) {
			if (next == EntrySlab.NONE) {
				throw new IllegalStateException("The entry is not in the index");
			}
			previous = next;
			next = this.slab.chain(next);
		}
		return previous;
	}

	private void split() {
		int target = this.buckets;
		int bit = Integer.highestOneBit(target);
		int source = target - bit;
		int page = target >>> PAGE_BITS;
		if (page == this.pages.length) {
			int[][] pages = Arrays.copyOf(this.pages, 2 * page);
			VarHandle.releaseFence();
			this.pages = pages;
		}
		if (this.pages[page] == null) {
			this.pages[page] = new int[PAGE_SIZE];
		}
		int previous = EntrySlab.NONE;
		int tail = head(source);
		while (tail != EntrySlab.NONE && (this.slab.hash(tail) & bit) == 0) {
			previous = tail;
			tail = this.slab.chain(tail);
		}
		link(target, EntrySlab.NONE, tail);
		BUCKETS.setRelease(this, target + 1);
		if (tail != EntrySlab.NONE) {
			link(source, previous, EntrySlab.NONE);
		}
	}

	private void link(int bucket, int previous, int slot) {
		if (previous != EntrySlab.NONE) {
			this.slab.setChain(previous, slot);
		}
		else {
			HEAD.setRelease(this.pages[bucket >>> PAGE_BITS], bucket & (PAGE_SIZE - 1), slot);
		}
	}

	private int head(int bucket) {
		return this.pages[bucket >>> PAGE_BITS][bucket & (PAGE_SIZE - 1)];
	}

	/**
	 * The bucket of a hash among the given number of buckets.
	 */
	private static int bucket(int hash, int count) {
		int mask = -1 >>> Integer.numberOfLeadingZeros(count - 1);
		int bucket = hash & mask;
		return (bucket < count) ? bucket : bucket & (mask >>> 1);
	}

	/**
	 * Where a hash belongs in its chain; flipping the sign makes the signed comparison
	 * unsigned.
	 */
	private static int order(int hash) {
		return Integer.reverse(hash) ^ Integer.MIN_VALUE;
	}

}
