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

package dev.uncontended.tls.tickets;

import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Collection;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Queue;
import java.util.TreeMap;

import org.jspecify.annotations.Nullable;

/**
 * A {@link TicketStore} in memory, which can fail, refuse writes and be replaced.
 */
final class MemoryTicketStore implements TicketStore {

	static final String REFUSAL = "OOM";

	final Map<String, String> strings = new TreeMap<>();

	final Map<String, Map<String, String>> hashes = new TreeMap<>();

	boolean down;

	boolean readOnly;

	/** Each runs once, after a string has been read. */
	final Queue<Runnable> afterGet = new ArrayDeque<>();

	/** Each runs once, after reports have been read. */
	final Queue<Runnable> afterReports = new ArrayDeque<>();

	/** Returns a copy of all data. */
	synchronized MemoryTicketStore copy() {
		MemoryTicketStore copy = new MemoryTicketStore();
		copy.restore(this);
		return copy;
	}

	/** Replaces all data. */
	synchronized void restore(MemoryTicketStore copy) {
		this.strings.clear();
		this.strings.putAll(copy.strings);
		this.hashes.clear();
		copy.hashes.forEach((name, hash) -> this.hashes.put(name, new HashMap<>(hash)));
	}

	private void read() {
		if (this.down) {
			throw new IllegalStateException("down");
		}
	}

	private void write() {
		read();
		if (this.readOnly) {
			throw new IllegalStateException(REFUSAL);
		}
	}

	@Override
	public synchronized @Nullable String get(String name) {
		read();
		String value = this.strings.get(name);
		Optional.ofNullable(this.afterGet.poll()).ifPresent(Runnable::run);
		return value;
	}

	@Override
	public synchronized void set(String name, String value, Duration timeToLive) {
		write();
		this.strings.put(name, value);
	}

	@Override
	public synchronized Map<String, String> reports(String name) {
		read();
		Map<String, String> reports = new HashMap<>(this.hashes.getOrDefault(name, Map.of()));
		Optional.ofNullable(this.afterReports.poll()).ifPresent(Runnable::run);
		return reports;
	}

	@Override
	public synchronized boolean report(String name, String node, String report) {
		write();
		return this.hashes.computeIfAbsent(name, (key) -> new HashMap<>()).put(node, report) == null;
	}

	@Override
	public synchronized void remove(String name, Collection<String> nodes) {
		write();
		this.hashes.getOrDefault(name, new HashMap<>()).keySet().removeAll(nodes);
	}

	@Override
	public boolean isRefusal(RuntimeException failure) {
		return REFUSAL.equals(failure.getMessage());
	}

}
