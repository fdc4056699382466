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

import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.Collections;
import java.util.Comparator;
import java.util.Enumeration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.LongSupplier;
import java.util.function.Supplier;

import javax.net.ssl.SSLSession;

import dev.uncontended.cache.LazyExpiryCache;
import dev.uncontended.tls.session.Reach;
import dev.uncontended.tls.session.SslSessionCache;
import dev.uncontended.tls.session.SslSessionStats;
import dev.uncontended.tls.session.internal.Lineage.Host;
import org.jspecify.annotations.Nullable;

/**
 * The {@link SslSessionCache}. Contains the sessions that the JDK stores for servers, one
 * {@link Lineage} for each returning client.
 */
public final class Lineages implements SslSessionCache {

	/*
	 * The JDK stores sessions itself and has no interface to replace its store. This
	 * class makes the cache decide all the same: before a handshake, StoredSession looks
	 * up each session that the ClientHello presents, and invalidates it unless its
	 * lineage is here. The JDK then makes a full handshake. This needs two internals of
	 * the JDK: the session refers to the String that createSSLEngine got as the host, and
	 * its descendants inherit the reference. (A bound value would be inherited as well,
	 * but the JDK issues a second ticket for each.) A third one, that FINISHED comes with
	 * the ticket, tells which sessions the JDK has stored. If a JDK changes them, no
	 * presented session belongs to a lineage; decides() is then false.
	 *
	 * The removal of a lineage invalidates its newest session, and thus its unused
	 * tickets, because invalidation reaches the children. This only saves memory, since a
	 * ticket that escapes, such as one issued at the same time, is refused when it is
	 * presented. A handshake that resumes a lineage while it is removed fails if the
	 * lineage has ended, and is served if it was evicted or has expired.
	 *
	 * A session refers to all its children, so an open connection keeps all later
	 * sessions of its lineage in memory. Their number is therefore limited.
	 */

	private static final Logger logger = System.getLogger(Lineages.class.getName());

	/** The maximum number of tickets in a lineage that can still resume. */
	static final int MAXIMUM_TICKETS = 64;

	/** The number of tickets that the JDK issues for each handshake. */
	private static final int TICKETS = Math.max(1, Integer.getInteger("jdk.tls.server.newSessionTicketCount", 1));

	/** The number of unknown sessions, without a known one, that shows another JDK. */
	static final int MAXIMUM_UNKNOWN = 1_000;

	private final LazyExpiryCache<Host, Lineage> lineages;

	private final Map<ByteBuffer, Lineage> byId = new ConcurrentHashMap<>();

	private final LongAdder hits = new LongAdder();

	private final LongAdder misses = new LongAdder();

	private final AtomicLong ends = new AtomicLong();

	private final AtomicInteger unknown = new AtomicInteger();

	private final List<Supplier<Reach>> endActions = new CopyOnWriteArrayList<>();

	/**
	 * Creates a cache. A maximum size or a timeout of 0 means no limit.
	 * @param timeout a whole number of seconds
	 * @param ticker a monotonic clock in nanoseconds
	 */
	public Lineages(int maximumSize, Duration timeout, LongSupplier ticker) {
		this.lineages = LazyExpiryCache.<Host, Lineage>builder()
			.maximumSize(maximumSize)
			.expireAfterWrite(timeout)
			.ticker(ticker)
			.removalListener((lineage, cause) -> removed(lineage))
			.build();
	}

	private void removed(Lineage lineage) {
		SSLSession newest;
		synchronized (lineage) {
			lineage.removed = true;
			newest = lineage.newest;
			this.byId.remove(id(newest), lineage);
		}
		newest.invalidate();
	}

	private static ByteBuffer id(SSLSession session) {
		return ByteBuffer.wrap(session.getId());
	}

	@Override
	public @Nullable SSLSession getSession(byte[] sessionId) {
		cleanUp();
		Lineage lineage = find(sessionId);
		SSLSession session = (lineage != null) ? lineage.newest() : null;
		return (session != null && session.isValid()) ? session : null;
	}

	private @Nullable Lineage find(byte[] sessionId) {
		return this.byId.get(ByteBuffer.wrap(Objects.requireNonNull(sessionId, "sessionId must not be null")));
	}

	@Override
	public Enumeration<byte[]> getIds() {
		cleanUp();
		return Collections.enumeration(this.byId.values()
			.stream()
			.map(Lineage::newest)
			.filter(SSLSession::isValid)
			.map(SSLSession::getId)
			.toList());
	}

	@Override
	public @Nullable SSLSession remove(byte[] sessionId) {
		Lineage lineage = find(sessionId);
		return (lineage != null && end(lineage)) ? lineage.newest() : null;
	}

	@Override
	public boolean remove(SSLSession session) {
		Lineage lineage = find(session);
		return lineage != null && end(lineage);
	}

	boolean end(Lineage lineage) {
		lineage.ended = true;
		return this.lineages.remove(lineage.host) != null;
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
	 * sessions.
	 */
	public void endAllHere() {
		// Also ends the sessions of handshakes under way.
		this.ends.incrementAndGet();
		this.lineages.forEach((host, lineage) -> end(lineage));
		cleanUp();
	}

	/**
	 * Returns how many times all sessions have ended. SSL contexts that were created
	 * before the last end must not resume sessions any more.
	 */
	public long ends() {
		return this.ends.get();
	}

	/**
	 * Adds an action that ends sessions in tickets. The action returns how far the end
	 * reaches.
	 * @return removes the action
	 */
	public Runnable onEndAll(Supplier<Reach> action) {
		this.endActions.add(action);
		return () -> this.endActions.remove(action);
	}

	/**
	 * Removes all sessions that have timed out.
	 */
	void cleanUp() {
		this.lineages.cleanUp();
	}

	@Override
	public void setSessionTimeout(int seconds) {
		this.lineages.setExpireAfterWrite(Duration.ofSeconds(seconds));
	}

	@Override
	public int getSessionTimeout() {
		return (int) this.lineages.expireAfterWrite().toSeconds();
	}

	@Override
	public void setSessionCacheSize(int size) {
		this.lineages.setMaximumSize(size);
	}

	@Override
	public int getSessionCacheSize() {
		return (int) this.lineages.maximumSize();
	}

	@Override
	public long estimatedSize() {
		return this.lineages.stats().size();
	}

	@Override
	public SslSessionStats stats() {
		LazyExpiryCache.Stats stats = this.lineages.stats();
		return new SslSessionStats(this.hits.sum(), this.misses.sum(), stats.puts(), stats.evictions(),
				stats.expirations(), stats.invalidations());
	}

	/**
	 * Puts the lineage of a full handshake.
	 */
	Lineage put(SSLSession session) {
		this.misses.increment();
		Lineage lineage = new Lineage(session);
		lineage.tickets = TICKETS;
		this.byId.put(id(session), lineage);
		try {
			this.lineages.put(lineage.host, lineage);
		}
		catch (Throwable ex) {
			removed(lineage);
			throw ex;
		}
		return lineage;
	}

	/**
	 * Returns the lineage of a session that a client presents or has resumed.
	 */
	@Nullable Lineage find(SSLSession session) {
		return this.lineages.get(Host.of(session));
	}

	/**
	 * Counts a resumption.
	 * @return whether the lineage was still here
	 */
	boolean resumed(Lineage lineage, SSLSession session) {
		synchronized (lineage) {
			if (lineage.removed) {
				return false;
			}
			this.byId.remove(id(lineage.newest), lineage);
			lineage.newest = session;
			this.byId.put(id(session), lineage);
		}
		this.hits.increment();
		countTickets(lineage);
		return true;
	}

	/**
	 * Counts the tickets that the JDK issues at a resumption, or because the application
	 * has bound a value to the session.
	 */
	void countTickets(Lineage lineage) {
		boolean exhausted;
		synchronized (lineage) {
			lineage.tickets += TICKETS;
			exhausted = lineage.tickets > MAXIMUM_TICKETS && !lineage.removed;
		}
		if (exhausted) {
			this.lineages.remove(lineage.host);
		}
	}

	/**
	 * Counts a session that belongs to no lineage, or that looks resumed although the
	 * client has presented none.
	 */
	void countUnknown() {
		if (this.hits.sum() == 0 && this.unknown.get() < MAXIMUM_UNKNOWN
				&& this.unknown.incrementAndGet() == MAXIMUM_UNKNOWN) {
			logger.log(Level.WARNING,
					"The session cache does not recognize the TLS sessions of Java {0}. The JDK decides which sessions"
							+ " resume, within its own limits. Set ''uncontended.ssl.session-cache.stateful=false''.",
					Runtime.version());
		}
	}

	/**
	 * Returns whether this object decides which sessions resume. If not, the JDK does.
	 */
	public boolean decides() {
		return this.unknown.get() < MAXIMUM_UNKNOWN;
	}

}
