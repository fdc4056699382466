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
package dev.uncontended.tls.session.internal;

import java.security.SecureRandom;
import java.time.Duration;
import java.util.Comparator;
import java.util.HexFormat;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.LongSupplier;
import java.util.function.Supplier;

import javax.net.ssl.SSLEngine;
import javax.net.ssl.SSLSession;

import dev.uncontended.cache.LazyExpiryCache;
import dev.uncontended.tls.session.Reach;
import dev.uncontended.tls.session.SslSessionCache;
import dev.uncontended.tls.session.SslSessionStats;
import org.jspecify.annotations.Nullable;

/**
 * The tokens of the sessions that can resume.
 * <p>
 * Each SSL engine gets a token in place of the peer's host. The JDK keeps the host in the
 * session and in all its encrypted tickets, so a presented session names the full
 * handshake that it comes from. A token is a number that no other engine of the process
 * has. It need not be secret, because tickets are encrypted and authenticated.
 */
public final class SessionTokens implements SslSessionCache {

	/** The longest timeout unless a property sets it. */
	private static final Duration LONGEST_TIMEOUT = Duration.ofHours(24);

	private static final Duration SHORTEST_TIMEOUT = Duration.ofSeconds(1);

	/** The number of hexadecimal digits. */
	private static final int TOKEN_LENGTH = 16;

	/** A random start, so that the processes of a snapshot are told apart in dumps. */
	private final AtomicLong next = new AtomicLong(new SecureRandom().nextLong());

	/** The time at which each session expires. */
	private final LazyExpiryCache<Long, Long> expirations;

	private final @Nullable Duration timeout;

	private final LongSupplier ticker;

	private final OpenConnections connections = new OpenConnections();

	private final LongAdder hits = new LongAdder();

	private final LongAdder misses = new LongAdder();

	private final AtomicLong ends = new AtomicLong();

	private final List<Supplier<Reach>> endActions = new CopyOnWriteArrayList<>();

	/**
	 * Creates an empty cache.
	 * @param maximumSize the maximum number of tokens; 0 means no limit
	 * @param timeout the time from a full handshake until its session expires; zero means
	 * no limit, and {@code null} the timeout of the session's SSL context, at most 24
	 * hours
	 * @param ticker a monotonic clock in nanoseconds
	 */
	public SessionTokens(int maximumSize, @Nullable Duration timeout, LongSupplier ticker) {
		this.timeout = timeout;
		this.ticker = ticker;
		this.expirations = LazyExpiryCache.<Long, Long>builder()
			.maximumSize(maximumSize)
			.expireAfterWrite((timeout != null) ? timeout : SHORTEST_TIMEOUT)
			.ticker(ticker)
			.build();
	}

	/**
	 * Returns a token that this object has not returned before.
	 */
	public Long create() {
		return this.next.incrementAndGet();
	}

	/**
	 * Returns the name of a token, to be used in place of a peer's host.
	 */
	public static String toHost(Long token) {
		return HexFormat.of().toHexDigits(token);
	}

	/**
	 * Returns the token that a session or a ticket has in place of the peer's host.
	 * @return the token, or {@code null} if there is none
	 */
	public static @Nullable Long tokenOf(SSLSession session) {
		String host = session.getPeerHost();
		try {
			return (host != null && host.length() == TOKEN_LENGTH) ? HexFormat.fromHexDigitsToLong(host) : null;
		}
		catch (NumberFormatException ex) {
			return null;
		}
	}

	/**
	 * Returns the maximum number of tokens; 0 means no limit.
	 */
	public long maximumSize() {
		return this.expirations.maximumSize();
	}

	/**
	 * Returns the time from a full handshake until its session expires, zero for no
	 * limit, or {@code null} if SSL contexts decide.
	 */
	public @Nullable Duration timeout() {
		return this.timeout;
	}

	/**
	 * Returns whether the session of a token may resume.
	 */
	public boolean contains(Long token) {
		Long expiration = this.expirations.get(token);
		return expiration != null && expiration - this.ticker.getAsLong() > 0;
	}

	/**
	 * Puts the token of a full handshake, unless all sessions have ended since.
	 * @param contextTimeout the timeout of the session's SSL context in seconds; 0 means
	 * no limit
	 * @param ends the number of ends before the session was created
	 */
	public void put(Long token, int contextTimeout, long ends) {
		Duration timeout = this.timeout;
		if (timeout == null) {
			timeout = (contextTimeout > 0 && contextTimeout < LONGEST_TIMEOUT.toSeconds())
					? Duration.ofSeconds(contextTimeout) : LONGEST_TIMEOUT;
			if (timeout.compareTo(this.expirations.expireAfterWrite()) > 0) {
				this.expirations.setExpireAfterWrite(timeout);
			}
		}
		long nanos = timeout.isZero() ? Long.MAX_VALUE : timeout.toNanos();
		this.expirations.put(token, this.ticker.getAsLong() + nanos);
		if (ends != this.ends.get()) {
			this.expirations.remove(token);
		}
	}

	/**
	 * Ends the session of a token.
	 * @return whether the session was in the cache
	 */
	public boolean remove(Long token) {
		return this.expirations.remove(token) != null;
	}

	/**
	 * Lets {@link #remove(byte[])} find the session of a connection, until the connection
	 * is closed or its SSL engine is garbage-collected.
	 * @return closes the connection
	 */
	public Runnable opened(SSLEngine engine, SSLSession session, Long token) {
		return this.connections.add(engine, session.getId(), token);
	}

	/**
	 * Counts a handshake that has resumed a session of this cache.
	 */
	public void countHit() {
		this.hits.increment();
	}

	/**
	 * Counts a presented session that is not in this cache.
	 */
	public void countMiss() {
		this.misses.increment();
	}

	@Override
	public boolean remove(byte[] sessionId) {
		Long token = this.connections.find(Objects.requireNonNull(sessionId, "sessionId must not be null"));
		return token != null && remove(token);
	}

	@Override
	public boolean remove(SSLSession session) {
		Long token = tokenOf(Objects.requireNonNull(session, "session must not be null"));
		return token != null && remove(token);
	}

	/**
	 * Runs the actions of {@link #onEndAll}, and then {@link #endAllHere()}, even if an
	 * action has failed.
	 */
	@Override
	public Reach endAll() {
		try {
			return this.endActions.stream().map(Supplier::get).min(Comparator.naturalOrder()).orElse(Reach.THIS_NODE);
		}
		finally {
			endAllHere();
		}
	}

	/**
	 * Ends all sessions of this process, for the case that another node has ended all
	 * sessions. First counts the end, so that the handshakes under way put no token.
	 */
	public void endAllHere() {
		this.ends.incrementAndGet();
		this.expirations.forEach((token, expiration) -> remove(token));
		this.expirations.cleanUp();
	}

	/**
	 * Returns how many times all sessions have ended.
	 */
	public long ends() {
		return this.ends.get();
	}

	/**
	 * Adds an action that ends the sessions that this cache does not decide about. The
	 * action returns how far the end reaches.
	 * @return removes the action
	 */
	public Runnable onEndAll(Supplier<Reach> action) {
		this.endActions.add(action);
		return () -> this.endActions.remove(action);
	}

	@Override
	public long estimatedSize() {
		this.expirations.cleanUp();
		return this.expirations.stats().size();
	}

	@Override
	public SslSessionStats stats() {
		LazyExpiryCache.Stats stats = this.expirations.stats();
		return new SslSessionStats(this.hits.sum(), this.misses.sum(), stats.puts(), stats.evictions(),
				stats.expirations(), stats.invalidations());
	}

}
