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
import java.util.ArrayList;
import java.util.List;

import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.SSLEngineResult.HandshakeStatus;
import javax.net.ssl.SSLException;
import javax.net.ssl.SSLParameters;
import javax.net.ssl.SSLSession;

import dev.uncontended.tls.InMemoryHandshake;
import dev.uncontended.tls.TestKeyStore;
import dev.uncontended.tls.engine.RenewableSslContext;
import dev.uncontended.tls.handshake.TlsHandshakes;
import dev.uncontended.tls.handshake.TlsServerId;
import dev.uncontended.tls.session.internal.SessionTokens;
import dev.uncontended.tls.session.internal.TestSessions;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;
import static org.mockito.AdditionalAnswers.delegatesTo;
import static org.mockito.ArgumentMatchers.any;
import static org.mockito.ArgumentMatchers.anyInt;
import static org.mockito.BDDMockito.given;
import static org.mockito.BDDMockito.willAnswer;
import static org.mockito.Mockito.mock;

/**
 * Tests for failures and closes during the replacement of an SSL engine by
 * {@link TokenHandshake}, and for the modes of {@link JdkSslEngine}.
 */
@Tag("integration")
class EngineReplacementTests {

	private final SessionTokens cache = TestSessions.cache();

	private final TlsHandshakes handshakes = new TlsHandshakes();

	private SSLContext client;

	private RenewableSslContext context;

	/** Runs when an SSL engine of the JDK is created. */
	private Runnable creation = () -> {
	};

	@BeforeEach
	void createContext(@TempDir Path directory) throws Exception {
		TestKeyStore keyStore = TestKeyStore.create(directory.resolve("server.p12"), "localhost");
		this.client = keyStore.sslContext(keyStore);
		SSLContext jdk = keyStore.sslContext(keyStore);
		SSLContext server = mock(SSLContext.class);
		given(server.getProvider()).willReturn(jdk.getProvider());
		given(server.getServerSessionContext()).willReturn(jdk.getServerSessionContext());
		given(server.createSSLEngine(any(), anyInt())).willAnswer((invocation) -> {
			this.creation.run();
			return jdk.createSSLEngine(invocation.getArgument(0), invocation.getArgument(1));
		});
		this.context = new RenewableSslContext(
				(protocol, keys, trust, random) -> new JdkContext(server, JdkGroups.DEFAULT, this.cache), "TLS",
				new TlsServerId("test", TlsServerId.Context.APPLICATION), this.handshakes);
		this.context.engineInit(null, null, null);
	}

	private SSLEngine clientEngine() {
		return this.client.createSSLEngine("server", 1);
	}

	private SSLSession connect() throws Exception {
		SSLEngine server = this.context.engineCreateSSLEngine();
		InMemoryHandshake.run(clientEngine(), server);
		return server.getSession();
	}

	private static Long token(SSLSession session) {
		Long token = SessionTokens.tokenOf(session);
		assertThat(token).isNotNull();
		return token;
	}

	/*
	 * Servers close an SSL engine that has failed, and send its last records.
	 */
	@Test
	void sessionsEndAfterFailedReplacement() throws Exception {
		Long token = token(connect());
		this.cache.remove(token);
		SSLEngine server = this.context.engineCreateSSLEngine();
		this.creation = () -> {
			throw new IllegalStateException("of the test");
		};
		assertThatIllegalStateException().isThrownBy(() -> InMemoryHandshake.run(clientEngine(), server))
			.withMessage("of the test");
		this.creation = () -> {
		};
		server.closeOutbound();
		assertCloses(server);
		assertThat(this.context.sessions()).isEqualTo("limited by the session cache");
		assertThat(token(connect())).isNotEqualTo(token);
	}

	@Test
	void connectionClosedBeforeReplacementStaysClosed() throws Exception {
		this.cache.remove(token(connect()));
		SSLEngine server = readHello();
		server.closeOutbound();
		assertCloses(server);
	}

	@Test
	void connectionClosedDuringReplacementStaysClosed() throws Exception {
		this.cache.remove(token(connect()));
		SSLEngine server = readHello();
		this.creation = server::closeOutbound;
		assertCloses(server);
	}

	private SSLEngine readHello() throws SSLException {
		SSLEngine client = clientEngine();
		client.setUseClientMode(true);
		ByteBuffer hello = ByteBuffer.allocate(1 << 15);
		client.wrap(ByteBuffer.allocate(0), hello);
		SSLEngine server = this.context.engineCreateSSLEngine();
		server.setUseClientMode(false);
		server.unwrap(hello.flip(), ByteBuffer.allocate(1 << 15));
		runTasks(server);
		return server;
	}

	private static void assertCloses(SSLEngine server) throws SSLException {
		for (int i = 0; i < 10 && !server.isOutboundDone(); i++) {
			ByteBuffer sent = ByteBuffer.allocate(1 << 15);
			server.wrap(ByteBuffer.allocate(0), sent);
			assertThat(sent.flip().hasRemaining() ? sent.get() : -1).isNotEqualTo((byte) 22);
			if (server.getHandshakeStatus() == HandshakeStatus.NEED_TASK) {
				runTasks(server);
			}
		}
		assertThat(server.isOutboundDone()).isTrue();
	}

	private static void runTasks(SSLEngine engine) {
		for (Runnable task; (task = engine.getDelegatedTask()) != null;) {
			task.run();
		}
	}

	@Test
	void tasksThatRunAgainChangeNothing() throws Exception {
		Long ended = token(connect());
		this.cache.remove(ended);
		SSLEngine server = this.context.engineCreateSSLEngine();
		List<Runnable> tasks = new ArrayList<>();
		SSLEngine repeating = mock(SSLEngine.class, delegatesTo(server));
		willAnswer((invocation) -> {
			tasks.add(server.getDelegatedTask());
			return (Runnable) () -> tasks.forEach(Runnable::run);
		}).given(repeating).getDelegatedTask();
		InMemoryHandshake.run(clientEngine(), repeating);
		tasks.forEach(Runnable::run);
		assertThat(tasks).hasSizeGreaterThan(1);
		Long token = token(server.getSession());
		assertThat(token).isNotEqualTo(ended);
		assertThat(token(connect())).isEqualTo(token);
	}

	@Test
	void sessionOfServerThatWasClientEnds() throws Exception {
		Long token = token(connectAfterClientMode());
		assertThat(token(connectAfterClientMode())).isEqualTo(token);
		this.cache.endAll();
		assertThat(token(connectAfterClientMode())).isNotEqualTo(token);
	}

	private SSLSession connectAfterClientMode() throws Exception {
		SSLEngine server = this.context.engineCreateSSLEngine("client", 1);
		server.setNeedClientAuth(true);
		server.setUseClientMode(true);
		InMemoryHandshake.run(clientEngine(), server);
		assertThat(server.getNeedClientAuth()).isTrue();
		return server.getSession();
	}

	/*
	 * Jetty creates SSL engines with the client's host.
	 */
	@Test
	void serverCanCompareClientCertificateWithHost() throws Exception {
		assertThatExceptionOfType(SSLException.class).isThrownBy(() -> connectIdentified("other"));
		assertThat(connectIdentified("localhost").getPeerCertificates()).hasSize(1);
	}

	@Test
	void endReplacesContextOfIdentifiedClients() throws Exception {
		connectIdentified("localhost");
		assertThat(this.context.sessions()).isEqualTo("outside the session cache");
		Object before = this.context.current();
		this.cache.endAll();
		assertThat(this.context.current()).isNotSameAs(before);
	}

	private SSLSession connectIdentified(String host) throws Exception {
		SSLEngine server = this.context.engineCreateSSLEngine(host, 1);
		server.setNeedClientAuth(true);
		SSLParameters parameters = server.getSSLParameters();
		parameters.setEndpointIdentificationAlgorithm("HTTPS");
		server.setSSLParameters(parameters);
		InMemoryHandshake.run(clientEngine(), server);
		return server.getSession();
	}

}
