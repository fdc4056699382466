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

package dev.uncontended.tls.boringssl;

import java.security.SecureRandom;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.BooleanSupplier;

import dev.uncontended.tls.Registration;
import dev.uncontended.tls.engine.RenewableSslContext;
import dev.uncontended.tls.session.Reach;
import dev.uncontended.tls.session.SslSessionCache;
import dev.uncontended.tls.session.internal.SessionAccess;
import dev.uncontended.tls.tickets.TicketKey;
import dev.uncontended.tls.tickets.TicketKeyListener;
import dev.uncontended.tls.tickets.TicketKeySource;
import io.netty.handler.ssl.OpenSslSessionContext;
import io.netty.handler.ssl.OpenSslSessionTicketKey;
import io.netty.handler.ssl.ReferenceCountedOpenSslContext;
import io.netty.internal.tcnative.SSL;
import org.jspecify.annotations.Nullable;

/**
 * Determines how an application's TLS sessions resume: from tickets encrypted with the
 * keys of a {@link TicketKeySource}, or from a {@link SslSessionCache}. Thread-safe.
 * <p>
 * With tickets, the cache holds the TLS 1.2 sessions of clients that do not support
 * tickets. Without tickets, BoringSSL cannot resume TLS 1.3 sessions.
 * <p>
 * {@link SslSessionCache#endAll()} ends all sessions. The end by another node that shares
 * the ticket keys has the same effect. Handshakes that start afterwards use a new
 * {@linkplain BoringSslTlsEngine#createContext context} from {@link RenewableSslContext}.
 * Handshakes under way continue with the old context, but their sessions cannot be
 * resumed.
 */
public final class BoringSslSessions implements AutoCloseable {

	private final SslSessionCache cache;

	private final @Nullable TicketKeySource ticketKeys;

	// Each end of all sessions increments this number, and makes the existing contexts
	// invalid.
	private final AtomicLong ends = new AtomicLong();

	private final List<Registration> registrations;

	private volatile boolean closed;

	private BoringSslSessions(SslSessionCache cache, @Nullable TicketKeySource ticketKeys) {
		this.cache = cache;
		this.ticketKeys = ticketKeys;
		if (ticketKeys == null) {
			this.registrations = List.of(cache.onEndAll(this::endHere));
		}
		else {
			this.registrations = List.of(ticketKeys.subscribe(new EndCounter()), cache.onEndAll(ticketKeys::endAll),
					ticketKeys.onRemoteEnd(() -> SessionAccess.get().endAllHere(cache)));
		}
	}

	private Reach endHere() {
		this.ends.incrementAndGet();
		return Reach.THIS_NODE;
	}

	/**
	 * Creates an instance that resumes sessions from tickets.
	 * @param cache the cache for the sessions of clients without ticket support
	 * @param ticketKeys the source of ticket keys
	 * @return a new instance, which must be closed
	 */
	public static BoringSslSessions inTickets(SslSessionCache cache, TicketKeySource ticketKeys) {
		return new BoringSslSessions(cache, ticketKeys);
	}

	/**
	 * Creates an instance that resumes sessions from the cache and issues no tickets.
	 * @param cache the cache for the resumable sessions (TLS 1.2 only)
	 * @return a new instance, which must be closed
	 */
	public static BoringSslSessions inCache(SslSessionCache cache) {
		return new BoringSslSessions(cache, null);
	}

	/**
	 * Disconnects from the cache and the ticket keys, and removes this object's sessions
	 * from the cache to release native memory. Handshakes under way store no session.
	 */
	@Override
	public void close() {
		this.registrations.forEach(Registration::remove);
		// From now on, sessions are invalid. A put checks this afterwards.
		this.closed = true;
		SessionAccess.get().removeObsolete(this.cache);
		this.cache.cleanUp();
	}

	boolean areInTickets() {
		return this.ticketKeys != null;
	}

	SslSessionCache cache() {
		return this.cache;
	}

	/**
	 * Returns a supplier that returns {@code true} until the next end of all sessions.
	 */
	BooleanSupplier createValidityCheck() {
		long before = this.ends.get();
		return () -> this.ends.get() == before;
	}

	/**
	 * Enables resumption for a new native context until {@code current} returns
	 * {@code false}. From then on, the native context encrypts its tickets with a random
	 * key that no other context knows.
	 * @return the registration of the native context, which must be removed before the
	 * native context is released
	 */
	Registration connect(ReferenceCountedOpenSslContext context, BooleanSupplier current) {
		NativeAccess.setSessionCache(context,
				new SessionStore(this.cache, () -> !this.closed && current.getAsBoolean()));
		context.sessionContext().setSessionCacheEnabled(true);
		if (this.ticketKeys == null) {
			return () -> {
			};
		}
		return this.ticketKeys.subscribe(new ContextKeys(context.sessionContext(), current));
	}

	/**
	 * Disables tickets for a native connection if this instance issues none, because
	 * Netty enables tickets for each connection that permits TLS 1.3.
	 */
	void configure(long ssl) {
		if (this.ticketKeys == null) {
			SSL.setOptions(ssl, SSL.SSL_OP_NO_TICKET);
		}
	}

	/**
	 * Counts the ends of all sessions before new contexts can receive the new keys.
	 */
	private final class EndCounter implements TicketKeyListener {

		@Override
		public void keysChanged(List<TicketKey> keys) {
		}

		@Override
		public void sessionsEnded() {
			BoringSslSessions.this.ends.incrementAndGet();
		}

	}

	/**
	 * The ticket keys of a native context.
	 */
	private record ContextKeys(OpenSslSessionContext sessions, BooleanSupplier current) implements TicketKeyListener {

		@Override
		public void keysChanged(List<TicketKey> keys) {
			if (this.current.getAsBoolean()) {
				use(keys);
			}
			else {
				sessionsEnded();
			}
		}

		@Override
		public void sessionsEnded() {
			use(List.of(TicketKey.generate(new SecureRandom())));
		}

		private void use(List<TicketKey> keys) {
			this.sessions.setTicketKeys(keys.stream()
				.map((key) -> new OpenSslSessionTicketKey(key.name(), key.hmacKey(), key.aesKey()))
				.toArray(OpenSslSessionTicketKey[]::new));
		}

	}

}
