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

package dev.uncontended.tls.session;

import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Enumeration;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CopyOnWriteArraySet;
import java.util.concurrent.atomic.LongAdder;
import java.util.stream.Stream;

import javax.net.ssl.SSLSession;
import javax.net.ssl.SSLSessionContext;

import dev.uncontended.cache.CacheStats;
import dev.uncontended.cache.LazyExpiryCache;
import dev.uncontended.cache.Ticker;
import org.jspecify.annotations.Nullable;

/**
 * The TLS sessions of an application's servers, by session id: one place to see them, to
 * bound and time them, and to end them all.
 * <p>
 * It has two parts. The first are the sessions that were {@link #put put} here: bounded,
 * with lock-free lookups and a timeout that costs no scan. This is for a TLS
 * implementation that has a place for such a store, which the JDK's has not. The second
 * are the sessions that {@linkplain #connect connected servers} keep by themselves. They
 * are not copied: this cache looks into the servers' own contexts when it is asked, and
 * applies its limits to each of them. A session that left in a stateless ticket is in
 * neither part.
 * <p>
 * A session that was put times out when the timeout has passed since then, by the cache's
 * {@link Ticker}, or since it was created, by the wall clock, as JSSE's own context has
 * it, whichever comes first. If the session belongs to another context with a shorter
 * timeout, that one counts.
 * <p>
 * The cache refers to the sessions that were put strongly, and with them to the peers'
 * certificates and to the keys from which the sessions' traffic keys derive, until they
 * are removed; a timed-out session goes with one of the next writes or with
 * {@link #cleanUp()}.
 * <p>
 * All methods may be called by several threads at once.
 */
public final class SslSessionCache implements SSLSessionContext {

	/** It may be missing from a JVM that was linked for an application. */
	private static final boolean FLIGHT_RECORDER = ModuleLayer.boot().findModule("jdk.jfr").isPresent();

	private final LazyExpiryCache<SessionId, SSLSession> sessions;

	private final InstantSource clock;

	/**
	 * Counted here, not by the cache below: a lookup may find a session that has timed
	 * out.
	 */
	private final LongAdder hits = new LongAdder();

	private final Set<ServerSessions> servers = new CopyOnWriteArraySet<>();

	private final List<Runnable> endActions = new CopyOnWriteArrayList<>();

	private SslSessionCache(Builder builder) {
		this.sessions = LazyExpiryCache.<SessionId, SSLSession>builder()
			.maximumSize(builder.maximumSize)
			.expireAfterWrite(builder.timeout)
			.ticker(builder.ticker)
			.removalListener((id, session, cause) -> release(session))
			.build();
		this.clock = builder.clock;
	}

	private static void release(SSLSession session) {
		if (session instanceof HeldSession held) {
			held.released();
		}
	}

	/**
	 * Starts building a cache.
	 * @return a builder with the defaults of JSSE: 20,480 sessions and 24 hours
	 */
	public static Builder builder() {
		return new Builder();
	}

	/**
	 * Puts a session, as the newest. A session that has no id or is not valid is not put:
	 * no client can ask for it.
	 * @param session the session
	 */
	public void put(SSLSession session) {
		byte[] id = session.getId();
		if (id.length > 0 && session.isValid()) {
			this.sessions.put(new SessionId(id), session);
		}
	}

	/**
	 * Returns the session that was put with the given id, for a handshake that is to
	 * resume it. One that has timed out is invalidated and removed. The hit counts once
	 * the handshake is reported.
	 * @param sessionId the id
	 * @return the session, or {@code null} if there is none, it has timed out or it is no
	 * longer valid
	 */
	public @Nullable SSLSession getSessionToResume(byte[] sessionId) {
		return aliveSession(new SessionId(sessionId));
	}

	private @Nullable SSLSession aliveSession(SessionId id) {
		SSLSession session = this.sessions.get(id);
		if (session == null || isAlive(session)) {
			return session;
		}
		this.sessions.remove(id);
		session.invalidate();
		return null;
	}

	/**
	 * Returns the session with the given id. One that has timed out is invalidated and
	 * removed.
	 * @param sessionId the id
	 * @return the session, or {@code null} if there is none, it has timed out or it is no
	 * longer valid
	 * @throws NullPointerException if the id is {@code null}
	 */
	@Override
	public @Nullable SSLSession getSession(byte[] sessionId) {
		Objects.requireNonNull(sessionId, "sessionId must not be null");
		SSLSession session = aliveSession(new SessionId(sessionId));
		if (session == null) {
			session = serverSession(sessionId);
		}
		if (session != null) {
			this.hits.increment();
		}
		return session;
	}

	private @Nullable SSLSession serverSession(byte[] sessionId) {
		return serverContexts().map((context) -> context.getSession(sessionId))
			.filter(Objects::nonNull)
			.findFirst()
			.orElse(null);
	}

	private Stream<SSLSessionContext> serverContexts() {
		return this.servers.stream().flatMap(ServerSessions::contexts);
	}

	private long serverSessions() {
		return serverContexts().mapToLong((context) -> Collections.list(context.getIds()).size()).sum();
	}

	/**
	 * Returns the ids of all sessions that have not timed out.
	 * @return copies of the ids, as of this call
	 */
	@Override
	public Enumeration<byte[]> getIds() {
		List<byte[]> ids = new ArrayList<>();
		this.sessions.forEach((id, session) -> {
			if (isAlive(session)) {
				ids.add(id.toByteArray());
			}
		});
		serverContexts().forEach((context) -> ids.addAll(Collections.list(context.getIds())));
		return Collections.enumeration(ids);
	}

	/**
	 * Removes the session with the given id. A session that a connected server stores
	 * itself is also invalidated, because there is no other way to remove it.
	 * @param sessionId the id
	 * @return the session, or {@code null} if there was none or it had timed out
	 * @throws NullPointerException if the id is {@code null}
	 */
	public @Nullable SSLSession remove(byte[] sessionId) {
		Objects.requireNonNull(sessionId, "sessionId must not be null");
		SSLSession session = this.sessions.remove(new SessionId(sessionId));
		if (session == null) {
			session = serverSession(sessionId);
			if (session != null) {
				session.invalidate();
			}
		}
		return session;
	}

	/**
	 * Ends every session. First the {@linkplain #onInvalidateAll actions} run, which end
	 * sessions on other nodes, then this node's sessions end as with
	 * {@link #invalidateAllHere()}. Each step runs even if another fails.
	 * @throws RuntimeException the first failure of an action, a server or a session's
	 * {@code invalidate}, with the others suppressed
	 */
	public void invalidateAll() {
		Failures failures = new Failures();
		this.endActions.forEach(failures::collect);
		failures.collect(this::invalidateAllHere);
		failures.rethrow();
	}

	/**
	 * Ends every session on this node: the servers end theirs, then those that were put
	 * are removed and invalidated. The whole end of an {@link #invalidateAll()} on
	 * another node.
	 * @throws RuntimeException the first failure of a server or a session's
	 * {@code invalidate}, with the others suppressed
	 */
	public void invalidateAllHere() {
		if (FLIGHT_RECORDER) {
			new SessionsEndEvent().commit();
		}
		Failures failures = new Failures();
		this.servers.forEach((server) -> failures.collect(server::invalidateAll));
		this.sessions.forEach((id, session) -> {
			if (this.sessions.remove(id) != null) {
				failures.collect(session::invalidate);
			}
		});
		cleanUp();
		failures.rethrow();
	}

	/**
	 * Adds an action that runs first in {@link #invalidateAll()}, and not in
	 * {@link #invalidateAllHere()}: for what makes sessions resume on several servers or
	 * nodes.
	 * @param action the action, which must be safe for use by several threads
	 * @return removes the action when it is run
	 */
	public Runnable onInvalidateAll(Runnable action) {
		this.endActions.add(Objects.requireNonNull(action, "action must not be null"));
		return () -> this.endActions.remove(action);
	}

	/**
	 * Removes all sessions that the ticker says have timed out, instead of waiting for
	 * writes to do so.
	 */
	public void cleanUp() {
		this.sessions.cleanUp();
	}

	/**
	 * Changes the timeout, at once and for the sessions that there are, too. A longer one
	 * does not bring back what has timed out. The servers follow, except where one has a
	 * timeout of its own.
	 * @param seconds the timeout in seconds; 0 means no limit
	 * @throws IllegalArgumentException if the timeout is negative
	 */
	@Override
	public void setSessionTimeout(int seconds) {
		if (seconds < 0) {
			throw new IllegalArgumentException(
					"The session timeout must be 0 (no limit) or positive, but was " + seconds + " seconds");
		}
		this.sessions.setExpireAfterWrite(Duration.ofSeconds(seconds));
		serversFollow();
	}

	private void serversFollow() {
		this.servers.forEach(ServerSessions::followLimits);
	}

	/**
	 * Returns the timeout in seconds.
	 * @return the timeout, rounded up to whole seconds; 0 means no limit
	 */
	@Override
	public int getSessionTimeout() {
		return (int) Math.min(Integer.MAX_VALUE, this.sessions.expireAfterWrite().plusNanos(999_999_999).toSeconds());
	}

	/**
	 * Changes the bound. If more sessions were put, they are evicted before this method
	 * returns. The servers follow, except where one has a bound of its own.
	 * @param size the number of sessions; 0 means no limit
	 * @throws IllegalArgumentException if the size is negative
	 */
	@Override
	public void setSessionCacheSize(int size) {
		if (size < 0) {
			throw new IllegalArgumentException(
					"The session cache size must be 0 (no limit) or positive, but was " + size);
		}
		this.sessions.setMaximumSize(size);
		serversFollow();
	}

	/**
	 * Returns the bound.
	 * @return the number of sessions; 0 means no limit
	 */
	@Override
	public int getSessionCacheSize() {
		return (int) this.sessions.maximumSize();
	}

	/**
	 * Returns how many sessions there are: those that were put, timed-out ones that still
	 * await their removal included, and those that the servers keep by themselves. The
	 * JDK's contexts do not tell their size, so their ids are counted, under their lock.
	 * @return the number of sessions; exact while no write is under way
	 */
	public long estimatedSize() {
		return this.sessions.estimatedSize() + serverSessions();
	}

	/**
	 * Returns the statistics of this cache.
	 * @return the counts up to now
	 */
	public SslSessionStats stats() {
		CacheStats stats = this.sessions.stats();
		long resumptions = this.servers.stream().mapToLong(ServerSessions::resumptions).sum();
		return new SslSessionStats(this.hits.sum() + resumptions, stats.puts(), stats.evictions(), stats.expirations(),
				stats.invalidations());
	}

	/**
	 * Connects servers that store their sessions themselves.
	 * @param servers the sessions of the servers
	 * @return disconnects the servers when it is run; their resumptions remain counted
	 */
	public Runnable connect(ServerSessions servers) {
		this.servers.add(Objects.requireNonNull(servers, "servers must not be null"));
		return () -> {
			if (this.servers.remove(servers)) {
				this.hits.add(servers.resumptions());
			}
		};
	}

	@Override
	public String toString() {
		return "SslSessionCache[size=" + estimatedSize() + ", maximumSize=" + getSessionCacheSize() + ", timeout="
				+ this.sessions.expireAfterWrite() + "]";
	}

	private boolean isAlive(SSLSession session) {
		return session.isValid() && !isTimedOut(session, this.sessions.expireAfterWrite())
				&& !isTimedOutInItsContext(session);
	}

	private boolean isTimedOutInItsContext(SSLSession session) {
		SSLSessionContext context = session.getSessionContext();
		return context != null && isTimedOut(session, Duration.ofSeconds(context.getSessionTimeout()));
	}

	private boolean isTimedOut(SSLSession session, Duration timeout) {
		return !timeout.isZero() && this.clock.millis() - session.getCreationTime() >= timeout.toMillis();
	}

	/**
	 * Builds caches. Not safe for use by several threads.
	 */
	public static final class Builder {

		private int maximumSize = 20_480;

		private Duration timeout = Duration.ofHours(24);

		private Ticker ticker = Ticker.coarse();

		private InstantSource clock = InstantSource.system();

		private Builder() {
		}

		/**
		 * Sets the bound. The default is 20,480.
		 * @param maximumSize the number of sessions; 0 means no limit
		 * @return this builder
		 * @throws IllegalArgumentException if the bound is negative
		 */
		public Builder maximumSize(int maximumSize) {
			if (maximumSize < 0) {
				throw new IllegalArgumentException(
						"maximumSize must be 0 (no limit) or positive, but was " + maximumSize);
			}
			this.maximumSize = maximumSize;
			return this;
		}

		/**
		 * Sets the timeout. The default is 24 hours.
		 * @param timeout how long a session can be resumed; zero means no limit
		 * @return this builder
		 * @throws IllegalArgumentException if the timeout is negative
		 */
		public Builder timeout(Duration timeout) {
			if (timeout.isNegative()) {
				throw new IllegalArgumentException("timeout must be zero (no limit) or positive, but was " + timeout);
			}
			this.timeout = timeout;
			return this;
		}

		/**
		 * Sets the clock for the time since a session was put. The default is
		 * {@link Ticker#coarse()}, which costs a lookup less than the system's clock.
		 * @param ticker the clock
		 * @return this builder
		 */
		public Builder ticker(Ticker ticker) {
			this.ticker = Objects.requireNonNull(ticker, "ticker must not be null");
			return this;
		}

		/**
		 * Sets the clock for the time since a session was created, which sessions tell in
		 * milliseconds of the wall clock. The default is {@link InstantSource#system()}.
		 * @param clock the clock
		 * @return this builder
		 */
		public Builder clock(InstantSource clock) {
			this.clock = Objects.requireNonNull(clock, "clock must not be null");
			return this;
		}

		/**
		 * Builds a cache.
		 * @return a new, empty cache
		 */
		public SslSessionCache build() {
			return new SslSessionCache(this);
		}

	}

}
