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

import java.nio.file.Path;
import java.security.cert.X509Certificate;
import java.util.List;

import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManager;
import javax.net.ssl.X509TrustManager;

import dev.uncontended.tls.TestKeyStore;
import dev.uncontended.tls.engine.RenewableSslContext;
import dev.uncontended.tls.handshake.TlsHandshakes;
import dev.uncontended.tls.handshake.TlsServerId;
import dev.uncontended.tls.server.TlsServers;
import dev.uncontended.tls.session.internal.SessionTokens;
import dev.uncontended.tls.session.internal.TestSessions;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for ends of all sessions between the steps of a connection.
 */
class SessionEndTests {

	@TempDir
	static Path directory;

	static TestKeyStore server;

	private final TestTicketKeys keys = new TestTicketKeys();

	private final SessionTokens cache = TestSessions.cache();

	private RenewableSslContext context;

	private final Client client = new Client();

	@BeforeAll
	static void createKeyStore() {
		server = TestKeyStore.create(directory.resolve("server.p12"), "server.test");
	}

	@ParameterizedTest
	@ValueSource(strings = { "TLSv1.2", "TLSv1.3" })
	void connectionFromBeforeEndMakesFullHandshakeAfterIt(String protocol) throws Exception {
		SSLContext clients = this.client.context(protocol);
		assertThat(resumes(pair(clients))).isFalse();
		assertThat(resumes(pair(clients))).isTrue();
		EnginePair opened = pair(clients);
		EnginePair openedToo = pair(clients);
		this.cache.endAll();
		assertThat(resumes(opened)).isFalse();
		this.keys.endFromAnotherNode();
		assertThat(resumes(openedToo)).isFalse();
		resumes(pair(clients));
		assertThat(resumes(pair(clients))).isTrue();
	}

	@ParameterizedTest
	@ValueSource(strings = { "TLSv1.2", "TLSv1.3" })
	void handshakeDuringEndLeavesNoUsableTicket(String protocol) throws Exception {
		SSLContext clients = this.client.context(protocol);
		this.client.inTheHandshake = this.cache::endAll;
		assertThat(resumes(pair(clients))).isFalse();
		this.client.inTheHandshake = this.keys::endFromAnotherNode;
		assertThat(resumes(pair(clients))).isFalse();
		this.client.inTheHandshake = () -> {
		};
		assertThat(resumes(pair(clients))).isFalse();
		assertThat(resumes(pair(clients))).isTrue();
	}

	@BeforeEach
	void createContext() throws Exception {
		BoringSslSessions sessions = new BoringSslSessions(this.cache, this.keys.keys());
		this.context = new TlsServers(this.cache, new TlsHandshakes()).createContext(
				new BoringSslTlsEngine(sessions, List.of()).forHost("host"), "TLS",
				new TlsServerId("test", TlsServerId.Context.APPLICATION));
		this.context.engineInit(Contexts.keyManagers(server), Contexts.trustManagers(server), null);
	}

	private EnginePair pair(SSLContext clients) {
		return new EnginePair(clients.createSSLEngine("server.test", 443), this.context.engineCreateSSLEngine());
	}

	private boolean resumes(EnginePair pair) throws Exception {
		this.client.full = false;
		pair.handshake();
		// Reads the tickets.
		assertThat(pair.toClient("hello")).isEqualTo("hello");
		return !this.client.full;
	}

	private static final class Client implements X509TrustManager {

		private Runnable inTheHandshake = () -> {
		};

		private boolean full;

		SSLContext context(String protocol) throws Exception {
			SSLContext context = SSLContext.getInstance(protocol);
			context.init(null, new TrustManager[] { this }, null);
			return context;
		}

		@Override
		public void checkServerTrusted(X509Certificate[] chain, String authType) {
			this.full = true;
			this.inTheHandshake.run();
		}

		@Override
		public void checkClientTrusted(X509Certificate[] chain, String authType) {
		}

		@Override
		public X509Certificate[] getAcceptedIssuers() {
			return new X509Certificate[0];
		}

	}

}
