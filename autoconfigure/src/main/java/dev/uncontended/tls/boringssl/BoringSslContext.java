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

import java.security.cert.X509Certificate;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Collection;
import java.util.List;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;

import javax.net.ssl.SSLException;
import javax.net.ssl.SSLParameters;
import javax.net.ssl.X509ExtendedTrustManager;
import javax.net.ssl.X509KeyManager;

import dev.uncontended.tls.engine.RenewableSslContext;
import dev.uncontended.tls.engine.TlsEngine;
import dev.uncontended.tls.tickets.TicketKeys;
import io.netty.buffer.ByteBufAllocator;
import io.netty.handler.ssl.ApplicationProtocolConfig;
import io.netty.handler.ssl.ApplicationProtocolConfig.Protocol;
import io.netty.handler.ssl.ApplicationProtocolConfig.SelectedListenerFailureBehavior;
import io.netty.handler.ssl.ApplicationProtocolConfig.SelectorFailureBehavior;
import io.netty.handler.ssl.ClientAuth;
import io.netty.handler.ssl.OpenSslContextOption;
import io.netty.handler.ssl.OpenSslServerSessionContext;
import io.netty.handler.ssl.ReferenceCountedOpenSslContext;
import io.netty.handler.ssl.ReferenceCountedOpenSslEngine;
import io.netty.handler.ssl.SslContextBuilder;
import io.netty.handler.ssl.SslProvider;
import io.netty.internal.tcnative.SSL;
import org.jspecify.annotations.Nullable;

/**
 * Creates {@linkplain BoringSslEngine server engines}, and one native context (Netty's
 * {@link ReferenceCountedOpenSslContext}) for each distinct {@link EngineSettings}.
 * Thread-safe.
 * <p>
 * The native contexts are released after this object has become unreachable. Server
 * engines refer to this object.
 */
final class BoringSslContext implements TlsEngine.Context {

	/** BoringSSL's maximum timeout of a TLS 1.3 session, in seconds. */
	private static final long LONGEST_TIMEOUT = TimeUnit.DAYS.toSeconds(7);

	private final X509KeyManager keyManager;

	private final Supplier<X509ExtendedTrustManager> trustManager;

	private final SessionBinding binding;

	private final BoringSslSessions sessions;

	private final long ends;

	private final EngineParameters defaults;

	private final ConcurrentMap<EngineSettings, Entry> contexts = new ConcurrentHashMap<>();

	/**
	 * Creates a context.
	 * @param trustManager supplies the trust manager if clients authenticate
	 */
	BoringSslContext(X509KeyManager keyManager, Supplier<X509ExtendedTrustManager> trustManager, SessionBinding binding,
			BoringSslSessions sessions, EngineParameters defaults) {
		this.keyManager = keyManager;
		this.trustManager = trustManager;
		this.binding = binding;
		this.sessions = sessions;
		this.ends = sessions.ends();
		this.defaults = defaults;
		Collection<Entry> entries = this.contexts.values();
		BoringSslEngine.cleaner.register(this, () -> entries.forEach(Entry::release));
	}

	EngineParameters defaults() {
		return this.defaults;
	}

	@Override
	public boolean isEnded() {
		return this.sessions.ends() != this.ends;
	}

	@Override
	public BoringSslEngine createEngine(RenewableSslContext owner, @Nullable String peerHost, int peerPort) {
		return new BoringSslEngine(owner, this, peerHost, peerPort);
	}

	@Override
	public SSLParameters defaultParameters() {
		return this.defaults.copy().values();
	}

	@Override
	public SSLParameters supportedParameters() {
		return new SSLParameters(Suites.CIPHER_SUITES.supported(), Suites.PROTOCOLS.supported());
	}

	ReferenceCountedOpenSslEngine createEngine(EngineSettings settings, @Nullable String peerHost, int peerPort)
			throws SSLException {
		Entry entry = prepare(settings);
		entry.keys.refresh();
		return (ReferenceCountedOpenSslEngine) entry.context.newEngine(ByteBufAllocator.DEFAULT, peerHost, peerPort);
	}

	/**
	 * Creates the native context for an engine's settings, if there is none.
	 * @throws SSLException if this fails. The next call retries
	 */
	Entry prepare(EngineSettings settings) throws SSLException {
		try {
			return this.contexts.computeIfAbsent(settings, this::createEntry);
		}
		catch (RuntimeException ex) {
			throw new SSLException("Failed to create a BoringSSL context with " + settings, ex);
		}
	}

	/**
	 * Limits the session of a full handshake to the session timeout and to the validity
	 * of the client's certificate, which a resumption does not check. Must be called
	 * before BoringSSL reads the client's Finished message and creates the tickets.
	 */
	void limitSession(long ssl, @Nullable X509Certificate clientCertificate) {
		if (SSL.isSessionReused(ssl)) {
			return;
		}
		long timeout = this.sessions.timeout();
		if ("TLSv1.3".equals(SSL.getVersion(ssl))) {
			timeout = Math.min(timeout, LONGEST_TIMEOUT);
		}
		if (clientCertificate != null) {
			Instant end = clientCertificate.getNotAfter().toInstant();
			timeout = Math.min(timeout, Math.max(0, Instant.now().until(end, ChronoUnit.SECONDS)));
		}
		SSL.setTimeout(ssl, timeout);
	}

	private Entry createEntry(EngineSettings settings) {
		ReferenceCountedOpenSslContext context = createContext(settings);
		try {
			if (!((OpenSslServerSessionContext) context.sessionContext())
				.setSessionIdContext(this.binding.toSessionIdContext(settings.clientAuth()))) {
				throw new IllegalStateException("Failed to bind sessions of a BoringSSL context");
			}
			return new Entry(context, this.sessions.connect(context, this.ends));
		}
		catch (Throwable ex) {
			context.release();
			throw ex;
		}
	}

	private ReferenceCountedOpenSslContext createContext(EngineSettings settings) {
		SslContextBuilder builder = SslContextBuilder.forServer(new ServerKeyManager(this.keyManager))
			.trustManager(
					new ClientTrustManager((settings.clientAuth() != ClientAuth.NONE) ? this.trustManager.get() : null))
			.sslProvider(SslProvider.OPENSSL_REFCNT)
			.protocols(settings.protocols())
			.ciphers(settings.cipherSuites())
			.clientAuth(settings.clientAuth())
			// A task would hold the native engine's monitor, but not our engine's.
			.option(OpenSslContextOption.USE_TASKS, false)
			.option(OpenSslContextOption.GROUPS, this.defaults.groups().toArray(String[]::new))
			.option(OpenSslContextOption.MAX_CERTIFICATE_LIST_BYTES, 32_768);
		if (!settings.applicationProtocols().isEmpty()) {
			builder.applicationProtocolConfig(
					new ApplicationProtocolConfig(Protocol.ALPN, SelectorFailureBehavior.NO_ADVERTISE,
							SelectedListenerFailureBehavior.ACCEPT, settings.applicationProtocols()));
		}
		try {
			return (ReferenceCountedOpenSslContext) builder.build();
		}
		catch (SSLException ex) {
			throw new IllegalStateException(ex);
		}
	}

	/** The settings shared by all engines of a native context. */
	record EngineSettings(List<String> protocols, List<String> cipherSuites, List<String> applicationProtocols,
			ClientAuth clientAuth) {

	}

	record Entry(ReferenceCountedOpenSslContext context, TicketKeys.Connection keys) {

		/*
		 * Native engines keep their own references to the native context.
		 */
		void release() {
			this.keys.remove();
			this.context.release();
		}

	}

}
