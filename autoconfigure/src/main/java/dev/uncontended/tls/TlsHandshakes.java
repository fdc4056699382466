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

package dev.uncontended.tls;

import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;
import java.util.stream.Collectors;

import javax.net.ssl.SSLSession;
import javax.net.ssl.SSLSessionContext;

import org.jspecify.annotations.Nullable;

/**
 * What the TLS servers of an application report their completed handshakes to: counts
 * them, full and resumed apart, and keeps their sessions in a {@link SslSessionCache}.
 * <p>
 * Safe for use by many threads. Reporting a handshake takes no lock, except for the first
 * one of a server, protocol and cipher suite, and the first one with a new SSL context.
 */
public final class TlsHandshakes {

	private static final Logger logger = System.getLogger(TlsHandshakes.class.getName());

	private static final Comparator<HandshakeCount> ORDER = Comparator.comparing(HandshakeCount::server)
		.thenComparing(HandshakeCount::protocol)
		.thenComparing(HandshakeCount::cipherSuite);

	private final SslSessionCache sessions;

	private final ConcurrentMap<HandshakeCounter.Kind, HandshakeCounter> counters = new ConcurrentHashMap<>();

	// Under the lock a counter is added and announced, and a listener is added and told
	// of the counters there are: so each listener hears of each counter, once.
	private final ReentrantLock lock = new ReentrantLock();

	private final List<Consumer<HandshakeCounter>> listeners = new ArrayList<>();

	private final AtomicLong failures = new AtomicLong();

	private final List<TlsServer> servers = new CopyOnWriteArrayList<>();

	// What the servers had when a handshake last came from an unknown context. Replaced
	// as
	// a whole, under the lock.
	private volatile Set<SSLSessionContext> contexts = Set.of();

	/**
	 * Create an instance that has counted nothing yet.
	 * @param sessions the cache to keep the sessions in
	 */
	public TlsHandshakes(SslSessionCache sessions) {
		this.sessions = Objects.requireNonNull(sessions, "sessions must not be null");
	}

	/**
	 * Report a handshake that has completed. Never throws: whatever goes wrong in here is
	 * counted, and logged the first time, but is no reason to fail the handshake.
	 * <p>
	 * JSSE does not say whether a handshake resumed a session, but a session keeps its
	 * creation time when it is resumed, whether by its id, by a ticket or by a TLS 1.3
	 * pre-shared key. So the handshake resumed the session if the session was created
	 * before the handshake began, by the wall clock and to the millisecond.
	 * @param server the name of the server, such as {@code tomcat}
	 * @param session the session that the handshake made or resumed
	 * @param startedAt when the handshake began, at the earliest when its connection was
	 * accepted, in milliseconds since the epoch
	 */
	public void completed(String server, SSLSession session, long startedAt) {
		try {
			boolean resumed = session.getCreationTime() < startedAt;
			counter(new HandshakeCounter.Kind(server, session.getProtocol(), session.getCipherSuite())).of(resumed)
				.increment();
			forgetReplacedContexts(session.getSessionContext());
			if (resumed) {
				this.sessions.resumed(session);
			}
			else {
				this.sessions.put(session);
			}
		}
		catch (Throwable ex) {
			failed(ex);
		}
	}

	/**
	 * Have a server follow the cache, and the cache forget the sessions of a context that
	 * the server no longer uses, for instance since its certificate was replaced.
	 * @param server the server
	 */
	public void addServer(TlsServer server) {
		this.servers.add(server);
		this.sessions.addListener(server);
	}

	/**
	 * Return how many handshakes have completed.
	 * @return a count for each server, protocol and cipher suite seen so far, in this
	 * order
	 */
	public List<HandshakeCount> counts() {
		return this.counters.values().stream().map(HandshakeCounter::snapshot).sorted(ORDER).toList();
	}

	/**
	 * Return how many reports could not be dealt with, in whole or in part.
	 * @return the number of failures
	 */
	public long failures() {
		return this.failures.get();
	}

	/**
	 * Add a listener that is told of each counter, once: at once of those that there are,
	 * and then of each further one as the first handshake of its kind completes. What the
	 * listener throws in this call passes to the caller; later it is treated as a failure
	 * in {@link #completed}.
	 * @param listener the listener, which may be called from any thread
	 */
	public void addListener(Consumer<HandshakeCounter> listener) {
		Objects.requireNonNull(listener, "listener must not be null");
		this.lock.lock();
		try {
			this.counters.values().forEach(listener);
			this.listeners.add(listener);
		}
		finally {
			this.lock.unlock();
		}
	}

	private HandshakeCounter counter(HandshakeCounter.Kind kind) {
		HandshakeCounter counter = this.counters.get(kind);
		return (counter != null) ? counter : addCounter(kind);
	}

	private HandshakeCounter addCounter(HandshakeCounter.Kind kind) {
		this.lock.lock();
		try {
			HandshakeCounter added = new HandshakeCounter(kind);
			HandshakeCounter present = this.counters.putIfAbsent(kind, added);
			if (present != null) {
				return present;
			}
			this.listeners.forEach((listener) -> announce(added, listener));
			return added;
		}
		finally {
			this.lock.unlock();
		}
	}

	private void announce(HandshakeCounter counter, Consumer<HandshakeCounter> listener) {
		try {
			listener.accept(counter);
		}
		catch (Throwable ex) {
			failed(ex);
		}
	}

	/*
	 * No server tells that it has replaced a context, but its next handshake shows it.
	 */
	private void forgetReplacedContexts(@Nullable SSLSessionContext current) {
		if (current == null || this.servers.isEmpty() || this.contexts.contains(current)) {
			return;
		}
		this.lock.lock();
		try {
			Set<SSLSessionContext> inUse = this.servers.stream()
				.flatMap(TlsServer::sessionContexts)
				.collect(Collectors.toUnmodifiableSet());
			this.contexts.stream().filter((context) -> !inUse.contains(context)).forEach(this.sessions::removeAll);
			this.contexts = inUse;
		}
		finally {
			this.lock.unlock();
		}
	}

	private void failed(Throwable ex) {
		if (this.failures.getAndIncrement() == 0) {
			logger.log(Level.WARNING, "Failed to record a TLS handshake; further failures are only counted", ex);
		}
	}

}
