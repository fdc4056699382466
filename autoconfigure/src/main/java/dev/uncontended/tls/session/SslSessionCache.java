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
import java.util.Arrays;
import java.util.Collections;
import java.util.Comparator;
import java.util.Enumeration;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CopyOnWriteArraySet;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.LongSupplier;
import java.util.function.Supplier;

import javax.net.ssl.SSLSession;
import javax.net.ssl.SSLSessionContext;

import dev.uncontended.cache.LazyExpiryCache;
import dev.uncontended.tls.Registration;
import dev.uncontended.tls.session.internal.Failures;
import dev.uncontended.tls.session.internal.ServerSessions;
import dev.uncontended.tls.session.internal.SessionAccess;
import dev.uncontended.tls.session.internal.StoredSession;
import org.jspecify.annotations.Nullable;

/**
 * A cache of the TLS sessions that an application's servers store. It decides which of
 * these sessions resume, with either TLS engine: a session that this cache evicts,
 * expires or ends requires a full handshake. Thread-safe.
 * <p>
 * Sessions in stateless tickets, which clients store, are not in this cache. Only
 * {@link #endAll()} ends these sessions as well.
 * <p>
 * A session times out <em>by the ticker</em> when the time since its put, measured with
 * the cache's {@linkplain Builder#ticker ticker}, reaches the cache's timeout. It times
 * out <em>by the wall clock</em> when the time since its creation reaches the timeout of
 * the cache or of the session's context. A resumption does not extend the timeout.
 * <p>
 * A timed-out session stays in memory, with its secrets and the peer's certificates,
 * until it is removed. {@link #cleanUp()} removes all sessions that have timed out by the
 * ticker, and each put removes up to two of these sessions. A lookup removes and
 * invalidates a session that has timed out only by the wall clock.
 * <p>
 * With the JDK's engine, the id of a TLS 1.3 session changes with each resumption, and
 * {@link #getSession} and {@link #remove} visit all sessions to find an id.
 */
public final class SslSessionCache implements SSLSessionContext {

	static {
		SessionAccess.set(new Access());
	}

	/**
	 * BoringSSL's sessions by {@link SessionId}, the JDK's by keys of the JDK's engine.
	 */
	private final LazyExpiryCache<Object, StoredSession> sessions;

	private final InstantSource clock;

	private final LongAdder hits = new LongAdder();

	private final LongAdder misses = new LongAdder();

	/** Whether a key was not a {@link SessionId}. If not, lookups need not visit all. */
	private volatile boolean otherKeys;

	private final Set<ServerSessions> servers = new CopyOnWriteArraySet<>();

	private final List<Supplier<Reach>> endActions = new CopyOnWriteArrayList<>();

	private SslSessionCache(Builder builder) {
		this.sessions = LazyExpiryCache.<Object, StoredSession>builder()
			.maximumSize(builder.maximumSize)
			.expireAfterWrite(builder.timeout)
			.ticker(builder.ticker)
			.removalListener((session, cause) -> session.released())
			.build();
		this.clock = builder.clock;
	}

	/**
	 * Returns a builder with JSSE's defaults.
	 * @return a builder with a maximum size of 20,480 sessions and a timeout of 24 hours
	 */
	public static Builder builder() {
		return new Builder();
	}

	void put(SSLSession session) {
		byte[] id = session.getId();
		if (id.length > 0 && session.isValid()) {
			put(new SessionId(id), () -> session);
		}
	}

	void put(Object key, StoredSession session) {
		if (!this.otherKeys && !(key instanceof SessionId)) {
			this.otherKeys = true;
		}
		this.misses.increment();
		this.sessions.put(key, session);
	}

	@Nullable StoredSession getResumed(Object key) {
		StoredSession stored = find(key);
		if (stored != null) {
			this.hits.increment();
		}
		return stored;
	}

	private @Nullable StoredSession find(Object key) {
		StoredSession stored = this.sessions.get(key);
		if (stored == null || isAlive(stored.session())) {
			return stored;
		}
		if (stored.session().isValid()) {
			this.sessions.remove(key);
		}
		else {
			this.sessions.remove(key);
		}
		stored.session().invalidate();
		return null;
	}

	/**
	 * Returns the session with the given id.
	 * @param sessionId the id
	 * @return the session, or {@code null} if it does not exist, has timed out or is
	 * invalid
	 * @throws NullPointerException if the id is {@code null}
	 */
	@Override
	public @Nullable SSLSession getSession(byte[] sessionId) {
		StoredSession stored = find(keyOf(sessionId));
		((stored != null) ? this.hits : this.misses).increment();
		return (stored != null) ? stored.session() : null;
	}

	private Object keyOf(byte[] sessionId) {
		Objects.requireNonNull(sessionId, "sessionId must not be null");
		SessionId id = new SessionId(sessionId);
		if (!this.otherKeys || this.sessions.get(id) != null) {
			return id;
		}
		List<Object> keys = new ArrayList<>();
		this.sessions.forEach((key, stored) -> {
			if (!(key instanceof SessionId) && Arrays.equals(stored.session().getId(), sessionId)) {
				keys.add(key);
			}
		});
		return keys.isEmpty() ? id : keys.get(0);
	}

	/**
	 * Returns the ids of all valid sessions that have not timed out.
	 * @return a snapshot with copies of the ids
	 */
	@Override
	public Enumeration<byte[]> getIds() {
		List<byte[]> ids = new ArrayList<>();
		this.sessions.forEach((key, stored) -> {
			SSLSession session = stored.session();
			if (isAlive(session)) {
				ids.add(session.getId());
			}
		});
		return Collections.enumeration(ids);
	}

	/**
	 * Removes the session with the given id, so that no server resumes it any more.
	 * @param sessionId the id
	 * @return the session, or {@code null} if it did not exist or had timed out by the
	 * ticker
	 * @throws NullPointerException if the id is {@code null}
	 */
	public @Nullable SSLSession remove(byte[] sessionId) {
		StoredSession stored = this.sessions.remove(keyOf(sessionId));
		return (stored != null) ? stored.session() : null;
	}

	void removeObsolete() {
		this.sessions.forEach((key, stored) -> {
			if (stored.isObsolete()) {
				this.sessions.remove(key);
			}
		});
	}

	/**
	 * Ends all sessions, including sessions in stateless tickets. First runs the actions
	 * added with {@link #onEndAll}. Then ends the sessions of connected servers, and
	 * removes and invalidates all sessions of this cache. If a step fails, the remaining
	 * steps still run. Open connections stay open.
	 * @return the least reach of the actions; {@link Reach#THIS_NODE} without an action
	 * @throws RuntimeException the first failure of an action, a server or a session,
	 * with the other failures as suppressed exceptions
	 */
	public Reach endAll() {
		List<Reach> reached = new ArrayList<>();
		Failures failures = new Failures();
		this.endActions.forEach((action) -> failures.collect(() -> reached.add(action.get())));
		failures.collect(this::endAllHere);
		failures.rethrow();
		return reached.stream().min(Comparator.naturalOrder()).orElse(Reach.THIS_NODE);
	}

	void endAllHere() {
		Failures failures = new Failures();
		this.servers.forEach((server) -> failures.collect(server::endAll));
		this.sessions.forEach((key, stored) -> {
			if (this.sessions.remove(key) != null) {
				failures.collect(() -> stored.session().invalidate());
			}
		});
		cleanUp();
		failures.rethrow();
	}

	/**
	 * Adds an action that {@link #endAll()} runs, such as replacing ticket keys.
	 * @param action the action, which must be thread-safe, and returns how far it reaches
	 * @return the registration of the action
	 */
	public Registration onEndAll(Supplier<Reach> action) {
		this.endActions.add(Objects.requireNonNull(action, "action must not be null"));
		return () -> this.endActions.remove(action);
	}

	/**
	 * Removes all sessions that have timed out by the ticker.
	 */
	public void cleanUp() {
		this.sessions.cleanUp();
	}

	/**
	 * Sets the timeout of stored and later sessions. Connected servers adopt the timeout,
	 * unless they have their own.
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
	 * Sets the maximum size. Excess sessions are evicted before this method returns.
	 * Connected servers adopt the maximum size, unless they have their own.
	 * @param size the maximum number of sessions; 0 means no limit
	 * @throws IllegalArgumentException if the size is negative
	 */
	@Override
	public void setSessionCacheSize(int size) {
		if (size < 0) {
			throw new IllegalArgumentException(
					"The session cache size must be 0 (no limit) or positive, but was " + size);
		}
		this.sessions.setMaximumSize(size);
		this.servers.forEach(ServerSessions::followLimits);
	}

	/**
	 * Returns the maximum size.
	 * @return the maximum number of sessions; 0 means no limit
	 */
	@Override
	public int getSessionCacheSize() {
		return (int) this.sessions.maximumSize();
	}

	/**
	 * Returns the number of sessions, including timed-out sessions that are still in
	 * memory.
	 * @return the number of sessions, exact while no write is under way
	 */
	public long estimatedSize() {
		return this.sessions.stats().size();
	}

	/**
	 * Returns statistics of this cache.
	 * @return the current counts
	 */
	public SslSessionStats stats() {
		LazyExpiryCache.Stats stats = this.sessions.stats();
		return new SslSessionStats(this.hits.sum(), this.misses.sum(), stats.puts(), stats.evictions(),
				stats.expirations(), stats.invalidations());
	}

	Registration connect(ServerSessions servers) {
		this.servers.add(servers);
		return () -> this.servers.remove(servers);
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
	 * Gives servers and TLS engines access to methods that are not part of the API.
	 */
	private static final class Access extends SessionAccess {

		@Override
		public void put(SslSessionCache cache, SSLSession session) {
			cache.put(session);
		}

		@Override
		public void put(SslSessionCache cache, Object key, StoredSession session) {
			cache.put(key, session);
		}

		@Override
		public @Nullable StoredSession getResumed(SslSessionCache cache, Object key) {
			return cache.getResumed(key);
		}

		@Override
		public void remove(SslSessionCache cache, Object key) {
			cache.sessions.remove(key);
		}

		@Override
		public void removeObsolete(SslSessionCache cache) {
			cache.removeObsolete();
		}

		@Override
		public Registration connect(SslSessionCache cache, ServerSessions servers) {
			return cache.connect(servers);
		}

		@Override
		public void endAllHere(SslSessionCache cache) {
			cache.endAllHere();
		}

	}

	/**
	 * Builds caches. Not thread-safe.
	 */
	public static final class Builder {

		private int maximumSize = 20_480;

		private Duration timeout = Duration.ofHours(24);

		private LongSupplier ticker = System::nanoTime;

		private InstantSource clock = InstantSource.system();

		private Builder() {
		}

		/**
		 * Sets the maximum size. The default is 20,480.
		 * @param maximumSize the maximum number of sessions; 0 means no limit
		 * @return this builder
		 * @throws IllegalArgumentException if the maximum size is negative
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
		 * @param timeout the time for which a session can be resumed; zero means no limit
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
		 * Sets the monotonic clock for the time since a put. The default is
		 * {@link System#nanoTime()}.
		 * @param ticker the clock, in nanoseconds since an arbitrary origin, like
		 * {@code System::nanoTime}; must be thread-safe
		 * @return this builder
		 */
		public Builder ticker(LongSupplier ticker) {
			this.ticker = Objects.requireNonNull(ticker, "ticker must not be null");
			return this;
		}

		/**
		 * Sets the wall clock for the time since a session's creation. The default is
		 * {@link InstantSource#system()}.
		 * @param clock the clock
		 * @return this builder
		 */
		public Builder clock(InstantSource clock) {
			this.clock = Objects.requireNonNull(clock, "clock must not be null");
			return this;
		}

		/**
		 * Creates a cache.
		 * @return a new, empty cache
		 */
		public SslSessionCache build() {
			return new SslSessionCache(this);
		}

	}

}
