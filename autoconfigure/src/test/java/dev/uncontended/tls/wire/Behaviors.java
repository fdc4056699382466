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

package dev.uncontended.tls.wire;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

import dev.uncontended.tls.wire.Behavior.Comparison;
import dev.uncontended.tls.wire.Behavior.Script;

import static dev.uncontended.tls.wire.Encoding.ascii;
import static dev.uncontended.tls.wire.Encoding.bytes;
import static dev.uncontended.tls.wire.Encoding.concat;
import static dev.uncontended.tls.wire.Encoding.corrupt;
import static dev.uncontended.tls.wire.Encoding.hex;
import static dev.uncontended.tls.wire.Encoding.message;
import static dev.uncontended.tls.wire.Encoding.plain;
import static dev.uncontended.tls.wire.Encoding.uint16s;
import static dev.uncontended.tls.wire.Encoding.uint24;
import static dev.uncontended.tls.wire.Encoding.vector16;
import static dev.uncontended.tls.wire.Encoding.vector24;
import static dev.uncontended.tls.wire.Encoding.vector8;
import static dev.uncontended.tls.wire.WireClient.ALERT;
import static dev.uncontended.tls.wire.WireClient.APPLICATION_DATA;
import static dev.uncontended.tls.wire.WireClient.CHANGE_CIPHER_SPEC;
import static dev.uncontended.tls.wire.WireClient.HANDSHAKE;

/**
 * Valid and invalid behaviors of clients.
 */
public final class Behaviors {

	private static final String TRUSTED = "trusted";

	private static final int UNRECOGNIZED_NAME = 112;

	private final List<Behavior> all = new ArrayList<>();

	private Behaviors() {
	}

	public static List<Behavior> all() {
		Behaviors behaviors = new Behaviors();
		behaviors.correct();
		behaviors.corrupted();
		behaviors.truncated();
		behaviors.oversized();
		behaviors.outOfOrder();
		behaviors.ofTheWrongType();
		behaviors.nothingInCommon();
		behaviors.applicationProtocols();
		behaviors.serverNames();
		behaviors.earlyData();
		behaviors.clientCertificates();
		behaviors.closes();
		behaviors.alerts();
		behaviors.keyUpdates();
		behaviors.renegotiation();
		behaviors.noTls();
		return List.copyOf(behaviors.all);
	}

	private void correct() {
		served("a request", Behaviors::exchange);
		served("two requests in one record", (client) -> {
			client.handshake();
			client.sendData(client.isHttp2() ? client.request() : concat(client.request(), client.request()));
			end(client);
		});
		served("two requests, one after the other", (client) -> {
			client.handshake();
			client.sendRequest();
			if (!client.isHttp2()) {
				client.awaitResponse();
				client.sendRequest();
			}
			end(client);
		});
		same("a handshake in records of 7 bytes", fragmented(7));
		same("a handshake in records of 100 bytes", fragmented(100));
		served("segments of one byte", (client) -> {
			client.segment = 1;
			exchange(client);
		});
		served("segments of 100 bytes", (client) -> {
			client.segment = 100;
			exchange(client);
		});
		served("a request in records of one byte", (client) -> {
			client.handshake();
			for (byte single : client.request()) {
				client.sendData(bytes(single));
			}
			end(client);
		});
		served("the request in one segment with Finished", (client) -> {
			client.begin();
			client.sendBeforeFinished();
			byte[] finished = client.records(client.finished());
			if (client.tls13) {
				client.readServerFinished();
				client.send(finished, client.record(APPLICATION_DATA, client.request()));
			}
			else {
				client.send(finished, client.record(APPLICATION_DATA, client.request()));
				client.readServerFinished();
			}
			end(client);
		});
		unlike("a request among empty records",
				"the JDK refuses an empty record of TLS 1.3, which RFC 9846 section 5.1 allows", (client) -> {
					client.handshake();
					client.send(client.record(APPLICATION_DATA, bytes()), client.record(APPLICATION_DATA, bytes()),
							client.record(APPLICATION_DATA, client.request()));
					end(client);
				});
		unlike("100 empty records", "BoringSSL accepts 32 empty records in a row", (client) -> {
			client.handshake();
			for (int i = 0; i < 100; i++) {
				client.sendData(bytes());
			}
			client.sendRequest();
			end(client);
		});
		served("a padded request", (client) -> {
			client.handshake();
			client.send(client.record(APPLICATION_DATA, client.request(), 1000));
			end(client);
		});
		served("a large request in a record of the largest size", (client) -> {
			client.handshake();
			client.sendData(client.isHttp2() ? client.request() : large(16_384));
			end(client);
		});
		served("no session id in the hello", (client) -> {
			Hello hello = client.hello();
			hello.sessionId = bytes();
			exchange(client, hello);
		});
		served("unknown suites, groups and extensions", (client) -> {
			Hello hello = client.hello();
			hello.cipherSuites = concat(uint16s(0x0a0a, 0x7777), hello.cipherSuites, uint16s(0xfafa));
			exchange(client,
					hello.with(Hello.GROUPS, vector16(uint16s(0x0a0a, 23, 0x7777)))
						.with(0x0a0a)
						.with(0xfafa, bytes(0)));
		});
		served("no application protocols", (client) -> exchange(client,
				client.isHttp2() ? client.hello() : client.hello().without(Hello.APPLICATION_PROTOCOLS)));
		served("a second hello on request", (client) -> {
			Hello hello = client.hello();
			if (!client.tls13) {
				exchange(client, hello);
				return;
			}
			byte[] share = hello.extension(Hello.KEY_SHARE);
			client.sendHello(hello.with(Hello.KEY_SHARE, vector16()));
			client.readRetryRequest();
			client.retryHello(hello.with(Hello.KEY_SHARE, Arrays.copyOfRange(share, 4, share.length)));
			client.complete();
			client.sendRequest();
			end(client);
		});
		same("change_cipher_spec in TLS 1.3, as middleboxes like it", (client) -> {
			client.begin();
			client.send(plain(CHANGE_CIPHER_SPEC, bytes(1)));
			if (client.tls13) {
				finish(client);
			}
		});
		same("no extended master secret",
				(client) -> exchange(client, client.hello().without(Hello.EXTENDED_MASTER_SECRET)));
		same("no secure renegotiation", (client) -> exchange(client, client.hello().without(0xff01)));
	}

	private void corrupted() {
		same("a corrupt Finished record", (client) -> {
			client.begin();
			client.sendBeforeFinished();
			client.send(corrupt(client.records(client.finished())));
		});
		same("a wrong Finished message", (client) -> {
			client.begin();
			client.sendBeforeFinished();
			client.sendHandshake(corrupt(client.finished()));
		});
		alike("a short Finished message", (client) -> {
			client.begin();
			client.sendBeforeFinished();
			client.sendHandshake(message(20, bytes(1, 2, 3)));
		});
		same("a corrupt first record", (client) -> {
			client.handshake();
			client.send(corrupt(client.record(APPLICATION_DATA, client.request())));
		});
		same("a corrupt record after a request", (client) -> {
			client.handshake();
			client.sendRequest();
			client.awaitResponse();
			client.send(corrupt(client.record(APPLICATION_DATA, client.request())));
		});
		same("a corrupt record and a good one after a request", (client) -> {
			client.handshake();
			client.sendRequest();
			client.awaitResponse();
			client.send(corrupt(client.record(APPLICATION_DATA, client.request())),
					client.record(APPLICATION_DATA, client.request()));
		});
		same("a corrupt record in one segment with a good one", (client) -> {
			client.handshake();
			client.send(client.record(APPLICATION_DATA, Arrays.copyOf(client.request(), 20)),
					corrupt(client.record(APPLICATION_DATA, client.request())));
		});
		same("a corrupt alert", (client) -> {
			client.handshake();
			client.send(corrupt(client.record(ALERT, bytes(1, 0))));
		});
		alike("a key share that is not on the curve", (client) -> {
			byte[] point = corrupt(WireClient.point());
			if (client.tls13) {
				client.begin(client.hello().with(Hello.KEY_SHARE, vector16(uint16s(23), vector16(point))));
			}
			else {
				client.begin();
				client.sendHandshake(message(16, vector8(point)));
			}
		});
		alike("an empty key share", (client) -> {
			if (client.tls13) {
				client.begin(client.hello().with(Hello.KEY_SHARE, vector16(uint16s(23), vector16())));
			}
			else {
				client.begin();
				client.sendHandshake(message(16, vector8()));
			}
		});
		alike("an empty key exchange", (client) -> {
			client.begin();
			client.sendHandshake(message(16));
		});
	}

	private void truncated() {
		alike("half a record header and no more", (client) -> {
			client.send(bytes(22, 3));
			client.halfClose();
		});
		alike("half a hello and no more", (client) -> {
			byte[] hello = client.records(client.hello().toBytes());
			client.send(Arrays.copyOf(hello, hello.length / 2));
			client.halfClose();
		});
		same("half a hello, and silence", (client) -> {
			byte[] hello = client.records(client.hello().toBytes());
			client.send(Arrays.copyOf(hello, hello.length / 2));
		});
		same("half a hello in a complete record, and silence", (client) -> {
			byte[] hello = client.hello().toBytes();
			client.send(plain(HANDSHAKE, Arrays.copyOf(hello, hello.length / 2)));
		});
		alike("half a hello in a complete record and no more", (client) -> {
			byte[] hello = client.hello().toBytes();
			client.send(plain(HANDSHAKE, Arrays.copyOf(hello, hello.length / 2)));
			client.halfClose();
		});
		alike("a hello and no more", (client) -> {
			client.begin();
			client.halfClose();
		});
		same("a hello, and silence", WireClient::begin);
		same("nothing", WireClient::halfClose);
		same("half a record after the handshake and no more", (client) -> {
			client.handshake();
			byte[] record = client.record(APPLICATION_DATA, client.request());
			client.send(Arrays.copyOf(record, record.length / 2));
			client.halfClose();
		});
		same("a record that is too short to be protected", (client) -> {
			client.handshake();
			client.send(plain(APPLICATION_DATA, bytes(1, 2, 3)));
		});
		alike("an empty record without protection after the handshake", (client) -> {
			client.handshake();
			client.send(plain(APPLICATION_DATA, bytes()));
		});
		alike("a hello that is shorter than it says", (client) -> {
			client.send(withLength(client, 8));
			client.halfClose();
		});
		alike("a hello that is longer than it says", (client) -> client.send(withLength(client, -8)));
		same("a hello of 3 bytes", (client) -> client.sendHandshake(message(1, bytes(3, 3, 0))));
		same("a hello of 0 bytes", (client) -> client.sendHandshake(message(1)));
		alike("bytes after the extensions",
				(client) -> client.sendHandshake(message(1, client.hello().body(), bytes(1, 2, 3))));
		same("an extension that is longer than all extensions", (client) -> {
			Hello hello = client.hello();
			hello.suffix = bytes(0, 99, 1, 0);
			client.sendHello(hello);
		});
		alike("half an extension header", (client) -> {
			Hello hello = client.hello();
			hello.suffix = bytes(0, 99, 0);
			client.sendHello(hello);
		});
		alike("an odd number of bytes for the cipher suites", (client) -> {
			Hello hello = client.hello();
			hello.cipherSuites = concat(hello.cipherSuites, bytes(1));
			client.sendHello(hello);
		});
		alike("no cipher suites", (client) -> {
			Hello hello = client.hello();
			hello.cipherSuites = bytes();
			client.sendHello(hello);
		});
		alike("a session id of 33 bytes", (client) -> {
			Hello hello = client.hello();
			hello.sessionId = new byte[33];
			client.sendHello(hello);
		});
		alike("no compression methods", (client) -> {
			Hello hello = client.hello();
			hello.compressionMethods = bytes();
			client.sendHello(hello);
		});
		alike("no null compression", (client) -> {
			Hello hello = client.hello();
			hello.compressionMethods = bytes(1);
			client.sendHello(hello);
		});
		alike("two extensions of one type", (client) -> {
			Hello hello = client.hello();
			hello.suffix = hello.extension(Hello.GROUPS);
			client.sendHello(hello);
		});
		alike("no extensions", (client) -> client.begin(client.hello().withoutExtensions()));
	}

	private void oversized() {
		alike("a first record of 20,000 bytes",
				(client) -> client.send(bytes(22, 3, 1), uint16s(20_000), new byte[20_000]));
		alike("a first record that says 65,535 bytes",
				(client) -> client.send(bytes(22, 3, 1, 0xff, 0xff, 1, 0, 0xff, 0xfb, 3, 3), new byte[100]));
		alike("a hello that says 16 MB",
				(client) -> client.send(plain(HANDSHAKE, concat(bytes(1), uint24(0xffffff), client.hello().body()))));
		same("a hello of 12,000 bytes", (client) -> exchange(client, client.hello().with(0x7777, new byte[12_000])));
		same("a hello of 12,000 bytes in small records", (client) -> {
			client.fragment = 1000;
			exchange(client, client.hello().with(0x7777, new byte[12_000]));
		});
		unlike("a hello of 20,000 bytes", "BoringSSL refuses a hello of more than 16 KB",
				(client) -> exchange(client, client.hello().with(0x7777, new byte[20_000])));
		alike("a hello of 40,000 bytes", (client) -> exchange(client, client.hello().with(0x7777, new byte[40_000])));
		alike("a record that says 65,535 bytes after the handshake", (client) -> {
			client.handshake();
			client.send(bytes(23, 3, 3, 0xff, 0xff), new byte[65_535]);
		});
		unlike("a record of 16,385 bytes after the handshake", "the JDK accepts more than RFC 9846 section 5.1 allows",
				(client) -> {
					client.handshake();
					client.sendData(client.isHttp2() ? concat(client.request(), new byte[16_385]) : large(16_385));
				});
		alike("a record of 18,433 bytes after the handshake", (client) -> {
			client.handshake();
			client.sendData(new byte[18_433]);
		});
		alike("a Finished message that says 16 MB", (client) -> {
			client.begin();
			client.sendBeforeFinished();
			client.send(client.record(HANDSHAKE, concat(bytes(20), uint24(0xffffff), new byte[100])));
		});
	}

	private void outOfOrder() {
		same("Finished first", (client) -> client.sendHandshake(message(20, new byte[12])));
		alike("data first", (client) -> client.sendData(client.request()));
		alike("change_cipher_spec first", (client) -> {
			client.send(plain(CHANGE_CIPHER_SPEC, bytes(1)));
			client.begin();
		});
		same("a key exchange first", (client) -> client.sendHandshake(client.clientKeyExchange()));
		alike("two hellos in one record", (client) -> {
			byte[] hello = client.hello().toBytes();
			client.send(plain(HANDSHAKE, concat(hello, hello)));
		});
		same("two hellos in two records", (client) -> {
			client.begin();
			client.send(plain(HANDSHAKE, client.hello().toBytes()));
		});
		same("a second hello under the keys of the handshake", (client) -> {
			client.begin();
			client.sendBeforeFinished();
			client.send(client.record(HANDSHAKE, client.hello().toBytes()));
		});
		same("data in place of Finished", (client) -> {
			client.begin();
			client.sendBeforeFinished();
			client.sendData(client.request());
		});
		same("data without protection in place of Finished", (client) -> {
			client.begin();
			client.send(plain(APPLICATION_DATA, client.request()));
		});
		same("Finished without change_cipher_spec", (client) -> {
			client.begin();
			if (client.tls13) {
				client.send(plain(HANDSHAKE, client.finished()));
			}
			else {
				client.sendHandshake(client.clientKeyExchange());
				client.deriveMasterSecret();
				client.sendHandshake(client.finished());
			}
		});
		alike("change_cipher_spec in place of a key exchange", (client) -> {
			client.begin();
			client.send(plain(CHANGE_CIPHER_SPEC, bytes(1)));
			client.send(plain(HANDSHAKE, message(20, new byte[12])));
		});
		same("two key exchanges", (client) -> {
			client.begin();
			client.sendHandshake(client.clientKeyExchange());
			client.sendHandshake(client.clientKeyExchange());
		});
		alike("change_cipher_spec of two bytes", (client) -> {
			client.begin();
			client.send(plain(CHANGE_CIPHER_SPEC, bytes(1, 1)));
		});
		alike("change_cipher_spec with a wrong value", (client) -> {
			client.begin();
			client.send(plain(CHANGE_CIPHER_SPEC, bytes(2)));
		});
		alike("CertificateVerify that nobody asked for", (client) -> {
			client.begin();
			client.sendHandshake(message(15, uint16s(0x403), vector16(new byte[70])));
		});
		same("ServerHello from the client", (client) -> client.sendHandshake(message(2, new byte[70])));
		same("HelloRequest from the client", (client) -> client.sendHandshake(message(0)));
		same("a message of an unknown type", (client) -> client.sendHandshake(message(99, bytes(1))));
		same("a message of an unknown type in the handshake", (client) -> {
			client.begin();
			client.sendBeforeFinished();
			client.sendHandshake(message(99, bytes(1)));
		});
		alike("a message of an unknown type after the handshake", (client) -> {
			client.handshake();
			client.send(client.record(HANDSHAKE, message(99, bytes(1))));
		});
		alike("Finished twice", (client) -> {
			client.handshake();
			client.send(client.record(HANDSHAKE, message(20, new byte[client.tls13 ? 32 : 12])));
		});
		alike("a session ticket from the client", (client) -> {
			client.handshake();
			client.send(client.record(HANDSHAKE, message(4, new byte[6], vector16(new byte[10]))));
		});
		alike("HelloRequest after the handshake", (client) -> {
			client.handshake();
			client.send(client.record(HANDSHAKE, message(0)));
		});
		alike("a certificate that nobody asked for after the handshake", (client) -> {
			client.handshake();
			client.send(client.record(HANDSHAKE, client.certificate()));
		});
		unlike("change_cipher_spec after the handshake",
				"the JDK ignores the record, for which RFC 9846 section 5 requires an alert", (client) -> {
					client.handshake();
					client.send(plain(CHANGE_CIPHER_SPEC, bytes(1)));
					client.sendRequest();
					end(client);
				});
		alike("an empty handshake record", (client) -> client.send(plain(HANDSHAKE, bytes())));
		alike("an empty record of data first", (client) -> client.send(plain(APPLICATION_DATA, bytes())));
		alike("an empty record after the hello", (client) -> {
			client.begin();
			client.send(plain(HANDSHAKE, bytes()));
		});
		unlike("an empty handshake record after the handshake", "BoringSSL ignores the record", (client) -> {
			client.handshake();
			client.send(client.record(HANDSHAKE, bytes()));
		});
	}

	private void ofTheWrongType() {
		alike("a record of an unknown type",
				(client) -> client.send(bytes(99, 3, 3), vector16(client.hello().toBytes())));
		alike("a hello in a record of data",
				(client) -> client.send(plain(APPLICATION_DATA, client.hello().toBytes())));
		same("half a hello, then a record of another type", (client) -> {
			byte[] hello = client.hello().toBytes();
			client.send(plain(HANDSHAKE, Arrays.copyOf(hello, hello.length / 2)),
					plain(APPLICATION_DATA, Arrays.copyOfRange(hello, hello.length / 2, hello.length)));
		});
		same("half a hello, then an alert", (client) -> {
			byte[] hello = client.hello().toBytes();
			client.send(plain(HANDSHAKE, Arrays.copyOf(hello, hello.length / 2)), plain(ALERT, bytes(1, 0)));
		});
		same("an alert between two records of a hello", (client) -> {
			byte[] hello = client.hello().toBytes();
			client.send(plain(HANDSHAKE, Arrays.copyOf(hello, hello.length / 2)),
					plain(ALERT, bytes(1, UNRECOGNIZED_NAME)),
					plain(HANDSHAKE, Arrays.copyOfRange(hello, hello.length / 2, hello.length)));
		});
		alike("a record of an unknown type in the handshake", (client) -> {
			client.begin();
			client.send(plain(99, bytes(1)));
		});
		alike("a heartbeat", (client) -> client.send(plain(24, bytes(1, 0, 3, 1, 2, 3))));
		same("a record of an unknown type after the handshake", (client) -> {
			client.handshake();
			client.send(plain(99, bytes(1)));
		});
		alike("a protected record of an unknown type", (client) -> {
			client.handshake();
			client.send(client.record(99, bytes(1)));
		});
		alike("a record of version 9.9", (client) -> client.send(bytes(22, 9, 9), vector16(client.hello().toBytes())));
		same("a hello in a record of version 3.0",
				(client) -> client.send(bytes(22, 3, 0), vector16(client.hello().toBytes())));
		unlike("a record of version 9.9 after the handshake", "the JDK ignores the version of protected records",
				(client) -> {
					client.handshake();
					byte[] record = client.record(APPLICATION_DATA, client.request());
					record[1] = 9;
					client.send(record);
				});
	}

	private void nothingInCommon() {
		same("no common cipher suite", (client) -> {
			Hello hello = client.hello();
			hello.cipherSuites = uint16s(0x7777);
			client.begin(hello);
		});
		same("cipher suites for another key", (client) -> {
			Hello hello = client.hello();
			hello.cipherSuites = uint16s(0xc02f, 0x9c);
			client.begin(hello);
		});
		alike("no common group", (client) -> {
			Hello hello = client.hello().with(Hello.GROUPS, vector16(uint16s(0x7777)));
			client.begin(client.tls13 ? hello.with(Hello.KEY_SHARE, vector16(uint16s(0x7777), vector16(new byte[32])))
					: hello);
		});
		alike("no common signature algorithm",
				(client) -> client.begin(client.hello().with(Hello.SIGNATURE_ALGORITHMS, vector16(uint16s(0x7777)))));
		alike("signature algorithms for another key", (client) -> client
			.begin(client.hello().with(Hello.SIGNATURE_ALGORITHMS, vector16(uint16s(0x804, 0x401)))));
		unlike("no signature algorithms", "Java 25 does not sign with SHA-1, which is the default of TLS 1.2",
				(client) -> client.begin(client.hello().without(Hello.SIGNATURE_ALGORITHMS)));
		alike("no groups", (client) -> client.begin(client.hello().without(Hello.GROUPS)));
		same("no key shares", (client) -> client.begin(client.hello().without(Hello.KEY_SHARE)));
		unlike("a key share for a group that is not offered", "BoringSSL asks for another key share", (client) -> client
			.begin(client.hello().with(Hello.KEY_SHARE, vector16(uint16s(24), vector16(new byte[97])))));
		same("only the second hello's versions",
				(client) -> client.begin(client.hello().with(Hello.VERSIONS, vector8(uint16s(0x305)))));
		same("no versions", (client) -> client.begin(client.hello().with(Hello.VERSIONS, vector8())));
		same("half a version", (client) -> client.begin(client.hello().with(Hello.VERSIONS, vector8(bytes(3)))));
		same("TLS 1.1", version(0x302));
		same("TLS 1.0", version(0x301));
		same("SSL 3", version(0x300));
		same("version 0", version(0));
		unlike("version 3.9", "BoringSSL ignores the legacy version, as RFC 9846 section 4.2.2 has it", (client) -> {
			Hello hello = client.hello();
			hello.version = 0x309;
			exchange(client, hello);
		});
		same("TLS 1.1 among the versions of TLS 1.3",
				(client) -> client.begin(client.hello().with(Hello.VERSIONS, vector8(uint16s(0x302)))));
		alike("no common application protocol",
				(client) -> client.begin(protocols(client, vector16(vector8(ascii("spdy"))))));
		unlike("a fallback to a lower version", "the JDK does not know TLS_FALLBACK_SCSV", (client) -> {
			Hello hello = client.hello();
			hello.cipherSuites = concat(hello.cipherSuites, uint16s(0x5600));
			exchange(client, hello);
		});
	}

	private void applicationProtocols() {
		same("an empty list of application protocols", (client) -> client.begin(protocols(client, vector16())));
		same("an empty extension of application protocols", (client) -> client.begin(protocols(client)));
		same("an empty application protocol",
				(client) -> client.begin(protocols(client, vector16(vector8(), vector8(ascii("http/1.1"))))));
		same("a byte after the application protocols",
				(client) -> client.begin(protocols(client, vector16(vector8(ascii("http/1.1"))), bytes(1))));
		alike("an application protocol that is too long",
				(client) -> client.begin(protocols(client, vector16(bytes(20), ascii("http/1.1")))));
		same("a list of application protocols that is too long",
				(client) -> client.begin(protocols(client, uint16s(100), vector8(ascii("http/1.1")))));
		served("many application protocols", (client) -> {
			byte[] names = {};
			for (int i = 0; i < 100; i++) {
				names = concat(names, vector8(ascii("protocol-" + i)));
			}
			exchange(client, protocols(client, vector16(names, vector8(ascii(client.applicationProtocol)))));
		});
	}

	private void serverNames() {
		served("an unknown server name", (client) -> exchange(client,
				client.hello().with(Hello.SERVER_NAME, vector16(bytes(0), vector16(ascii("unknown.test"))))));
		alike("an empty server name",
				(client) -> exchange(client, client.hello().with(Hello.SERVER_NAME, vector16(bytes(0), vector16()))));
		alike("a server name that is no name", (client) -> exchange(client,
				client.hello().with(Hello.SERVER_NAME, vector16(bytes(0), vector16(bytes(0xff, 0, 0x20))))));
		alike("a server name with a NUL", (client) -> exchange(client, client.hello()
			.with(Hello.SERVER_NAME, vector16(bytes(0), vector16(ascii("localhost\0.attacker.test"))))));
		alike("a server name with an underscore", (client) -> exchange(client,
				client.hello().with(Hello.SERVER_NAME, vector16(bytes(0), vector16(ascii("a_b"))))));
		alike("a server name that ends with a dot", (client) -> exchange(client,
				client.hello().with(Hello.SERVER_NAME, vector16(bytes(0), vector16(ascii("localhost."))))));
		alike("two server names",
				(client) -> exchange(client, client.hello()
					.with(Hello.SERVER_NAME,
							vector16(bytes(0), vector16(ascii("a.test")), bytes(0), vector16(ascii("b.test"))))));
		alike("a malformed server name", (client) -> client
			.begin(client.hello().with(Hello.SERVER_NAME, vector16(bytes(0), uint16s(99), ascii("a")))));
	}

	private void earlyData() {
		unlike("early data", "the JDK does not skip early data as RFC 9846 section 4.3.10 has it", (client) -> {
			client.sendHello(client.hello().with(42));
			client.send(plain(APPLICATION_DATA, new byte[100]));
			client.readServerFlight();
			finish(client);
		});
	}

	private void clientCertificates() {
		alike("no client certificate", "none", Behaviors::exchange);
		same("an untrusted client certificate", "untrusted", Behaviors::exchange);
		same("a client certificate that Ed25519 signed", "signed by Ed25519", Behaviors::exchange);
		alike("eleven client certificates", "eleven", Behaviors::exchange);
		alike("a client certificate of 40,000 bytes", "large", Behaviors::exchange);
		same("an expired client certificate", "expired", Behaviors::exchange);
		unlike("a client certificate with Ed25519", "BoringSSL does not accept Ed25519 unless it is configured",
				"ed25519", Behaviors::exchange);
		same("a client certificate with RSA", "rsa", Behaviors::exchange);
		same("a client certificate with P-384", "p384", Behaviors::exchange);
		unlike("a client certificate with P-521", "BoringSSL does not accept P-521 unless it is configured", "p521",
				Behaviors::exchange);
		alike("a client certificate that is none", "garbage", Behaviors::exchange);
		alike("a wrong CertificateVerify", (client) -> {
			client.begin();
			client.sendHandshake(client.certificate());
			if (!client.tls13) {
				client.sendHandshake(client.clientKeyExchange());
			}
			client.sendHandshake(corrupt(client.certificateVerify()));
		});
		alike("a CertificateVerify for another key", (client) -> {
			client.begin();
			client.sendHandshake(client.certificate());
			if (!client.tls13) {
				client.sendHandshake(client.clientKeyExchange());
			}
			byte[] verify = client.certificateVerify();
			verify[4] = 8;
			verify[5] = 4;
			client.sendHandshake(verify);
		});
		alike("no CertificateVerify", (client) -> {
			client.begin();
			client.sendHandshake(client.certificate());
			if (client.tls13) {
				client.sendHandshake(client.finished());
				return;
			}
			client.sendHandshake(client.clientKeyExchange());
			client.send(plain(CHANGE_CIPHER_SPEC, bytes(1)));
		});
		alike("a malformed client certificate message", (client) -> {
			client.begin();
			client.sendHandshake(message(11, bytes(0, 9, 9)));
		});
		alike("an empty client certificate", (client) -> {
			client.begin();
			client.sendHandshake(message(11, client.tls13 ? bytes(0) : bytes(), vector24(uint24(0))));
		});
	}

	private void closes() {
		alike("close_notify first", WireClient::sendCloseNotify);
		unlike("close_notify after the hello", "BoringSSL closes the connection on close_notify without an alert",
				(client) -> {
					client.begin();
					client.sendCloseNotify();
				});
		alike("close_notify after the handshake", (client) -> {
			client.handshake();
			client.sendCloseNotify();
		});
		alike("close_notify after a response", (client) -> {
			client.handshake();
			client.sendRequest();
			client.awaitResponse();
			client.sendCloseNotify();
		});
		alike("close_notify and no more", (client) -> {
			client.handshake();
			client.sendCloseNotify();
			client.halfClose();
		});
		same("no more without close_notify", (client) -> {
			client.handshake();
			client.halfClose();
		});
		same("no more after a response without close_notify", (client) -> {
			client.handshake();
			client.sendRequest();
			client.awaitResponse();
			client.halfClose();
		});
		unlike("close_notify in one segment with a request",
				"Netty's engine sends nothing after it has read close_notify", (client) -> {
					client.handshake();
					client.send(client.record(APPLICATION_DATA, client.request()), client.record(ALERT, bytes(1, 0)));
				});
		alike("data after close_notify", (client) -> {
			client.handshake();
			client.send(client.record(ALERT, bytes(1, 0)), client.record(APPLICATION_DATA, client.request()));
		});
		alike("a corrupt record after close_notify", (client) -> {
			client.handshake();
			client.send(client.record(ALERT, bytes(1, 0)), corrupt(client.record(APPLICATION_DATA, client.request())));
		});
		alike("close_notify twice", (client) -> {
			client.handshake();
			client.send(client.record(ALERT, bytes(1, 0)), client.record(ALERT, bytes(1, 0)));
		});
		same("user_canceled, then close_notify", (client) -> {
			client.handshake();
			client.sendAlert(1, 90);
			client.sendCloseNotify();
		});
		alike("user_canceled in the handshake", (client) -> {
			client.begin();
			client.sendAlert(1, 90);
			client.sendCloseNotify();
		});
		served("HTTP/1.1 with Connection: close", (client) -> {
			client.handshake();
			client.sendData(client.isHttp2() ? client.request()
					: ascii("GET / HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n"));
			client.awaitResponse();
		});
	}

	private void alerts() {
		same("a fatal alert first", (client) -> client.sendAlert(2, 40));
		alike("a warning first", (client) -> client.sendAlert(1, 41));
		alike("a warning, then a hello", (client) -> {
			client.sendAlert(1, UNRECOGNIZED_NAME);
			exchange(client);
		});
		unlike("user_canceled, then a hello", "the JDK ignores user_canceled, and Tomcat then ignores ALPN",
				(client) -> {
					client.sendAlert(1, 90);
					exchange(client);
				});
		same("a fatal alert after the hello", (client) -> {
			client.begin();
			client.sendAlert(2, 48);
		});
		alike("a fatal alert without protection after the hello", (client) -> {
			client.begin();
			client.send(plain(ALERT, bytes(2, 48)));
		});
		same("a fatal alert after the handshake", (client) -> {
			client.handshake();
			client.sendAlert(2, 80);
		});
		alike("a fatal alert without protection after the handshake", (client) -> {
			client.handshake();
			client.send(plain(ALERT, bytes(2, 80)));
		});
		same("a fatal alert after a response", (client) -> {
			client.handshake();
			client.sendRequest();
			client.awaitResponse();
			client.sendAlert(2, 10);
		});
		unlike("a warning after the handshake", "BoringSSL refuses warnings of TLS 1.3, as RFC 9846 section 6 has it",
				(client) -> {
					client.handshake();
					client.sendAlert(1, 100);
					client.sendRequest();
					end(client);
				});
		unlike("ten warnings after the handshake", "BoringSSL accepts four warnings in a row", (client) -> {
			client.handshake();
			for (int i = 0; i < 10; i++) {
				client.sendAlert(1, 100);
			}
			client.sendRequest();
			end(client);
		});
		alike("an alert of an unknown level", (client) -> {
			client.handshake();
			client.sendAlert(3, 0);
		});
		same("an alert of an unknown kind", (client) -> {
			client.handshake();
			client.sendAlert(2, 255);
		});
		alike("an alert of one byte", (client) -> {
			client.handshake();
			client.send(client.record(ALERT, bytes(1)));
		});
		alike("an alert of no bytes", (client) -> {
			client.handshake();
			client.send(client.record(ALERT, bytes()));
		});
		alike("an alert of four bytes", (client) -> {
			client.handshake();
			client.send(client.record(ALERT, bytes(1, 0, 1, 0)));
		});
		alike("an alert of one byte first", (client) -> client.send(plain(ALERT, bytes(2))));
	}

	private void keyUpdates() {
		alike("a key update", (client) -> {
			client.handshake();
			client.sendKeyUpdate(0);
			client.sendRequest();
			end(client);
		});
		alike("a key update that asks for one", (client) -> {
			client.handshake();
			client.sendKeyUpdate(1);
			client.sendRequest();
			end(client);
		});
		alike("a key update after a response, that asks for one", (client) -> {
			client.handshake();
			client.sendRequest();
			client.awaitResponse();
			client.sendKeyUpdate(1);
		});
		alike("ten key updates", (client) -> {
			client.handshake();
			for (int i = 0; i < 10; i++) {
				client.sendKeyUpdate(0);
			}
			client.sendRequest();
			end(client);
		});
		alike("a key update with a wrong value", (client) -> {
			client.handshake();
			client.sendKeyUpdate(2);
		});
		alike("a key update that is too long", (client) -> {
			client.handshake();
			client.send(client.record(HANDSHAKE, message(24, bytes(0, 0))));
		});
		same("a key update in the handshake", (client) -> {
			client.begin();
			client.sendBeforeFinished();
			client.send(client.record(HANDSHAKE, message(24, bytes(0))));
		});
		alike("a key update, then data under the old keys", (client) -> {
			client.handshake();
			client.send(client.record(HANDSHAKE, message(24, bytes(0))));
			client.sendRequest();
		});
		alike("data in the middle of a key update", (client) -> {
			client.handshake();
			client.send(client.record(HANDSHAKE, bytes(24, 0)));
			client.sendRequest();
		});
		alike("a key update in one record with another message", (client) -> {
			client.handshake();
			client.send(client.record(HANDSHAKE, concat(message(24, bytes(0)), message(24, bytes(0)))));
		});
	}

	private void renegotiation() {
		alike("another hello after the handshake", (client) -> {
			client.handshake();
			client.send(client.record(HANDSHAKE, client.hello().toBytes()));
		});
		alike("another hello after a response", (client) -> {
			client.handshake();
			client.sendRequest();
			client.awaitResponse();
			client.send(client.record(HANDSHAKE, client.hello().toBytes()));
		});
		same("another hello without protection after the handshake", (client) -> {
			client.handshake();
			client.send(plain(HANDSHAKE, client.hello().toBytes()));
		});
		alike("data in the middle of another hello", (client) -> {
			client.handshake();
			byte[] hello = client.hello().toBytes();
			client.send(client.record(HANDSHAKE, Arrays.copyOf(hello, 20)));
			client.sendRequest();
		});
	}

	private void noTls() {
		alike("plain HTTP", (client) -> client.send(ascii("GET / HTTP/1.1\r\nHost: localhost\r\n\r\n")));
		alike("plain HTTP/2", (client) -> client.send(ascii("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n")));
		same("a newline", (client) -> client.send(ascii("\n")));
		alike("zeros", (client) -> client.send(new byte[100]));
		alike("noise", (client) -> client.send(KeyDerivation.sha256(ascii("noise"))));
		alike("the proxy protocol", (client) -> {
			client.send(ascii("PROXY TCP4 127.0.0.1 127.0.0.1 1 2\r\n"));
			client.sendHello(client.hello());
		});
		alike("an SSLv2 hello", (client) -> client
			.send(hex("802e 01 0002 0015 0000 0010 010080 020080 030080 040080 050080 060040 0700c0"), new byte[16]));
		alike("a hello for TLS 1.2 in the format of SSLv2",
				(client) -> client.send(hex("801f 01 0303 0006 0000 0010 00c02b 0000ff"), new byte[16]));
		alike("plain HTTP after the handshake", (client) -> {
			client.handshake();
			client.send(ascii("GET / HTTP/1.1\r\nHost: localhost\r\n\r\n"));
		});
	}

	/**
	 * Adds a behavior that every server answers with a response.
	 */
	private void served(String name, Script script) {
		add(name, TRUSTED, Comparison.SERVED, script);
	}

	/**
	 * Adds a behavior with the same outcome for both engines.
	 */
	private void same(String name, Script script) {
		same(name, TRUSTED, script);
	}

	private void same(String name, String identity, Script script) {
		add(name, identity, Comparison.SAME, script);
	}

	/**
	 * Adds a behavior that both engines reject or serve, with different alerts. TLS often
	 * leaves the choice of the alert open.
	 */
	private void alike(String name, Script script) {
		alike(name, TRUSTED, script);
	}

	private void alike(String name, String identity, Script script) {
		add(name, identity, Comparison.ALIKE, script);
	}

	/**
	 * Adds a behavior for which the outcomes differ, and the reason.
	 */
	private void unlike(String name, String reason, Script script) {
		unlike(name, reason, TRUSTED, script);
	}

	private void unlike(String name, String reason, String identity, Script script) {
		add(name + " (" + reason + ")", identity, Comparison.UNLIKE, script);
	}

	private void add(String name, String identity, Comparison comparison, Script script) {
		this.all.add(new Behavior(name, identity, comparison, script));
	}

	private static void exchange(WireClient client) throws Exception {
		exchange(client, client.hello());
	}

	private static void exchange(WireClient client, Hello hello) throws Exception {
		client.begin(hello);
		finish(client);
	}

	private static void finish(WireClient client) throws Exception {
		client.complete();
		client.sendRequest();
		end(client);
	}

	/*
	 * Reads a response and closes the connection. Servers close HTTP/2 connections with a
	 * delay.
	 */
	private static void end(WireClient client) throws Exception {
		client.awaitResponse();
		if (client.isHttp2()) {
			client.abandon();
		}
		client.sendCloseNotify();
	}

	private static Script fragmented(int length) {
		return (client) -> {
			client.fragment = length;
			exchange(client);
		};
	}

	private static Script version(int version) {
		return (client) -> {
			Hello hello = client.hello().without(Hello.VERSIONS, Hello.KEY_SHARE);
			hello.version = version;
			hello.cipherSuites = concat(hello.cipherSuites, uint16s(0xc009, 0x2f));
			client.begin(hello);
		};
	}

	private static Hello protocols(WireClient client, byte[]... content) {
		return client.hello().with(Hello.APPLICATION_PROTOCOLS, content);
	}

	private static byte[] withLength(WireClient client, int more) {
		byte[] body = client.hello().body();
		return plain(HANDSHAKE, concat(bytes(1), uint24(body.length + more), body));
	}

	/*
	 * Returns a request of the given length.
	 */
	private static byte[] large(int length) {
		byte[] request = new byte[length];
		Arrays.fill(request, (byte) ' ');
		byte[] line = ascii("GET / HTTP/1.1\r\nHost: localhost\r\nContent-Length: ");
		byte[] empty = ascii("GET / HTTP/1.1\r\nHost: localhost\r\nContent-Length: 00000\r\n\r\n");
		System.arraycopy(line, 0, request, 0, line.length);
		byte[] rest = ascii("%05d\r\n\r\n".formatted(length - empty.length));
		System.arraycopy(rest, 0, request, line.length, rest.length);
		return request;
	}

}
