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
import java.util.Enumeration;
import java.util.Objects;
import java.util.function.LongSupplier;
import java.util.function.Supplier;

import javax.net.ssl.SSLSession;
import javax.net.ssl.SSLSessionContext;

import dev.uncontended.tls.Registration;
import dev.uncontended.tls.session.internal.Lineages;
import org.jspecify.annotations.Nullable;

/**
 * A cache of the TLS sessions that an application's servers store with the JDK's engine.
 * It decides which of these sessions resume: a session that this cache evicts, expires or
 * ends requires a full handshake. Thread-safe.
 * <p>
 * A session times out when the time since its full handshake, measured with the cache's
 * {@linkplain Builder#ticker ticker}, reaches the timeout. A resumption does not extend
 * the timeout. After 64 resumptions, the next handshake is full.
 * <p>
 * Sessions in stateless tickets, which clients store, are not in this cache. Only
 * {@link #endAll()} ends these sessions as well.
 * <p>
 * With TLS 1.3, the id of a session changes with each resumption. {@link #getSession},
 * {@link #getIds} and {@link #remove(byte[])} know a session by its newest id, and
 * {@link #remove(SSLSession)} by each. All operations except {@code getIds} take constant
 * time. Inspecting sessions does not affect statistics.
 * <p>
 * Applications create caches with a {@link #builder()}. Servers do not accept other
 * implementations of this interface.
 */
public interface SslSessionCache extends SSLSessionContext {

	/**
	 * Returns a builder with JSSE's defaults.
	 * @return a builder with a maximum size of 20,480 sessions and a timeout of 24 hours
	 */
	static Builder builder() {
		return new Builder();
	}

	/**
	 * Returns the session with the given id.
	 * @param sessionId the newest id of the session
	 * @return the session, or {@code null} if it does not exist, has timed out or is
	 * invalid
	 * @throws NullPointerException if the id is {@code null}
	 */
	@Override
	@Nullable SSLSession getSession(byte[] sessionId);

	/**
	 * Returns the newest ids of all valid sessions that have not timed out.
	 * @return a snapshot with copies of the ids
	 */
	@Override
	Enumeration<byte[]> getIds();

	/**
	 * Ends the session with the given id. Its client makes a full handshake next time. A
	 * handshake that resumes the session at the same time fails.
	 * @param sessionId the newest id of the session
	 * @return the session, or {@code null} if it did not exist or had timed out
	 * @throws NullPointerException if the id is {@code null}
	 */
	@Nullable SSLSession remove(byte[] sessionId);

	/**
	 * Ends a session like {@link #remove(byte[])}. If a client has several connections
	 * with sessions of one full handshake, each of these sessions ends all of them.
	 * @param session the session of any connection
	 * @return whether the session existed and had not timed out
	 */
	boolean remove(SSLSession session);

	/**
	 * Ends all sessions, including sessions in stateless tickets. Runs the actions added
	 * with {@link #onEndAll}, and then {@link #endAllHere()}, even if an action has
	 * failed. Open connections stay open.
	 * @return the least reach of the actions; {@link Reach#THIS_NODE} without an action
	 */
	Reach endAll();

	/**
	 * Ends all sessions of this process, for the case that another node has ended all
	 * sessions.
	 */
	void endAllHere();

	/**
	 * Returns how many times all sessions have ended. SSL contexts that were created
	 * before the last end must not resume sessions any more.
	 * @return the number of ends
	 */
	long ends();

	/**
	 * Adds an action that {@link #endAll()} runs, such as replacing ticket keys.
	 * @param action the action, which must be thread-safe, and returns how far it reaches
	 * @return the registration of the action
	 */
	Registration onEndAll(Supplier<Reach> action);

	/**
	 * Sets the timeout of stored and later sessions.
	 * @param seconds the timeout in seconds; 0 means no limit
	 * @throws IllegalArgumentException if the timeout is negative
	 */
	@Override
	void setSessionTimeout(int seconds);

	/**
	 * Returns the timeout in seconds.
	 * @return the timeout, rounded up to whole seconds; 0 means no limit
	 */
	@Override
	int getSessionTimeout();

	/**
	 * Sets the maximum size. Excess sessions are evicted before this method returns.
	 * @param size the maximum number of sessions; 0 means no limit
	 * @throws IllegalArgumentException if the size is negative
	 */
	@Override
	void setSessionCacheSize(int size);

	/**
	 * Returns the maximum size.
	 * @return the maximum number of sessions; 0 means no limit
	 */
	@Override
	int getSessionCacheSize();

	/**
	 * Returns the number of sessions, including sessions still in memory that cannot
	 * resume any more, because they have timed out, or a reload of certificates has
	 * replaced their SSL context.
	 * @return the number of sessions, exact while no write is under way
	 */
	long estimatedSize();

	/**
	 * Returns statistics of this cache.
	 * @return the current counts
	 */
	SslSessionStats stats();

	/**
	 * Builds caches. Not thread-safe.
	 */
	final class Builder {

		private int maximumSize = 20_480;

		private Duration timeout = Duration.ofHours(24);

		private LongSupplier ticker = System::nanoTime;

		private Builder() {
		}

		/**
		 * Sets the maximum size. The default is 20,480.
		 * @param maximumSize the maximum number of sessions; 0 means no limit
		 * @return this builder
		 */
		public Builder maximumSize(int maximumSize) {
			this.maximumSize = maximumSize;
			return this;
		}

		/**
		 * Sets the timeout. The default is 24 hours.
		 * @param timeout the time for which a session can be resumed; zero means no limit
		 * @return this builder
		 */
		public Builder timeout(Duration timeout) {
			this.timeout = Objects.requireNonNull(timeout, "timeout must not be null");
			return this;
		}

		/**
		 * Sets the clock. The default is {@link System#nanoTime()}.
		 * @param ticker a monotonic clock in nanoseconds, which must be thread-safe
		 * @return this builder
		 */
		public Builder ticker(LongSupplier ticker) {
			this.ticker = Objects.requireNonNull(ticker, "ticker must not be null");
			return this;
		}

		/**
		 * Creates a cache.
		 * @return a new, empty cache
		 * @throws IllegalArgumentException if the maximum size or the timeout is negative
		 */
		public SslSessionCache build() {
			return new Lineages(this.maximumSize, this.timeout, this.ticker);
		}

	}

}
