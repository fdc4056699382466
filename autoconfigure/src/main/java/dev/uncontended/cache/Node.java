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
 * One entry: at the same time a link of its bucket's chain in the {@link HashIndex} and
 * of its {@link Segment}'s list from the oldest entry to the newest.
 * <p>
 * Writers hold the segment's lock; readers hold nothing.
 * <ul>
 * <li>{@code key} and {@code hash} are final.</li>
 * <li>{@code value} and {@code writeTime} change when the same key is put again. The
 * writer stores the value first, then the time, each with release; a reader loads the
 * time first, then the value, each with acquire. So a reader that judges by the new time
 * has the new value, and no value is ever returned on the strength of a later one's
 * time.</li>
 * <li>{@code chain} is stored with release and loaded with acquire, so that whoever
 * reaches a node sees it complete. It is left as it is when the node is unlinked: a
 * reader that stands on the node finds its way on.</li>
 * <li>{@code used} is written by readers and by the eviction hand. A lost update makes
 * one entry look less or more used than it is and nothing else, so opaque will do. It is
 * read before it is written: most of the time it is set already, and the cache line stays
 * shared.</li>
 * <li>{@code older} and {@code newer} belong to the writers alone.</li>
 * </ul>
 *
 * @param <K> the type of the keys
 * @param <V> the type of the values
 */
final class Node<K, V> {

	private static final VarHandle VALUE;

	private static final VarHandle WRITE_TIME;

	private static final VarHandle CHAIN;

	private static final VarHandle USED;

	static {
		try {
			MethodHandles.Lookup lookup = MethodHandles.lookup();
			VALUE = lookup.findVarHandle(Node.class, "value", Object.class);
			WRITE_TIME = lookup.findVarHandle(Node.class, "writeTime", long.class);
			CHAIN = lookup.findVarHandle(Node.class, "chain", Node.class);
			USED = lookup.findVarHandle(Node.class, "used", boolean.class);
		}
		catch (ReflectiveOperationException ex) {
			throw new ExceptionInInitializerError(ex);
		}
	}

	final K key;

	final int hash;

	@Nullable Node<K, V> older;

	@Nullable Node<K, V> newer;

	private V value;

	private long writeTime;

	private @Nullable Node<K, V> chain;

	private boolean used;

	Node(K key, int hash, V value) {
		this.key = key;
		this.hash = hash;
		this.value = value;
	}

	@SuppressWarnings("unchecked")
	V value() {
		return (V) VALUE.getAcquire(this);
	}

	void setValue(V value) {
		VALUE.setRelease(this, value);
	}

	long writeTime() {
		return (long) WRITE_TIME.getAcquire(this);
	}

	void setWriteTime(long writeTime) {
		WRITE_TIME.setRelease(this, writeTime);
	}

	@SuppressWarnings("unchecked")
	@Nullable Node<K, V> chain() {
		return (Node<K, V>) CHAIN.getAcquire(this);
	}

	void setChain(@Nullable Node<K, V> chain) {
		CHAIN.setRelease(this, chain);
	}

	boolean isUsed() {
		return (boolean) USED.getOpaque(this);
	}

	void setUsed(boolean used) {
		if (isUsed() != used) {
			USED.setOpaque(this, used);
		}
	}

}
