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

package dev.uncontended.tls.session;

import java.io.IOException;
import java.net.InetAddress;
import java.nio.file.Path;
import java.util.Collections;
import java.util.concurrent.CompletableFuture;

import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLServerSocket;
import javax.net.ssl.SSLSession;
import javax.net.ssl.SSLSessionContext;
import javax.net.ssl.SSLSocket;

import dev.uncontended.tls.TestKeyStore;
import dev.uncontended.tls.session.internal.Lineages;
import dev.uncontended.tls.session.internal.TestSessions;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatNullPointerException;

/**
 * Tests for the common contract of {@link SslSessionCache} and JSSE's
 * {@link SSLSessionContext}, with sessions of real handshakes.
 */
@Tag("integration")
class SslSessionContextContractTests {

	@TempDir
	private static Path directory;

	private static TestKeyStore keyStore;

	@BeforeAll
	static void createKeyStore() {
		keyStore = TestKeyStore.create(directory.resolve("test.p12"), "localhost");
	}

	@ParameterizedTest
	@EnumSource
	void returnsSessionById(Kind kind) throws Exception {
		SSLSession session = handshake(keyStore.sslContext(keyStore));
		SSLSessionContext context = kind.contextOf(session);
		assertThat(context.getSession(session.getId())).isSameAs(session);
		assertThat(context.getSession(new byte[] { 1 })).isNull();
		assertThat(Collections.list(context.getIds())).containsExactly(session.getId());
	}

	@ParameterizedTest
	@EnumSource
	void timedOutSessionIsNotReturnedAgain(Kind kind) throws Exception {
		SSLSession session = handshake(keyStore.sslContext(keyStore));
		SSLSessionContext context = kind.contextOf(session);
		context.setSessionTimeout(1);
		assertThat(context.getSessionTimeout()).isOne();
		Awaitility.await().until(() -> context.getSession(session.getId()) == null);
		// The engines measure a timeout by other clocks than the creation time.
		long age = System.currentTimeMillis() - session.getCreationTime();
		assertThat(age).isGreaterThanOrEqualTo(900);
		context.setSessionTimeout(86_400);
		assertThat(context.getSession(session.getId())).isNull();
		assertThat(context.getIds().hasMoreElements()).isFalse();
	}

	@ParameterizedTest
	@EnumSource
	void invalidatedSessionIsNotReturned(Kind kind) throws Exception {
		SSLSession session = handshake(keyStore.sslContext(keyStore));
		SSLSessionContext context = kind.contextOf(session);
		session.invalidate();
		assertThat(context.getSession(session.getId())).isNull();
		assertThat(context.getIds().hasMoreElements()).isFalse();
	}

	@ParameterizedTest
	@EnumSource
	@SuppressWarnings("NullAway") // Tests missing checks
	void defaultsAndLimitsAreEqual(Kind kind) throws Exception {
		SSLSessionContext context = kind.contextOf(handshake(keyStore.sslContext(keyStore)));
		assertThat(context.getSessionTimeout()).isEqualTo(86_400);
		assertThat(context.getSessionCacheSize()).isEqualTo(20_480);
		assertThatNullPointerException().isThrownBy(() -> context.getSession(null));
		assertThatIllegalArgumentException().isThrownBy(() -> context.setSessionTimeout(-1));
		assertThatIllegalArgumentException().isThrownBy(() -> context.setSessionCacheSize(-1));
		context.setSessionTimeout(0);
		context.setSessionCacheSize(0);
		assertThat(context.getSessionTimeout()).isZero();
		assertThat(context.getSessionCacheSize()).isZero();
	}

	/**
	 * Makes a TLS 1.2 handshake and returns the client's session.
	 */
	private static SSLSession handshake(SSLContext context) throws IOException {
		try (SSLServerSocket server = (SSLServerSocket) context.getServerSocketFactory()
			.createServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
			CompletableFuture<Void> accepted = CompletableFuture.runAsync(() -> accept(server));
			try (SSLSocket client = (SSLSocket) context.getSocketFactory()
				.createSocket(server.getInetAddress(), server.getLocalPort())) {
				client.setEnabledProtocols(new String[] { "TLSv1.2" });
				client.startHandshake();
				SSLSession session = client.getSession();
				accepted.join();
				return session;
			}
		}
	}

	private static void accept(SSLServerSocket server) {
		try (SSLSocket socket = (SSLSocket) server.accept()) {
			socket.startHandshake();
		}
		catch (IOException ex) {
			throw new IllegalStateException(ex);
		}
	}

	enum Kind {

		JSSE {

			@Override
			SSLSessionContext contextOf(SSLSession session) {
				return session.getSessionContext();
			}

		},

		UNCONTENDED {

			@Override
			SSLSessionContext contextOf(SSLSession session) {
				Lineages cache = TestSessions.cache();
				TestSessions.put(cache, session);
				return cache;
			}

		};

		abstract SSLSessionContext contextOf(SSLSession session);

	}

}
