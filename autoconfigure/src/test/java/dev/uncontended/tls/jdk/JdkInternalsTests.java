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

import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.SSLEngineResult.HandshakeStatus;
import javax.net.ssl.SSLException;
import javax.net.ssl.SSLParameters;
import javax.net.ssl.SSLSession;

import dev.uncontended.tls.InMemoryHandshake;
import dev.uncontended.tls.StatefulSessions;
import dev.uncontended.tls.TestKeyStore;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.CsvSource;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for what {@link TokenHandshake} relies on in the JDK, without this project's
 * classes. Of the JDK's sources, see <a href=
 * "https://github.com/openjdk/jdk/blob/jdk-25%2B36/src/java.base/share/classes/sun/security/ssl/SSLSessionImpl.java#L262-L330">SSLSessionImpl</a>,
 * which lists the fields of a ticket, and <a href=
 * "https://github.com/openjdk/jdk/blob/jdk-25%2B36/src/java.base/share/classes/sun/security/ssl/PreSharedKeyExtension.java#L477-L492">PreSharedKeyExtension</a>,
 * which compares the endpoint identification algorithms.
 */
@ParameterizedClass
@CsvSource({ "TLSv1.2, false", "TLSv1.2, true", "TLSv1.3, false", "TLSv1.3, true" })
@Tag("integration")
class JdkInternalsTests {

	private final String protocol;

	private final boolean stateful;

	private SSLContext context;

	JdkInternalsTests(String protocol, boolean stateful) {
		this.protocol = protocol;
		this.stateful = stateful;
	}

	@BeforeEach
	void createContext(@TempDir Path directory) {
		TestKeyStore keyStore = TestKeyStore.create(directory.resolve("server.p12"), "localhost");
		this.context = StatefulSessions.call(this.stateful, () -> keyStore.sslContext(keyStore));
	}

	@Test
	void resumedSessionsHaveHostOfFullHandshake() throws Exception {
		assertThat(handshake("first", null).getPeerHost()).isEqualTo("first");
		assertThat(handshake("second", null).getPeerHost()).isEqualTo("first");
		assertThat(handshake("third", null).getPeerHost()).isEqualTo("first");
	}

	@Test
	void sessionDoesNotResumeUnderOtherIdentificationAlgorithm() throws Exception {
		handshake("first", null);
		assertThat(handshake("second", "none").getPeerHost()).isEqualTo("second");
	}

	@Test
	void sessionWithIdentificationAlgorithmResumesWithoutOne() throws Exception {
		handshake("first", "none");
		assertThat(handshake("second", null).getPeerHost()).isEqualTo("first");
	}

	@Test
	void emptyIdentificationAlgorithmReplacesAnother() {
		SSLEngine engine = this.context.createSSLEngine();
		SSLParameters parameters = engine.getSSLParameters();
		parameters.setEndpointIdentificationAlgorithm("none");
		engine.setSSLParameters(parameters);
		parameters.setEndpointIdentificationAlgorithm("");
		engine.setSSLParameters(parameters);
		assertThat(engine.getSSLParameters().getEndpointIdentificationAlgorithm()).isEmpty();
	}

	@Test
	void sessionIsKnownBeforeServerHelloLeaves() throws Exception {
		handshake("first", null);
		SSLEngine client = client();
		SSLEngine server = server("second", null);
		client.beginHandshake();
		ByteBuffer hello = ByteBuffer.allocate(1 << 15);
		client.wrap(ByteBuffer.allocate(0), hello);
		server.unwrap(hello.flip(), ByteBuffer.allocate(1 << 15));
		server.getDelegatedTask().run();
		assertThat(server.getHandshakeStatus()).isEqualTo(HandshakeStatus.NEED_WRAP);
		assertThat(server.getHandshakeSession().getPeerHost()).isEqualTo("first");
	}

	private SSLSession handshake(String host, @Nullable String algorithm) throws SSLException {
		SSLEngine server = server(host, algorithm);
		InMemoryHandshake.run(client(), server);
		return server.getSession();
	}

	private SSLEngine client() {
		SSLEngine client = this.context.createSSLEngine("localhost", 1);
		client.setUseClientMode(true);
		client.setEnabledProtocols(new String[] { this.protocol });
		return client;
	}

	private SSLEngine server(String host, @Nullable String algorithm) {
		SSLEngine server = this.context.createSSLEngine(host, -1);
		server.setUseClientMode(false);
		SSLParameters parameters = server.getSSLParameters();
		parameters.setEndpointIdentificationAlgorithm(algorithm);
		server.setSSLParameters(parameters);
		return server;
	}

}
