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

import java.util.ArrayList;
import java.util.List;

import org.jspecify.annotations.Nullable;

/**
 * A simple model of a {@link LazyExpiryCache} with a few entries: one list that is
 * scanned.
 */
class ReferenceCache {

	final List<Integer> removals = new ArrayList<>();

	private final List<Entry> entries = new ArrayList<>();

	private final List<Entry> firstClock = new ArrayList<>();

	private final List<Entry> secondClock = new ArrayList<>();

	private long timeout;

	private int maximumSize;

	private long puts;

	private final long[] removed = new long[RemovalCause.values().length];

	@Nullable Integer get(int key, long now) {
		Entry entry = find(key);
		if (entry == null || isExpired(entry, now)) {
			return null;
		}
		entry.used = true;
		return entry.value;
	}

	@Nullable Integer put(int key, int value, long now) {
		this.puts++;
		Entry known = find(key);
		if (known != null) {
			boolean expired = isExpired(known, now);
			remove(known, expired ? RemovalCause.EXPIRED : RemovalCause.REPLACED);
			add(new Entry(key, value, now, this.timeout));
			expireSome(now);
			return expired ? null : known.value;
		}
		int size = this.entries.size();
		expireSome(now);
		if (size == this.entries.size() && isFull()) {
			evict();
		}
		add(new Entry(key, value, now, this.timeout));
		return null;
	}

	@Nullable Integer remove(int key, long now) {
		Entry entry = find(key);
		if (entry == null) {
			return null;
		}
		boolean expired = isExpired(entry, now);
		remove(entry, expired ? RemovalCause.EXPIRED : RemovalCause.INVALIDATED);
		return expired ? null : entry.value;
	}

	void cleanUp(long now) {
		expire(Integer.MAX_VALUE, now);
	}

	void setMaximumSize(int maximumSize, long now) {
		this.maximumSize = maximumSize;
		if (maximumSize != 0 && this.entries.size() > maximumSize) {
			cleanUp(now);
			while (this.entries.size() > maximumSize) {
				evict();
			}
		}
	}

	void setTimeout(long timeout, long now) {
		this.timeout = timeout;
		for (Entry entry : this.entries) {
			if (timeout != 0 && (entry.timeout == 0 || timeout < entry.timeout)) {
				entry.timeout = timeout;
			}
		}
		cleanUp(now);
	}

	List<String> live(long now) {
		return this.entries.stream()
			.filter((entry) -> !isExpired(entry, now))
			.map((entry) -> entry.key + "=" + entry.value)
			.sorted()
			.toList();
	}

	List<Integer> removalsSince(int index) {
		return this.removals.subList(index, this.removals.size());
	}

	CacheStats stats() {
		return new CacheStats(this.entries.size(), this.puts, this.removed[RemovalCause.EVICTED.ordinal()],
				this.removed[RemovalCause.EXPIRED.ordinal()], this.removed[RemovalCause.INVALIDATED.ordinal()],
				this.removed[RemovalCause.REPLACED.ordinal()]);
	}

	private @Nullable Entry find(int key) {
		return this.entries.stream().filter((entry) -> entry.key == key).findFirst().orElse(null);
	}

	private boolean isFull() {
		return this.maximumSize != 0 && this.entries.size() >= this.maximumSize;
	}

	private static boolean isExpired(Entry entry, long now) {
		return entry.timeout != 0 && now - entry.writeTime >= entry.timeout;
	}

	private void expireSome(long now) {
		expire((this.puts % 4 == 1) ? 2 : 1, now);
	}

	private void expire(int limit, long now) {
		for (int i = 0; i < limit && !this.entries.isEmpty() && isExpired(this.entries.get(0), now); i++) {
			remove(this.entries.get(0), RemovalCause.EXPIRED);
		}
	}

	private void evict() {
		if (this.removed[RemovalCause.EVICTED.ordinal()] % 32 == 31 && !this.secondClock.isEmpty()) {
			Entry head = this.secondClock.remove(0);
			(head.used ? this.secondClock : this.firstClock).add(head);
			head.used = false;
		}
		List<Entry> clock = clock();
		while (clock.get(0).used) {
			Entry head = clock.remove(0);
			head.used = false;
			this.secondClock.add(head);
			clock = clock();
		}
		remove(clock.get(0), RemovalCause.EVICTED);
	}

	private List<Entry> clock() {
		boolean first = this.secondClock.isEmpty() || this.firstClock.size() >= Math.max(1, this.maximumSize * 2 / 3);
		return first ? this.firstClock : this.secondClock;
	}

	private void add(Entry entry) {
		this.entries.add(entry);
		this.firstClock.add(entry);
	}

	private void remove(Entry entry, RemovalCause cause) {
		this.entries.remove(entry);
		this.firstClock.remove(entry);
		this.secondClock.remove(entry);
		this.removed[cause.ordinal()]++;
		this.removals.add(entry.value);
	}

	private static final class Entry {

		private final int key;

		private final int value;

		private final long writeTime;

		/**
		 * The shortest timeout since the put; 0 without a timeout.
		 */
		private long timeout;

		private boolean used;

		Entry(int key, int value, long writeTime, long timeout) {
			this.key = key;
			this.value = value;
			this.writeTime = writeTime;
			this.timeout = timeout;
		}

	}

}
