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

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Set;

import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLSession;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for BoringSSL's reaction to the records of a client.
 */
@ParameterizedClass
@EnumSource
class BoringSslRecordTests extends AbstractTlsServerTests {

	private static final Set<String> ALERTS = Set.of("bad_record_mac", "record_overflow", "unexpected_message",
			"decode_error");

	private static final int UNEXPECTED_MESSAGE = 10;

	private static final int LONGEST_FRAGMENT = 16_384;

	/** A warning that the handshake has been canceled. */
	private static final byte[] WARNING = { 21, 3, 1, 0, 2, 1, 90 };

	BoringSslRecordTests(TestServer server) {
		super(server, "boringssl");
	}

	private RecordClient client(String protocol, String... applicationProtocols) throws Exception {
		return new RecordClient(port(), first.sslContext(first), protocol, applicationProtocols);
	}

	@ParameterizedTest
	@CsvSource({ "TLSv1.2, changed", "TLSv1.2, oversized", "TLSv1.2, of an unknown type", "TLSv1.2, not encrypted",
			"TLSv1.3, changed", "TLSv1.3, oversized", "TLSv1.3, of an unknown type", "TLSv1.3, not encrypted" })
	void badRecordIsAnsweredByAlertAndClose(String protocol, String kind) throws Exception {
		share();
		try (RecordClient client = client(protocol).handshake()) {
			client.send(client.wrap("GET / HTTP/1.1\r\nHost: localhost\r\n\r\n"));
			client.expect("ok");
			client.send(bad(client.wrap("GET / HTTP/1.1\r\nHost: localhost\r\n\r\n"), kind));
			// Netty does not pass data that is not TLS to the engine.
			assertThat(client.readAlertAndEnd())
				.isIn((this.server == TestServer.NETTY && kind.equals("of an unknown type")) ? Set.of("close_notify")
						: ALERTS);
		}
	}

	private static byte[] bad(byte[] record, String kind) {
		return switch (kind) {
			case "changed" -> with(record, record.length - 1, record[record.length - 1] ^ 1);
			case "of an unknown type" -> with(record, 0, 99);
			case "not encrypted" -> new byte[] { 23, 3, 3, 0, 2, 'h', 'i' };
			default -> record(23, new byte[LONGEST_FRAGMENT + 300]);
		};
	}

	private static byte[] with(byte[] record, int index, int value) {
		record[index] = (byte) value;
		return record;
	}

	private static byte[] record(int type, byte[] fragment) {
		return ByteBuffer.allocate(5 + fragment.length)
			.put(new byte[] { (byte) type, 3, 3 })
			.putShort((short) fragment.length)
			.put(fragment)
			.array();
	}

	@ParameterizedTest
	@ValueSource(strings = { "of an unknown type", "application data", "other handshake message", "malformed" })
	void badFirstRecordIsAnsweredByAlertAndClose(String kind) throws Exception {
		share();
		try (RecordClient client = client("TLSv1.3")) {
			client.send(badFirst(client.wrap(""), kind));
			if (reachesEngine(kind)) {
				assertThat(client.readUnencryptedAlertAndEnd()).isPositive();
			}
			else {
				assertThat(client.readUnencryptedAlertAndEnd()).isEqualTo(-1);
			}
		}
	}

	/*
	 * Tomcat reads the ClientHello itself, and Netty the header of each record.
	 */
	private boolean reachesEngine(String kind) {
		return switch (this.server) {
			case TOMCAT -> !kind.equals("malformed");
			case JETTY -> true;
			case NETTY -> !kind.equals("of an unknown type");
		};
	}

	private static byte[] badFirst(byte[] hello, String kind) {
		return switch (kind) {
			case "of an unknown type" -> with(hello, 0, 99);
			case "application data" -> with(hello, 0, 23);
			case "other handshake message" -> with(hello, 5, 20);
			// A session id that is longer than permitted
			default -> with(hello, 5 + 4 + 2 + 32, 33);
		};
	}

	@ParameterizedTest
	@ValueSource(strings = { "TLSv1.2", "TLSv1.3" })
	void changedFinishedMessageIsAnsweredByAlertAndClose(String protocol) throws Exception {
		share();
		try (RecordClient client = client(protocol)) {
			client.engine().beginHandshake();
			client.send(client.wrap(""));
			byte[] flight = client.answer();
			flight[flight.length - 1] ^= 1;
			client.send(flight);
			assertThat(client.readAlertAndEnd()).isIn("bad_record_mac", "decrypt_error");
		}
	}

	@Test
	void dataBeforeHandshakeIsNotUsed() throws Exception {
		share();
		try (RecordClient client = client("TLSv1.3")) {
			client.send(client.wrap(""));
			client.send(record(23, TestClients.REQUEST.getBytes(StandardCharsets.US_ASCII)));
			assertThat(client.readUnencryptedAlertAndEnd()).isIn(-1, UNEXPECTED_MESSAGE);
		}
		assertThat(completed()).isEmpty();
	}

	/**
	 * An attacker could hide the client's application protocols from a server that reads
	 * the ClientHello itself.
	 */
	@ParameterizedTest
	@ValueSource(booleans = { false, true })
	void splitHelloStripsNoApplicationProtocol(boolean warning) throws Exception {
		share("--server.http2.enabled=true");
		try (RecordClient client = client("TLSv1.3", "h2", "http/1.1")) {
			byte[] hello = client.wrap("");
			int middle = 100;
			ByteArrayOutputStream records = new ByteArrayOutputStream();
			records.writeBytes(record(22, Arrays.copyOfRange(hello, 5, middle)));
			records.writeBytes(warning ? WARNING : new byte[0]);
			records.writeBytes(record(22, Arrays.copyOfRange(hello, middle, hello.length)));
			client.send(records.toByteArray());
			try {
				client.handshake();
			}
			catch (IOException ex) {
				return;
			}
			assertThat(client.engine().getApplicationProtocol()).isEqualTo("h2");
		}
	}

	/**
	 * The client sends no request. BoringSSL alone would send the tickets with the
	 * response.
	 */
	@Test
	void ticketsAreSentWithoutRequest() throws Exception {
		share();
		SSLContext context = first.sslContext(first);
		try (RecordClient client = new RecordClient(port(), context, "TLSv1.3")) {
			client.handshake();
			assertThat(client.readRecord()).isEqualTo(23);
		}
		awaitCounts("TLSv1.3", 1, 0);
	}

	/**
	 * The reply is sent with the response.
	 */
	@Test
	void keyUpdateOfClientKeepsConnection() throws Exception {
		share();
		try (RecordClient client = client("TLSv1.3").handshake()) {
			for (int i = 0; i < 5; i++) {
				// The JDK's client updates its keys.
				client.engine().beginHandshake();
				client.send(client.wrap("GET / HTTP/1.1\r\nHost: localhost\r\n\r\n"));
				client.expect("ok");
			}
			SSLSession session = client.engine().getSession();
			assertThat(session.getProtocol()).isEqualTo("TLSv1.3");
		}
	}

}
