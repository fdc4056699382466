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

package dev.uncontended.tls.handshake;

import java.lang.System.Logger.Level;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.Function;
import java.util.stream.Collectors;

/**
 * Counts full, resumed and failed handshakes of an application's TLS servers, and
 * notifies listeners. Thread-safe.
 */
public final class TlsHandshakes {

	private final ConcurrentMap<HandshakeKind, Counts> completed = new ConcurrentHashMap<>();

	private final ConcurrentMap<FailedTlsHandshake, LongAdder> failed = new ConcurrentHashMap<>();

	private final List<TlsHandshakeListener> listeners = new CopyOnWriteArrayList<>();

	private final AtomicLong reportingErrors = new AtomicLong();

	/**
	 * Records a completed handshake, and notifies the listeners. Never throws an
	 * exception.
	 * @param handshake the handshake
	 */
	public void completed(TlsHandshake handshake) {
		// Creating lambdas would make the first handshake of a JVM slower.
		try {
			getOrAdd(this.completed, handshake.kind(), (kind) -> new Counts()).add(handshake.resumed());
		}
		catch (Throwable ex) {
			reportingFailed(ex);
		}
		for (TlsHandshakeListener listener : this.listeners) {
			try {
				listener.completed(handshake);
			}
			catch (Throwable ex) {
				reportingFailed(ex);
			}
		}
	}

	/**
	 * Records a failed handshake, and notifies the listeners. Never throws an exception.
	 * @param handshake the handshake
	 */
	public void failed(FailedTlsHandshake handshake) {
		attempt(() -> getOrAdd(this.failed, handshake, (kind) -> new LongAdder()).increment());
		this.listeners.forEach((listener) -> attempt(() -> listener.failed(handshake)));
	}

	/**
	 * Notifies the listeners of a HelloRetryRequest (RFC 9846 section 4.2.4). The server
	 * asks for another group than the client has guessed, which costs a round trip. Never
	 * throws an exception.
	 * @param server the server that sent the request
	 */
	public void retried(TlsServerId server) {
		this.listeners.forEach((listener) -> attempt(() -> listener.retried(server)));
	}

	private static <K, V> V getOrAdd(ConcurrentMap<K, V> map, K key, Function<K, V> factory) {
		V value = map.get(key);
		// computeIfAbsent can lock even if the key is present.
		return (value != null) ? value : map.computeIfAbsent(key, factory);
	}

	private void attempt(Runnable action) {
		try {
			action.run();
		}
		catch (Throwable ex) {
			reportingFailed(ex);
		}
	}

	/**
	 * Counts a failure to record a handshake or to notify a listener. Logs only the first
	 * failure.
	 * @param ex the failure
	 */
	public void reportingFailed(Throwable ex) {
		if (this.reportingErrors.getAndIncrement() == 0) {
			System.getLogger(TlsHandshakes.class.getName())
				.log(Level.WARNING, "Failed to record a TLS handshake; further failures are only counted", ex);
		}
	}

	/**
	 * Returns the numbers of completed handshakes by kind.
	 * @return an immutable snapshot
	 */
	public Map<HandshakeKind, HandshakeCount> counts() {
		return this.completed.entrySet()
			.stream()
			.collect(Collectors.toUnmodifiableMap(Map.Entry::getKey, (entry) -> entry.getValue().snapshot()));
	}

	/**
	 * Returns the numbers of failed handshakes by server and reason.
	 * @return an immutable snapshot
	 */
	public Map<FailedTlsHandshake, Long> failedCounts() {
		return this.failed.entrySet()
			.stream()
			.collect(Collectors.toUnmodifiableMap(Map.Entry::getKey, (entry) -> entry.getValue().sum()));
	}

	/**
	 * Returns how often recording a handshake or notifying a listener has failed.
	 * @return the number of failures
	 */
	public long reportingErrors() {
		return this.reportingErrors.get();
	}

	/**
	 * Adds a listener for later handshakes.
	 * @param listener the listener
	 */
	public void addListener(TlsHandshakeListener listener) {
		this.listeners.add(Objects.requireNonNull(listener, "listener must not be null"));
	}

	private record Counts(LongAdder full, LongAdder resumed) {

		Counts() {
			this(new LongAdder(), new LongAdder());
		}

		void add(boolean resumption) {
			(resumption ? this.resumed : this.full).increment();
		}

		HandshakeCount snapshot() {
			return new HandshakeCount(this.full.sum(), this.resumed.sum());
		}

	}

}
