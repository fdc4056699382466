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

import java.net.Socket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLSocket;

import dev.uncontended.tls.CommandLine;
import dev.uncontended.tls.LiveInstances;
import dev.uncontended.tls.boringssl.BoringSslTlsEngine;
import dev.uncontended.tls.engine.TlsEngine;
import dev.uncontended.tls.handshake.FailedTlsHandshake;
import dev.uncontended.tls.handshake.TlsHandshake;
import dev.uncontended.tls.handshake.TlsHandshakeListener;
import dev.uncontended.tls.jdk.JdkTlsEngine;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIf;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for counts of completed handshakes of real clients.
 */
@EachServerAndEngine
class HandshakeTests extends AbstractTlsServerTests {

	HandshakeTests(TestServer server, String engine) {
		super(server, engine);
	}

	@Test
	@EnabledIf("isOpenSslInstalled")
	void distinguishesResumptionByIdFromFullHandshake() throws Exception {
		assumeJdkEngine();
		share();
		String output = CommandLine.openSslClient(port(), "Q", "-tls1_2", "-no_ticket", "-reconnect");
		assertThat(output).satisfies((text) -> TestClients.assertHandshakes(text, 1, 5));
		awaitCounts("TLSv1.2", 1, 5);
		assertThat(hits()).isEqualTo(5);
	}

	@Test
	@EnabledIf("isOpenSslInstalled")
	void distinguishesResumptionByTicketFromFullHandshake() throws Exception {
		share();
		this.clients.assertFull("-tls1_2");
		this.clients.assertResumed("-tls1_2");
		this.clients.assertResumed("-tls1_2");
		awaitCounts("TLSv1.2", 1, 2);
		assertThat(hits()).isEqualTo(this.engine.equals("jdk") ? 2 : 0);
	}

	@Test
	@EnabledIf("isOpenSslInstalled")
	void distinguishesResumptionByPreSharedKeyFromFullHandshake() throws Exception {
		share();
		this.clients.assertFull("-tls1_3");
		this.clients.assertResumed("-tls1_3");
		this.clients.assertResumed("-tls1_3");
		awaitCounts("TLSv1.3", 1, 2);
		assertThat(hits()).isEqualTo(this.engine.equals("jdk") ? 2 : 0);
	}

	@ParameterizedTest
	@ValueSource(strings = { "TLSv1.2", "TLSv1.3" })
	void countsHandshakesOfJdkClient(String protocol) throws Exception {
		share();
		assertThat(context().getBean(TlsEngine.class))
			.isInstanceOf(this.engine.equals("jdk") ? JdkTlsEngine.class : BoringSslTlsEngine.class);
		SSLContext client = first.sslContext(protocol, first);
		for (int i = 0; i < 3; i++) {
			this.clients.assertConnects(client);
		}
		awaitCounts(protocol, 1, 2);
	}

	@ParameterizedTest
	@ValueSource(strings = { "TLSv1.2", "TLSv1.3" })
	void countsHandshakeBeforeClientSendsData(String protocol) throws Exception {
		share();
		try (SSLSocket socket = this.clients.connect(first.sslContext(protocol, first))) {
			socket.startHandshake();
			awaitCounts(protocol, 1, 0);
		}
	}

	@Test
	void detectsResumptionOnSocketOlderThanSession() throws Exception {
		share();
		SSLContext client = first.sslContext(first);
		try (Socket older = new Socket("localhost", port())) {
			this.clients.assertConnects(client);
			this.clients.assertConnects(client, older);
		}
		awaitCounts("TLSv1.3", 1, 1);
	}

	@Test
	@Tag("product")
	void countsEveryConcurrentHandshake() throws Exception {
		share();
		// The engines that servers of other tests pool.
		String engine = this.engine.equals("jdk") ? "sun.security.ssl.SSLEngineImpl"
				: "io.netty.handler.ssl.ReferenceCountedOpenSslEngine";
		long engines = LiveInstances.count(engine);
		int connections = 32;
		int rounds = 4;
		ExecutorService executor = Executors.newFixedThreadPool(connections);
		try {
			List<Future<?>> results = new ArrayList<>();
			for (int i = 0; i < connections; i++) {
				results.add(executor.submit(() -> {
					for (int round = 0; round < rounds; round++) {
						SSLContext sslContext = first.sslContext(first);
						this.clients.assertConnects(sslContext);
						this.clients.assertConnects(sslContext);
					}
					return null;
				}));
			}
			for (Future<?> result : results) {
				result.get();
			}
		}
		finally {
			executor.shutdownNow();
		}
		awaitCounts("TLSv1.3", connections * rounds, connections * rounds);
		assertThat(handshakes().reportingErrors()).isZero();
		// A server may pool engines for the maximum number of concurrent connections.
		Awaitility.await()
			.untilAsserted(() -> assertThat(LiveInstances.count(engine)).isLessThan(engines + 4 * connections));
	}

	@Test
	@EnabledIf("isCurlInstalled")
	void negotiatesApplicationProtocolIfOffered() throws Exception {
		start("--server.http2.enabled=true");
		assertThat(this.clients.curl("--http2")).isEqualTo("ok 2 200");
		assertThat(this.clients.curl("--http1.1")).isEqualTo("ok 1.1 200");
		assertThat(this.clients.curl("--no-alpn")).isEqualTo("ok 1.1 200");
		assertThat(this.clients.curl("--http2", "--tls-max", "1.2")).isEqualTo("ok 2 200");
	}

	@Test
	void failureToRecordDoesNotFailHandshake() throws Exception {
		start();
		handshakes().addListener(new TlsHandshakeListener() {

			@Override
			public void completed(TlsHandshake handshake) {
				throw new IllegalStateException("broken");
			}

			@Override
			public void failed(FailedTlsHandshake handshake) {
			}

		});
		assertServes();
		Awaitility.await().untilAsserted(() -> assertThat(handshakes().reportingErrors()).isOne());
	}

	@Test
	void doesNotAffectServerWithoutTls() throws Exception {
		run();
		HttpRequest request = HttpRequest.newBuilder(URI.create("http://localhost:" + port() + "/")).build();
		assertThat(HttpClient.newHttpClient().send(request, HttpResponse.BodyHandlers.ofString()).body())
			.isEqualTo("ok");
		sessions().endAll();
		assertThat(handshakes().counts()).isEmpty();
	}

}
