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
import java.util.Collections;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.BooleanSupplier;

import dev.uncontended.tls.RenewableSslContext;
import dev.uncontended.tls.SslSessionCache;
import dev.uncontended.tls.tickets.TicketKey;
import dev.uncontended.tls.tickets.TicketKeySource;
import io.netty.handler.ssl.OpenSslSessionTicketKey;
import io.netty.handler.ssl.ReferenceCountedOpenSslContext;
import io.netty.internal.tcnative.SSL;
import org.jspecify.annotations.Nullable;

/**
 * How the sessions of an application's servers resume: from tickets that the clients
 * hold, encrypted with the keys of a {@link TicketKeySource}, or from a
 * {@link SslSessionCache}.
 * <p>
 * Also with tickets, the sessions of clients with TLS 1.2 that take none are in the
 * cache. Without tickets no session of TLS 1.3 resumes: BoringSSL has no other way for
 * it.
 * <p>
 * All sessions end with those of the cache, and with an end that the source of the keys
 * reports from another node. The context of each server ends at the moment the keys
 * change: it gets none of the new keys, loses the old ones, and neither looks up nor
 * stores sessions. So no session of before the end resumes, and no handshake that was
 * under way makes one that does. For later handshakes servers create another context, as
 * those with a {@link RenewableSslContext} do.
 * <p>
 * Safe for use by several threads.
 */
public final class BoringSslSessions implements AutoCloseable {

	private final SslSessionCache cache;

	private final @Nullable TicketKeySource ticketKeys;

	private final SecureRandom random = new SecureRandom();

	// How often all sessions have ended. A context belongs to the time between two ends.
	private final AtomicLong ends = new AtomicLong();

	private final List<Runnable> disconnections;

	private volatile Runnable unsubscription = () -> {
	};

	private BoringSslSessions(SslSessionCache cache, @Nullable TicketKeySource ticketKeys) {
		this.cache = Objects.requireNonNull(cache, "cache must not be null");
		this.ticketKeys = ticketKeys;
		if (ticketKeys == null) {
			this.disconnections = List.of(cache.onInvalidateAll(this.ends::incrementAndGet));
		}
		else {
			awaitEnd(ticketKeys);
			this.disconnections = List.of(cache.onInvalidateAll(ticketKeys::invalidateAll),
					ticketKeys.onRemoteEnd(cache::invalidateAllHere));
		}
	}

	/**
	 * Counts an end together with the change of the keys, before anyone can subscribe to
	 * the new ones.
	 */
	private void awaitEnd(TicketKeySource ticketKeys) {
		this.unsubscription = ticketKeys.subscribe((keys) -> {
			if (keys.isEmpty()) {
				this.ends.incrementAndGet();
				awaitEnd(ticketKeys);
			}
		});
	}

	/**
	 * Hands out tickets.
	 * @param cache holds the sessions of clients that take no tickets
	 * @param ticketKeys the source of the keys
	 * @return sessions in tickets
	 */
	public static BoringSslSessions inTickets(SslSessionCache cache, TicketKeySource ticketKeys) {
		return new BoringSslSessions(cache, Objects.requireNonNull(ticketKeys, "ticketKeys must not be null"));
	}

	/**
	 * Hands out no tickets, so that the cache decides which sessions resume.
	 * @param cache holds all sessions that can be resumed, which are of TLS 1.2
	 * @return sessions in the cache
	 */
	public static BoringSslSessions inCache(SslSessionCache cache) {
		return new BoringSslSessions(cache, null);
	}

	/**
	 * Takes the sessions out of the cache, which releases their memory. To be called
	 * after the servers have stopped.
	 */
	@Override
	public void close() {
		this.disconnections.forEach(Runnable::run);
		this.unsubscription.run();
		this.cache.cleanUp();
		Collections.list(this.cache.getIds()).forEach(this.cache::remove);
	}

	SslSessionCache cache() {
		return this.cache;
	}

	/**
	 * Returns a supplier that is {@code true} until the next end of all sessions.
	 */
	BooleanSupplier untilTheEnd() {
		long before = this.ends.get();
		return () -> this.ends.get() == before;
	}

	/**
	 * Enables resumption for a new context until the next end of all sessions.
	 * @param context the context
	 * @param current whether that end has not come
	 * @return disconnects the context from the keys, before it is released
	 */
	Runnable connect(ReferenceCountedOpenSslContext context, BooleanSupplier current) {
		NativeAccess.setSessionCache(context, new SessionStore(this.cache, current));
		context.sessionContext().setSessionCacheEnabled(true);
		if (this.ticketKeys == null) {
			return () -> {
			};
		}
		return this.ticketKeys.subscribe((keys) -> context.sessionContext()
			.setTicketKeys(current.getAsBoolean() ? convert(keys) : convert(List.of(TicketKey.generate(this.random)))));
	}

	private static OpenSslSessionTicketKey[] convert(List<TicketKey> keys) {
		return keys.stream()
			.map((key) -> new OpenSslSessionTicketKey(key.name(), key.hmacKey(), key.aesKey()))
			.toArray(OpenSslSessionTicketKey[]::new);
	}

	/**
	 * Has a new connection give no ticket, if that is so: Netty gives them with TLS 1.3
	 * whatever its context says.
	 * @param ssl the connection
	 */
	void configure(long ssl) {
		if (this.ticketKeys == null) {
			SSL.setOptions(ssl, SSL.SSL_OP_NO_TICKET);
		}
	}

}
