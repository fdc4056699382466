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

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Random;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;

import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLSocket;

import dev.uncontended.tls.CommandLine;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIf;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

/**
 * Tests for handshakes of unusual clients that present an ended session.
 */
@ParameterizedClass
@EnumSource
class ReplacedHandshakeTests extends AbstractTlsServerTests {

	ReplacedHandshakeTests(TestServer server) {
		super(server, "jdk");
	}

	/*
	 * Tomcat closes such connections before it creates an SSL engine.
	 */
	@ParameterizedTest
	@CsvSource({ "TLSv1.2, false", "TLSv1.2, true", "TLSv1.3, false", "TLSv1.3, true" })
	void handshakeOfFragmentedHelloIsReplaced(String protocol, boolean ended) throws Exception {
		assumeTrue(this.server != TestServer.TOMCAT, "Does not apply to Tomcat");
		share();
		SSLContext client = first.sslContext(protocol, first);
		request(client, protocol, false);
		if (ended) {
			sessions().endAll();
		}
		request(client, protocol, true);
		awaitCounts(protocol, ended ? 2 : 1, ended ? 0 : 1);
		request(client, protocol, true);
		awaitCounts(protocol, ended ? 2 : 1, ended ? 1 : 2);
		assertThat(failed()).isEmpty();
	}

	private void request(SSLContext context, String protocol, boolean fragmented) throws Exception {
		try (RecordClient client = new RecordClient(port(), context, protocol)) {
			client.engine().beginHandshake();
			byte[] hello = client.wrap("");
			for (byte[] segment : fragmented ? fragments(hello) : List.of(hello)) {
				client.send(segment);
			}
			client.handshake();
			client.send(client.wrap(TestClients.REQUEST));
			client.expect("\r\n\r\nok");
		}
	}

	/*
	 * Records of one byte, of which the header is another segment.
	 */
	private static List<byte[]> fragments(byte[] hello) {
		List<byte[]> fragments = new ArrayList<>();
		for (int i = 5; i < hello.length; i++) {
			fragments.add(new byte[] { hello[0], hello[1], hello[2] });
			fragments.add(new byte[] { 0, 1, hello[i] });
		}
		return fragments;
	}

	@ParameterizedTest
	@ValueSource(strings = { "TLSv1.2", "TLSv1.3" })
	void clientDisappearsDuringReplacedHandshake(String protocol) throws Exception {
		share();
		SSLContext context = first.sslContext(protocol, first);
		request(context, protocol, false);
		sessions().endAll();
		for (boolean answers : new boolean[] { false, true }) {
			try (RecordClient client = new RecordClient(port(), context, protocol)) {
				client.engine().beginHandshake();
				client.send(client.wrap(""));
				client.readRecord();
				if (answers) {
					client.answer();
				}
			}
		}
		Awaitility.await().untilAsserted(() -> assertThat(failed().values()).containsExactly(2L));
		assertThat(sessions().estimatedSize()).isZero();
		request(context, protocol, false);
	}

	/*
	 * Tomcat closes the connection if it reads the client's close_notify before it has
	 * written the response.
	 */
	@ParameterizedTest
	@ValueSource(strings = { "TLSv1.2", "TLSv1.3" })
	void halfClosedClientGetsResponseAfterReplacedHandshake(String protocol) throws Exception {
		share();
		SSLContext context = first.sslContext(protocol, first);
		assumeTrue(this.server != TestServer.TOMCAT, "Does not apply to Tomcat");
		for (int i = 0; i < 3; i++) {
			try (SSLSocket socket = this.clients.connect(context)) {
				socket.getOutputStream().write(TestClients.REQUEST.getBytes(StandardCharsets.US_ASCII));
				socket.shutdownOutput();
				assertThat(new String(socket.getInputStream().readAllBytes(), StandardCharsets.US_ASCII))
					.startsWith("HTTP/1.1 200")
					.endsWith("\r\n\r\nok");
			}
			sessions().endAll();
		}
		awaitCounts(protocol, 3, 0);
	}

	@Test
	@EnabledIf("isOpenSslInstalled")
	void handshakeWithSeveralIdentitiesIsReplaced() throws Exception {
		share();
		for (boolean ended : new boolean[] { false, true, false }) {
			this.clients.assertFull("-tls1_3");
			if (ended) {
				sessions().endAll();
			}
			String output = CommandLine.openSslClient(port(), TestClients.REQUEST, "-tls1_3", "-ign_eof", "-sess_in",
					this.clients.session("-tls1_3"), "-psk_identity", "unknown", "-psk",
					"00112233445566778899aabbccddeeff");
			TestClients.assertHandshakes(output, ended ? 1 : 0, ended ? 0 : 1);
			assertThat(output).contains("ok");
		}
		assertThat(failed()).isEmpty();
	}

	/*
	 * The ends are numbered. A session must not resume on a connection opened after the
	 * return of an end that began after the session's full handshake.
	 */
	@Test
	@Tag("product")
	void sessionOlderThanEndDoesNotResumeAfterIt() throws Exception {
		// From Java 21 on
		start("--spring.threads.virtual.enabled=true");
		AtomicLong begun = new AtomicLong();
		AtomicLong returned = new AtomicLong();
		AtomicBoolean done = new AtomicBoolean();
		ExecutorService executor = Executors.newFixedThreadPool(64);
		try {
			List<Future<Integer>> clients = new ArrayList<>();
			for (int i = 0; i < 64; i++) {
				Random random = new Random(i);
				String protocol = (i % 2 == 0) ? "TLSv1.3" : "TLSv1.2";
				clients.add(executor.submit(() -> {
					AtomicBoolean full = new AtomicBoolean();
					SSLContext client = TestClients.interrupted(protocol, () -> full.set(true));
					long created = -1;
					int resumed = 0;
					while (!done.get()) {
						full.set(false);
						long ended = returned.get();
						String id;
						try (SSLSocket socket = this.clients.connect(client)) {
							id = TestClients.exchange(socket, "/session");
							if (full.get()) {
								created = begun.get();
							}
							else {
								assertThat(ended).isLessThanOrEqualTo(created);
								resumed++;
							}
							if (random.nextInt(8) == 0) {
								sessions().remove(HexFormat.of().parseHex(id));
								created = -1;
							}
						}
					}
					return resumed;
				}));
			}
			for (int end = 1; end <= 15; end++) {
				long resumed = sessions().stats().hits();
				Awaitility.await()
					.until(() -> sessions().stats().hits() > resumed + 64 || clients.stream().anyMatch(Future::isDone));
				begun.incrementAndGet();
				sessions().endAll();
				returned.incrementAndGet();
			}
			done.set(true);
			int resumed = 0;
			for (Future<Integer> client : clients) {
				resumed += client.get();
			}
			assertThat(resumed).isGreaterThan(15 * 64);
		}
		finally {
			done.set(true);
			executor.shutdownNow();
		}
		assertThat(failed()).isEmpty();
		assertThat(handshakes().reportingErrors()).isZero();
	}

}
