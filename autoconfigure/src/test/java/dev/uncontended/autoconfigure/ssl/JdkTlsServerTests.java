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

package dev.uncontended.autoconfigure.ssl;

import java.net.http.HttpClient;
import java.net.http.HttpResponse;
import java.security.GeneralSecurityException;
import java.security.SecureRandom;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;

import javax.net.ssl.KeyManager;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLSocket;
import javax.net.ssl.TrustManager;

import dev.uncontended.tls.engine.TlsEngine;
import dev.uncontended.tls.jdk.JdkTlsEngine;
import dev.uncontended.tls.server.TlsServers;
import dev.uncontended.tls.session.SslSessionStats;
import org.awaitility.Awaitility;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIf;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for behavior of servers that is specific to the JDK's engine.
 */
@ParameterizedClass
@EnumSource
class JdkTlsServerTests extends AbstractTlsServerTests {

	JdkTlsServerTests(TestServer server) {
		super(server, "jdk");
	}

	@ParameterizedTest
	@ValueSource(strings = { "TLSv1.2", "TLSv1.3" })
	void sessionCacheDecidesWithoutProperty(String protocol) throws Exception {
		start();
		SSLContext client = first.sslContext(protocol, first);
		this.clients.assertConnects(client);
		this.clients.assertConnects(client);
		awaitCounts(protocol, 1, 1);
		assertThat(sessions().stats()).isEqualTo(new SslSessionStats(1, 0, 1, 0, 0, 0));
		assertThat(sessions().estimatedSize()).isOne();
	}

	@ParameterizedTest
	@ValueSource(strings = { "TLSv1.2", "TLSv1.3" })
	void applicationCanEndSessionOfRequest(String protocol) throws Exception {
		start();
		SSLContext client = first.sslContext(protocol, first);
		this.clients.assertConnects(client);
		try (SSLSocket socket = this.clients.connect(client)) {
			String id = TestClients.exchange(socket, "/session");
			assertThat(sessions().remove(HexFormat.of().parseHex(id))).isTrue();
		}
		this.clients.assertConnects(client);
		awaitCounts(protocol, 2, 1);
		assertThat(sessions().stats().invalidations()).isOne();
	}

	@Test
	@EnabledIf("isOpenSslInstalled")
	void clientsWithoutTicketsResumeById() throws Exception {
		start();
		this.clients.assertFull("-tls1_2", "-no_ticket");
		this.clients.assertResumed("-tls1_2", "-no_ticket");
		assertThat(sessions().stats()).isEqualTo(new SslSessionStats(1, 0, 1, 0, 0, 0));
		sessions().endAll();
		this.clients.assertResumesNoLonger("-tls1_2", "-no_ticket");
	}

	@ParameterizedTest
	@ValueSource(strings = { "TLSv1.2", "TLSv1.3" })
	void evictedSessionDoesNotResumeAndItsNewTicketDoes(String protocol) throws Exception {
		start("--uncontended.ssl.session-cache.maximum-size=5");
		SSLContext client = first.sslContext(protocol, first);
		this.clients.assertConnects(client);
		for (int i = 0; i < 10; i++) {
			this.clients.assertConnects(first.sslContext(protocol, first));
		}
		this.clients.assertConnects(client);
		this.clients.assertConnects(client);
		awaitCounts(protocol, 12, 1);
		assertThat(sessions().stats()).isEqualTo(new SslSessionStats(1, 1, 12, 7, 0, 0));
	}

	@ParameterizedTest
	@ValueSource(strings = { "0s", "8d" })
	void clientsResumeWithUnusualTimeout(String timeout) throws Exception {
		start("--uncontended.ssl.session-cache.timeout=" + timeout);
		SSLContext client = first.sslContext("TLSv1.3", first);
		this.clients.assertConnects(client);
		this.clients.assertConnects(client);
		awaitCounts("TLSv1.3", 1, 1);
	}

	@ParameterizedTest
	@ValueSource(strings = { "none", "want", "need" })
	void replacedHandshakeServesHttp2(String clientAuth) throws Exception {
		start("--server.http2.enabled=true", "--server.ssl.client-auth=" + clientAuth);
		SSLContext client = first.sslContext(first);
		for (int i = 0; i < 4; i++) {
			HttpResponse<String> response = this.clients.get(client, HttpClient.Version.HTTP_2);
			assertThat(response.version()).isEqualTo(HttpClient.Version.HTTP_2);
			assertThat(response.body()).isEqualTo("ok");
			sessions().endAll();
		}
		awaitCounts("TLSv1.3", 4, 0);
		assertThat(sessions().stats().misses()).isEqualTo(3);
		assertThat(failed()).isEmpty();
	}

	@Test
	@Tag("product")
	void endsFailNoRequest() throws Exception {
		start();
		AtomicBoolean done = new AtomicBoolean();
		ExecutorService executor = Executors.newFixedThreadPool(6);
		try {
			List<Future<Integer>> clients = new ArrayList<>();
			for (int i = 0; i < 6; i++) {
				String protocol = (i % 2 == 0) ? "TLSv1.3" : "TLSv1.2";
				clients.add(executor.submit(() -> {
					SSLContext client = first.sslContext(protocol, first);
					int requests = 0;
					while (!done.get()) {
						this.clients.assertConnects(client);
						requests++;
					}
					return requests;
				}));
			}
			for (int end = 1; end <= 60; end++) {
				long resumed = sessions().stats().hits();
				Awaitility.await().until(() -> sessions().stats().hits() > resumed);
				sessions().endAll();
			}
			done.set(true);
			for (Future<Integer> client : clients) {
				assertThat(client.get()).isPositive();
			}
		}
		finally {
			done.set(true);
			executor.shutdownNow();
		}
		assertThat(failed()).isEmpty();
		assertThat(sessions().stats().misses()).isGreaterThan(60);
	}

	@Test
	void endReplacesNoContext() throws Exception {
		start();
		assertServes();
		sessions().endAll();
		assertServes();
		assertThat(context().getBean(CountingEngine.class).contexts).hasValue(1);
	}

	@Override
	List<Class<?>> sources() {
		return List.of(CountingEngine.class);
	}

	/**
	 * The JDK's TLS engine, which counts its contexts.
	 */
	static final class CountingEngine implements TlsEngine {

		final AtomicInteger contexts = new AtomicInteger();

		private final TlsEngine jdk;

		CountingEngine(TlsServers servers) {
			this.jdk = new JdkTlsEngine(servers.sessionTokens(), List.of());
		}

		@Override
		public Context createContext(String protocol, KeyManager @Nullable [] keyManagers,
				TrustManager @Nullable [] trustManagers, @Nullable SecureRandom random)
				throws GeneralSecurityException {
			this.contexts.incrementAndGet();
			return this.jdk.createContext(protocol, keyManagers, trustManagers, random);
		}

	}

}
