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

import org.jspecify.annotations.Nullable;

/**
 * A chained hash table that is read without locks and grows bucket by bucket.
 * <p>
 * <b>Growth.</b> A table that doubles makes one unlucky writer pay for all entries. Here
 * each insertion that needs it splits two buckets (linear hashing, Litwin 1980): with
 * {@code 2^k + s} buckets, buckets {@code 0} to {@code s - 1} have been split and are
 * told apart by {@code k + 1} bits of the hash, the others by {@code k}. Buckets live in
 * pages of 16, 16, 32, 64 and so on, so that all buckets of one doubling share a page and
 * no bucket ever moves to another array.
 * <p>
 * <b>Chains.</b> Each is sorted by the reversed bits of the hash (split order, Shalev and
 * Shavit 2006). The entries that a split sends to the new bucket are then the tail of the
 * chain: a split moves no node, it points the new bucket at the tail, publishes the new
 * number of buckets and cuts the chain, in this order.
 * <p>
 * <b>Readers.</b> One that sets out with the old number of buckets either passes the cut
 * before it is made and finds its entry, or runs into the cut. The cut is stored with
 * release after the number of buckets, and chains are loaded with acquire, so the reader
 * then sees that the number has changed and starts again; a reader whose number is
 * unchanged at the end of the chain has seen every entry that was there throughout.
 * Insertion and removal are one store each into the predecessor, and a removed node keeps
 * pointing into the chain. So a reader waits for nobody: it starts again only when a
 * split has been completed meanwhile.
 * <p>
 * <b>Writers</b> hold the lock of the segment that the index belongs to.
 *
 * @param <K> the type of the keys
 * @param <V> the type of the values
 */
final class HashIndex<K, V> {

	private static final int FIRST_PAGE = 16;

	/**
	 * Enough for 2^30 buckets: one page of 16, and one for each power of two from 16 on.
	 */
	private static final int PAGES = 27;

	private static final int MAXIMUM_BUCKETS = 1 << 30;

	private static final VarHandle SLOT = MethodHandles.arrayElementVarHandle(Node[].class);

	private static final VarHandle BUCKETS;

	static {
		try {
			BUCKETS = MethodHandles.lookup().findVarHandle(HashIndex.class, "buckets", int.class);
		}
		catch (ReflectiveOperationException ex) {
			throw new ExceptionInInitializerError(ex);
		}
	}

	/**
	 * Plain elements: a page is stored before the number of buckets that makes readers
	 * look at it.
	 */
	private final Node<K, V>[][] pages;

	private int buckets = FIRST_PAGE;

	HashIndex() {
		this.pages = pages();
		this.pages[0] = page(FIRST_PAGE);
	}

	/**
	 * Finds the node of a key. Takes no lock.
	 */
	@Nullable Node<K, V> find(K key, int hash) {
		int count = (int) BUCKETS.getAcquire(this);
		while (true) {
			Node<K, V> node = head(bucket(hash, count));
			while (node != null) {
				if (node.hash == hash && key.equals(node.key)) {
					return node;
				}
				node = node.chain();
			}
			int seen = (int) BUCKETS.getAcquire(this);
			if (seen == count) {
				return null;
			}
			count = seen;
		}
	}

	/**
	 * Makes room for one entry more than the given number. There are two buckets for each
	 * entry: a slot costs 4 bytes, and each node that a search passes in vain may cost a
	 * cache miss.
	 */
	void ensureRoom(int entries) {
		for (int i = 0; i < 2 && this.buckets / 2 <= entries && this.buckets < MAXIMUM_BUCKETS; i++) {
			split();
		}
	}

	void insert(Node<K, V> node) {
		int bucket = bucket(node.hash, this.buckets);
		int order = order(node.hash);
		Node<K, V> previous = null;
		Node<K, V> next = head(bucket);
		while (next != null && order(next.hash) < order) {
			previous = next;
			next = next.chain();
		}
		node.setChain(next);
		link(bucket, previous, node);
	}

	void remove(Node<K, V> node) {
		int bucket = bucket(node.hash, this.buckets);
		Node<K, V> previous = null;
		Node<K, V> next = head(bucket);
		while (next != node) {
			if (next == null) {
				throw new IllegalStateException("The node is not in the index");
			}
			previous = next;
			next = next.chain();
		}
		link(bucket, previous, node.chain());
	}

	private void split() {
		int target = this.buckets;
		int source = target - Integer.highestOneBit(target);
		int bit = Integer.highestOneBit(target);
		int page = pageOf(target);
		if (this.pages[page] == null) {
			this.pages[page] = page(bit);
		}
		Node<K, V> previous = null;
		Node<K, V> tail = head(source);
		while (tail != null && (tail.hash & bit) == 0) {
			previous = tail;
			tail = tail.chain();
		}
		link(target, null, tail);
		BUCKETS.setRelease(this, target + 1);
		if (tail != null) {
			link(source, previous, null);
		}
	}

	private void link(int bucket, @Nullable Node<K, V> previous, @Nullable Node<K, V> node) {
		if (previous != null) {
			previous.setChain(node);
		}
		else {
			int page = pageOf(bucket);
			SLOT.setRelease(this.pages[page], bucket - firstOf(page), node);
		}
	}

	@SuppressWarnings("unchecked")
	private @Nullable Node<K, V> head(int bucket) {
		int page = pageOf(bucket);
		return (Node<K, V>) SLOT.getAcquire(this.pages[page], bucket - firstOf(page));
	}

	/**
	 * The bucket of a hash among the given number of buckets.
	 */
	private static int bucket(int hash, int count) {
		int mask = -1 >>> Integer.numberOfLeadingZeros(count - 1);
		int bucket = hash & mask;
		return (bucket < count) ? bucket : bucket & (mask >>> 1);
	}

	private static int pageOf(int bucket) {
		return 28 - Integer.numberOfLeadingZeros(bucket | (FIRST_PAGE - 1));
	}

	private static int firstOf(int page) {
		return (FIRST_PAGE / 2 << page) & -FIRST_PAGE;
	}

	/**
	 * Where a hash belongs in its chain; flipping the sign makes the signed comparison
	 * unsigned.
	 */
	private static int order(int hash) {
		return Integer.reverse(hash) ^ Integer.MIN_VALUE;
	}

	@SuppressWarnings({ "unchecked", "rawtypes" })
	private static <K, V> Node<K, V>[][] pages() {
		return new Node[PAGES][];
	}

	@SuppressWarnings({ "unchecked", "rawtypes" })
	private static <K, V> Node<K, V>[] page(int length) {
		return new Node[length];
	}

}
