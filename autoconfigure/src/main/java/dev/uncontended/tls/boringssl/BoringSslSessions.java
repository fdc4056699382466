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
import dev.uncontended.tls.session.SslSessionCache;
import dev.uncontended.tls.tickets.TicketKey;
import dev.uncontended.tls.tickets.TicketKeyListener;
import dev.uncontended.tls.tickets.TicketKeySource;
import io.netty.handler.ssl.OpenSslSessionContext;
import io.netty.handler.ssl.OpenSslSessionTicketKey;
import io.netty.handler.ssl.ReferenceCountedOpenSslContext;

/**
 * Determines how an application's TLS sessions resume: from tickets encrypted with the
 * keys of a {@link TicketKeySource}. Clients without ticket support make full handshakes.
 * Thread-safe.
 * <p>
 * {@link SslSessionCache#endAll()} ends all sessions. The end by another node that shares
 * the ticket keys has the same effect. Handshakes that start afterwards use a new
 * {@linkplain BoringSslTlsEngine#createContext context} from {@link RenewableSslContext}.
 * Handshakes under way continue with the old context, but their sessions cannot be
 * resumed.
 */
public final class BoringSslSessions implements AutoCloseable {

	private final SslSessionCache cache;

	private final TicketKeySource ticketKeys;

	// Each end of all sessions increments this number, and makes the existing contexts
	// invalid.
	private final AtomicLong ends = new AtomicLong();

	private final List<Registration> registrations;

	/**
	 * Connects the cache to the ticket keys until this instance is closed.
	 * @param cache the cache, whose end of all sessions also ends the sessions in tickets
	 * @param ticketKeys the source of ticket keys
	 */
	public BoringSslSessions(SslSessionCache cache, TicketKeySource ticketKeys) {
		this.cache = cache;
		this.ticketKeys = ticketKeys;
		this.registrations = List.of(ticketKeys.subscribe(new EndCounter()), cache.onEndAll(ticketKeys::endAll),
				ticketKeys.onRemoteEnd(() -> cache.endAllHere()));
	}

	/**
	 * Disconnects the cache from the ticket keys.
	 */
	@Override
	public void close() {
		this.registrations.forEach(Registration::remove);
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
		// Netty would store the TLS 1.2 sessions of clients without ticket support.
		context.sessionContext().setSessionCacheEnabled(false);
		return this.ticketKeys.subscribe(new ContextKeys(context.sessionContext(), current));
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
