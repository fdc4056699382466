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

package dev.uncontended.tls.jdk;

import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.SecureRandom;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;

import javax.net.ssl.KeyManager;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.SSLEngineResult;
import javax.net.ssl.SSLEngineResult.HandshakeStatus;
import javax.net.ssl.SSLException;
import javax.net.ssl.SSLSessionContext;
import javax.net.ssl.TrustManager;
import javax.net.ssl.TrustManagerFactory;

import dev.uncontended.tls.StatefulSessions;
import dev.uncontended.tls.TestKeyStore;
import dev.uncontended.tls.engine.RenewableSslContext;
import dev.uncontended.tls.engine.TlsEngine;
import dev.uncontended.tls.handshake.TlsHandshake;
import dev.uncontended.tls.handshake.TlsHandshakeListener;
import dev.uncontended.tls.handshake.TlsHandshakes;
import dev.uncontended.tls.handshake.TlsServerId;
import dev.uncontended.tls.session.internal.SessionTokens;
import org.jspecify.annotations.Nullable;

/**
 * A server with the JDK's engine and its clients, connected in memory by the calling
 * thread. Each client is a number.
 */
final class InMemoryServer {

	final TlsHandshakes handshakes = new TlsHandshakes();

	private final SessionTokens cache;

	private final TestKeyStore keyStore;

	private final boolean stateful;

	private final String protocol;

	private final AtomicInteger retried = new AtomicInteger();

	private final ThreadLocal<TlsHandshake> last = new ThreadLocal<>();

	/** Has the sessions of all clients, by client number. */
	private final SSLContext clients;

	private volatile RenewableSslContext context;

	InMemoryServer(SessionTokens cache, Path directory, boolean stateful, String protocol)
			throws GeneralSecurityException {
		this.cache = cache;
		this.keyStore = TestKeyStore.create(directory.resolve("server.p12"), "localhost");
		this.stateful = stateful;
		this.protocol = protocol;
		this.clients = this.keyStore.sslContext(this.keyStore);
		this.clients.getClientSessionContext().setSessionCacheSize(0);
		this.context = createContext();
		this.handshakes.addListener(new TlsHandshakeListener() {

			@Override
			public void completed(TlsHandshake handshake) {
				InMemoryServer.this.last.set(handshake);
			}

			@Override
			public void retried(TlsServerId server) {
				InMemoryServer.this.retried.incrementAndGet();
			}

		});
	}

	private RenewableSslContext createContext() throws GeneralSecurityException {
		KeyManagerFactory keys = KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
		keys.init(this.keyStore.keyStore(), TestKeyStore.PASSWORD.toCharArray());
		TrustManagerFactory trust = TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
		trust.init(this.keyStore.keyStore());
		RenewableSslContext context = new RenewableSslContext(this::createJdkContext, "TLS",
				new TlsServerId("test", TlsServerId.Context.APPLICATION), this.handshakes);
		context.engineInit(keys.getKeyManagers(), trust.getTrustManagers(), null);
		return context;
	}

	/*
	 * The JDK reads the property with each new context, also with the one that replaces a
	 * context after an end of all sessions.
	 */
	private TlsEngine.Context createJdkContext(String name, KeyManager @Nullable [] keys,
			TrustManager @Nullable [] trust, @Nullable SecureRandom random) {
		return StatefulSessions.call(this.stateful,
				() -> new JdkTlsEngine(this.cache, List.of()).createContext(name, keys, trust, random));
	}

	/**
	 * Replaces the SSL context, as servers do when a bundle is reloaded.
	 */
	void reload() throws GeneralSecurityException {
		this.context = createContext();
	}

	/**
	 * Returns the number of HelloRetryRequests.
	 */
	int retried() {
		return this.retried.get();
	}

	RenewableSslContext context() {
		return this.context;
	}

	/**
	 * Returns the number of sessions that the JDK stores.
	 */
	int storedByJdk() {
		return Collections.list(jdkStore().getIds()).size();
	}

	SSLSessionContext jdkStore() {
		return this.context.current().sslContext().getServerSessionContext();
	}

	/**
	 * Removes the sessions of clients.
	 */
	void forgetClients() {
		this.clients.getClientSessionContext().setSessionCacheSize(1);
	}

	/**
	 * Returns whether the connection resumed a session.
	 */
	boolean connect(int client) throws SSLException {
		return connect(client, () -> {
		});
	}

	boolean connect(int client, Runnable afterHello) throws SSLException {
		return open(client).run(afterHello).resumed();
	}

	Connection open(int client) {
		return open(client(client));
	}

	Connection open(SSLEngine client) {
		return new Connection(client, this.context.engineCreateSSLEngine());
	}

	SSLEngine client(int client) {
		return this.clients.createSSLEngine("client", client);
	}

	/**
	 * A connection, with a response after the handshake.
	 */
	final class Connection {

		final SSLEngine client;

		final SSLEngine server;

		private final ByteBuffer toServer = ByteBuffer.allocate(1 << 16);

		private final ByteBuffer toClient = ByteBuffer.allocate(1 << 16);

		private final ByteBuffer data = ByteBuffer.allocate(1 << 15);

		private @Nullable TlsHandshake handshake;

		boolean fragmented;

		Connection(SSLEngine client, SSLEngine server) {
			this.client = client;
			this.server = server;
		}

		Connection run() throws SSLException {
			return run(() -> {
			});
		}

		/**
		 * Completes the handshake.
		 * @param afterDecision runs after the server has read the ClientHello and
		 * decided, and before the client gets its answer
		 */
		Connection run(Runnable afterDecision) throws SSLException {
			InMemoryServer.this.last.remove();
			start();
			step(this.server, this.toServer, this.toClient);
			step(this.server, this.toServer, this.toClient);
			step(this.server, this.toServer, this.toClient);
			afterDecision.run();
			exchange();
			respond();
			this.handshake = InMemoryServer.this.last.get();
			return this;
		}

		private void start() throws SSLException {
			this.client.setUseClientMode(true);
			this.client.setEnabledProtocols(new String[] { InMemoryServer.this.protocol });
			this.server.setUseClientMode(false);
			this.client.beginHandshake();
			move(this.client, this.toClient, this.toServer);
			if (this.fragmented) {
				split(this.toServer);
			}
		}

		/** Splits the only record into records of one byte and the rest. */
		private static void split(ByteBuffer records) {
			byte[] message = Arrays.copyOfRange(records.array(), 5, records.position());
			byte[] header = Arrays.copyOf(records.array(), 3);
			records.clear();
			records.put(header).putShort((short) 1).put(message, 0, 1);
			records.put(header).putShort((short) (message.length - 1)).put(message, 1, message.length - 1);
		}

		/**
		 * Calls wrap after the ClientHello, before its task has run.
		 */
		SSLEngineResult wrapBeforeTask() throws SSLException {
			start();
			step(this.server, this.toServer, this.toClient);
			return this.server.wrap(ByteBuffer.allocate(0), this.toClient);
		}

		/**
		 * Makes a full handshake up to the client's Finished, and closes the server.
		 */
		void disappear() throws SSLException {
			start();
			move(this.server, this.toServer, this.toClient);
			move(this.client, this.toClient, this.toServer);
			while (this.server.getHandshakeStatus() != HandshakeStatus.NEED_WRAP) {
				step(this.server, this.toServer, this.toClient);
			}
			this.server.closeOutbound();
		}

		void respond() throws SSLException {
			this.server.wrap(ByteBuffer.wrap(new byte[1]), this.toClient);
			exchange();
		}

		boolean resumed() {
			if (this.handshake == null) {
				throw new IllegalStateException("The handshake has not been reported");
			}
			return this.handshake.resumed();
		}

		private void exchange() throws SSLException {
			while (move(this.client, this.toClient, this.toServer) | move(this.server, this.toServer, this.toClient)) {
				// More data may follow.
			}
		}

		private boolean move(SSLEngine engine, ByteBuffer in, ByteBuffer out) throws SSLException {
			boolean moved = false;
			while (step(engine, in, out)) {
				moved = true;
			}
			return moved;
		}

		private boolean step(SSLEngine engine, ByteBuffer in, ByteBuffer out) throws SSLException {
			HandshakeStatus status = engine.getHandshakeStatus();
			if (status == HandshakeStatus.NEED_TASK) {
				for (Runnable task; (task = engine.getDelegatedTask()) != null;) {
					task.run();
				}
				return true;
			}
			if (status == HandshakeStatus.NEED_WRAP) {
				SSLEngineResult result = engine.wrap(ByteBuffer.allocate(0), out);
				return result.bytesProduced() > 0 || result.getHandshakeStatus() == HandshakeStatus.NEED_TASK;
			}
			in.flip();
			try {
				this.data.clear();
				return in.hasRemaining() && engine.unwrap(in, this.data).bytesConsumed() > 0;
			}
			finally {
				in.compact();
			}
		}

	}

}
