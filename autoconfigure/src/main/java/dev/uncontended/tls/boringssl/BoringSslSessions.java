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

import java.time.Duration;
import java.util.List;
import java.util.Objects;

import dev.uncontended.tls.engine.RenewableSslContext;
import dev.uncontended.tls.session.SslSessionCache;
import dev.uncontended.tls.session.internal.SessionTokens;
import dev.uncontended.tls.tickets.TicketKeys;
import io.netty.handler.ssl.OpenSslSessionContext;
import io.netty.handler.ssl.OpenSslSessionTicketKey;
import io.netty.handler.ssl.ReferenceCountedOpenSslContext;

/**
 * Determines how an application's TLS sessions resume: from tickets encrypted with the
 * {@link TicketKeys}. Clients without ticket support make full handshakes. Thread-safe.
 * <p>
 * {@link SslSessionCache#endAll()} ends all sessions. The end by another node that shares
 * the ticket keys has the same effect. Handshakes that start afterwards use a new
 * {@linkplain BoringSslTlsEngine#createContext context} from {@link RenewableSslContext}.
 * Handshakes under way continue with the old context, but their sessions cannot be
 * resumed.
 */
public final class BoringSslSessions implements AutoCloseable {

	private static final Duration DEFAULT_TIMEOUT = Duration.ofHours(24);

	private final SessionTokens tokens;

	private final TicketKeys ticketKeys;

	private final List<Runnable> removals;

	/**
	 * Connects the session cache to the ticket keys until this instance is closed.
	 * @param tokens the session cache, whose end of all sessions also ends the sessions
	 * in tickets
	 * @param ticketKeys the keys of the tickets
	 */
	public BoringSslSessions(SessionTokens tokens, TicketKeys ticketKeys) {
		this.tokens = tokens;
		this.ticketKeys = ticketKeys;
		this.removals = List.of(tokens.onEndAll(ticketKeys::endAll), ticketKeys.onRemoteEnd(tokens::endAllHere));
	}

	@Override
	public void close() {
		this.removals.forEach(Runnable::run);
	}

	/**
	 * Returns the timeout of sessions in seconds.
	 */
	long timeout() {
		Duration timeout = Objects.requireNonNullElse(this.tokens.timeout(), DEFAULT_TIMEOUT);
		return timeout.isZero() ? Integer.MAX_VALUE : timeout.toSeconds();
	}

	/**
	 * Returns the number of ends of all sessions. A context is valid until it changes.
	 */
	long ends() {
		return this.ticketKeys.ends();
	}

	/**
	 * Enables resumption for a new native context until the number of ends is no longer
	 * {@code ends}. From then on, the native context encrypts its tickets with a random
	 * key that no other context knows.
	 * @return the connection of the native context, which must be refreshed before each
	 * engine is created, and removed before the native context is released
	 */
	TicketKeys.Connection connect(ReferenceCountedOpenSslContext context, long ends) {
		OpenSslSessionContext sessions = context.sessionContext();
		// Netty would store the TLS 1.2 sessions of clients without ticket support.
		sessions.setSessionCacheEnabled(false);
		return this.ticketKeys.connect(ends,
				(keys) -> sessions.setTicketKeys(keys.stream()
					.map((key) -> new OpenSslSessionTicketKey(key.name(), key.hmacKey(), key.aesKey()))
					.toArray(OpenSslSessionTicketKey[]::new)));
	}

}
