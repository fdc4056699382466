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

import javax.net.ssl.KeyManager;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLEngine;
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
import dev.uncontended.tls.session.internal.Lineages;
import org.jspecify.annotations.Nullable;

/**
 * A server with the JDK's engine and its clients, connected in memory by the calling
 * thread. Each client is a number.
 */
final class InMemoryServer {

	final TlsHandshakes handshakes = new TlsHandshakes();

	private final Lineages cache;

	private final TestKeyStore keyStore;

	private final boolean stateful;

	private final String protocol;

	private final ThreadLocal<TlsHandshake> last = new ThreadLocal<>();

	/** Has the sessions of all clients, by client number. */
	private final SSLContext clients;

	private volatile RenewableSslContext context;

	InMemoryServer(Lineages cache, Path directory, boolean stateful, String protocol) throws GeneralSecurityException {
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

		});
	}

	private RenewableSslContext createContext() throws GeneralSecurityException {
		KeyManagerFactory keys = KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
		keys.init(this.keyStore.keyStore(), TestKeyStore.PASSWORD.toCharArray());
		TrustManagerFactory trust = TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
		trust.init(this.keyStore.keyStore());
		RenewableSslContext context = new RenewableSslContext(this::createJdkContext, "TLS",
				new TlsServerId("test", TlsServerId.Context.APPLICATION), this.handshakes, this.cache);
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
				() -> new JdkTlsEngine(this.cache, false, List.of()).createContext(name, keys, trust, random));
	}

	/**
	 * Replaces the SSL context, as servers do when a bundle is reloaded.
	 */
	void reload() throws GeneralSecurityException {
		this.context = createContext();
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
	 * Removes the sessions of clients, which keep those that they have used.
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
		return connect(this.clients.createSSLEngine("client", client), afterHello);
	}

	boolean connect(SSLEngine client, Runnable afterHello) throws SSLException {
		return new Connection(client).run(afterHello).resumed();
	}

	Connection open(int client) {
		return new Connection(this.clients.createSSLEngine("client", client));
	}

	/**
	 * A connection, with a response after the handshake.
	 */
	final class Connection {

		private final SSLEngine client;

		final SSLEngine server = InMemoryServer.this.context.engineCreateSSLEngine();

		private final ByteBuffer toServer = ByteBuffer.allocate(1 << 16);

		private final ByteBuffer toClient = ByteBuffer.allocate(1 << 16);

		private final ByteBuffer data = ByteBuffer.allocate(1 << 15);

		private @Nullable TlsHandshake handshake;

		Connection(SSLEngine client) {
			this.client = client;
		}

		Connection run(Runnable afterHello) throws SSLException {
			InMemoryServer.this.last.remove();
			start();
			afterHello.run();
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
			// Reads the ClientHello, and runs the task that may resume a session.
			step(this.server, this.toServer, this.toClient);
			step(this.server, this.toServer, this.toClient);
		}

		/**
		 * Presents a ticket in place of the client's. The server would reject its binder,
		 * which it verifies only to resume.
		 */
		HandshakeStatus present(byte[] ticket) throws SSLException {
			this.client.setUseClientMode(true);
			this.client.setEnabledProtocols(new String[] { InMemoryServer.this.protocol });
			this.server.setUseClientMode(false);
			this.client.beginHandshake();
			move(this.client, this.toClient, this.toServer);
			byte[] hello = Arrays.copyOf(this.toServer.array(), this.toServer.position());
			// The identity is followed by its age, and one binder of 32 or 48 bytes.
			int binder = (hello[hello.length - 33] == 32) ? 32 : 48;
			System.arraycopy(ticket, 0, hello, hello.length - binder - 3 - 4 - 32, 32);
			this.toServer.clear().put(hello);
			step(this.server, this.toServer, this.toClient);
			step(this.server, this.toServer, this.toClient);
			return this.server.getHandshakeStatus();
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
				return engine.wrap(ByteBuffer.allocate(0), out).bytesProduced() > 0;
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
