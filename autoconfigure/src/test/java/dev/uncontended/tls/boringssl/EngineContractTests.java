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

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.stream.Stream;

import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.SSLException;
import javax.net.ssl.SSLParameters;

import dev.uncontended.tls.TestKeyStore;
import dev.uncontended.tls.session.SslSessionCache;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Named;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Runs the same scripts with the JDK's engine and {@link BoringSslEngine}.
 */
class EngineContractTests {

	private static final byte[] NONE = {};

	private static final byte[] HTTP = "GET / HTTP/1.1\r\nHost: localhost\r\n\r\n".getBytes(StandardCharsets.US_ASCII);

	private static final int RECORD_HEADER = 5;

	@TempDir
	static Path directory;

	static TestKeyStore key;

	@BeforeAll
	static void createKeyStore() {
		key = TestKeyStore.create(directory.resolve("server.p12"), "server.test");
	}

	@ParameterizedTest(name = "{1} {0}")
	@MethodSource("scripts")
	void returnsSameResultsAsJdkEngine(Consumer<ServerScript> script, String protocol) {
		assertThat(run(boringSsl(), protocol, script).lines()).isEqualTo(run(jdk(), protocol, script).lines());
	}

	static Stream<Arguments> scripts() {
		return eachProtocol(List.of(
				Named.of("handshake and data",
						(script) -> script.handshake().wrap().wrap("world").unwrap(script.clientSends("hello"))),
				Named.of("new engine", (script) -> script.status().unwrap(NONE).unwrap(new byte[3])),
				Named.of("wrap first", (script) -> script.wrap().wrap("early").handshake()),
				Named.of("unwrap instead of wrap", (script) -> script.unwrap(script.clientSends("")).unwrap(NONE)),
				Named.of("beginHandshake", (script) -> script.begin().begin().wrap().unwrap(NONE).handshake()),
				Named.of("tiny buffers in the handshake",
						(script) -> script.unwrap(script.clientSends("")).wrap("", 0).wrap("", 3).exchange(NONE)),
				Named.of("tiny buffers", EngineContractTests::tinyBuffers),
				Named.of("two records at once",
						(script) -> script.handshake()
							.unwrap(concatenate(script.clientSends("hello"), script.clientSends("again")))),
				Named.of("closeInbound of a new engine",
						(script) -> script.closeInbound().wrap().wrap().unwrap(script.clientSends(""))),
				Named.of("closeInbound after the handshake",
						(script) -> script.handshake()
							.closeInbound()
							.closeInbound()
							.wrap("data")
							.closeOutbound()
							.wrap()),
				Named.of("closeOutbound", EngineContractTests::closeOutbound),
				Named.of("late data", EngineContractTests::lateData),
				Named.of("corrupt record",
						(script) -> script.handshake()
							.unwrap(corrupt(script.clientSends("hello")))
							.unwrap(new byte[5])
							.wrap("data", 3)
							.wrap("data")
							.wrap("data")
							.unwrap(new byte[5])
							.closeInbound()
							.closeOutbound()
							.wrap()),
				Named.of("corrupt record, then close",
						(script) -> script.handshake()
							.unwrap(corrupt(script.clientSends("hello")))
							.closeOutbound()
							.closeInbound()
							.wrap()
							.wrap()),
				Named.of("corrupt second record",
						(script) -> script.handshake()
							.unwrap(script.clientSends("hello"))
							.unwrap(corrupt(script.clientSends("hello")))
							.wrap()
							.wrap()),
				Named.of("corrupt record in the handshake",
						(script) -> script.exchange(script.clientSends(""))
							.exchange(corrupt(script.clientSends("")))
							.wrap()
							.unwrap(NONE)),
				Named.of("no common cipher suite", (script) -> script.exchange(noCommonSuite(script)).wrap()),
				Named.of("no common protocol", (script) -> script.exchange(noCommonProtocol(script)).wrap()),
				Named.of("no common application protocol",
						(script) -> script.exchange(applicationProtocols(script, "ftp")).wrap().unwrap(NONE)),
				Named.of("application protocol", (script) -> script.exchange(applicationProtocols(script, "h2"))),
				Named.of("alert of the client in the handshake",
						(script) -> script.exchange(script.clientSends("")).unwrap(alert(2, 80)).wrap().unwrap(NONE)),
				Named.of("alert of the client instead of a hello",
						(script) -> script.unwrap(alert(2, 80)).wrap().unwrap(NONE)),
				Named.of("hello in many records", (script) -> {
					fragments(applicationProtocols(script, "h2")).forEach(script::unwrap);
					script.exchange(script.clientSends(""));
				}),
				Named.of("hello that breaks off",
						(script) -> script.unwrap(fragments(applicationProtocols(script, "h2")).get(0))
							.exchange(new byte[] { 23, 3, 3, 0, 1, 0 })),
				Named.of("alert inside a hello",
						(script) -> script.unwrap(fragments(applicationProtocols(script, "h2")).get(0))
							.exchange(alert(1, 112))),
				Named.of("malformed application protocols",
						(script) -> script.exchange(applicationProtocolList(script, 0, 1, 1, 'x')).wrap()),
				Named.of("empty application protocol",
						(script) -> script.exchange(applicationProtocolList(script, 0, 2, 0, 0)).wrap())));
	}

	/**
	 * Intermediate statuses differ for the given reasons. The client's view and the final
	 * state are equal.
	 */
	@ParameterizedTest(name = "{1} {0}")
	@MethodSource("similarScripts")
	void closesLikeJdkEngine(Consumer<ServerScript> script, String protocol) {
		assertThat(run(boringSsl(), protocol, script).outcome()).isEqualTo(run(jdk(), protocol, script).outcome());
	}

	static Stream<Arguments> similarScripts() {
		return eachProtocol(List.of(
				// The JDK's engine still reads a ClientHello after closeOutbound, without
				// effect.
				Named.of("closeOutbound of a new engine", (script) -> script.closeOutbound().wrap().closeInbound()),
				// BoringSSL sends both alerts in one call.
				Named.of("closeOutbound before the hello", (script) -> {
					script.clientSends("");
					script.begin().closeOutbound().exchange(NONE).wrap().closeInbound();
				}),
				// With TLS 1.3 the JDK's engine leaves the other direction open.
				Named.of("close_notify of the client", (script) -> {
					script.handshake().client().closeOutbound();
					script.unwrap(script.clientSends("")).closeOutbound().wrap().wrap().unwrap(NONE).closeInbound();
				}),
				// BoringSSL releases its memory with the last byte sent.
				Named.of("close_notify of both", (script) -> {
					script.handshake().closeOutbound().wrap();
					script.client().closeOutbound();
					script.unwrap(script.clientSends(""));
				})));
	}

	/**
	 * BoringSSL may send different alerts for its own reasons.
	 */
	@ParameterizedTest(name = "{1} {0}")
	@MethodSource("refusedScripts")
	void rejectsWhatJdkEngineRejects(Consumer<ServerScript> script, String protocol) {
		assertThat(run(boringSsl(), protocol, script).isRefused()).isTrue();
		assertThat(run(jdk(), protocol, script).isRefused()).isTrue();
	}

	static Stream<Arguments> refusedScripts() {
		return eachProtocol(List.of(Named.of("plain HTTP", (script) -> script.exchange(HTTP)),
				Named.of("SSL 2",
						(script) -> script
							.exchange(Arrays.copyOf(new byte[] { (byte) 0x80, 46, 1, 3, 3, 0, 21, 0, 0, 0, 16 }, 48))),
				Named.of("hello of 16 MB", (script) -> {
					applicationProtocols(script, "h2");
					script.exchange(new byte[] { 22, 3, 1, 0, 5, 1, (byte) 0xff, 0, 0, 3 });
				}), Named.of("other message instead of a hello", (script) -> {
					applicationProtocols(script, "h2");
					script.exchange(new byte[] { 22, 3, 1, 0, 4, 20, 0, 0, 0 });
				}), Named.of("oversized record of the hello", (script) -> {
					applicationProtocols(script, "h2");
					script.exchange(new byte[] { 22, 3, 1, (byte) 0xff, (byte) 0xff, 1, 0, 0 });
				}),
				Named.of("oversized record",
						(script) -> script.handshake().exchange(new byte[] { 23, 3, 3, (byte) 0xff, (byte) 0xff, 1 })),
				Named.of("alert in clear after the handshake", (script) -> script.handshake().exchange(alert(2, 80))),
				Named.of("plain HTTP after the handshake",
						(script) -> script.handshake().exchange(Arrays.copyOf(HTTP, 20_000)))));
	}

	/**
	 * As in the JDK's engine since version 25.
	 */
	@Test
	void rejectsEmptyRecordInClientHello() {
		ServerScript script = run(boringSsl(), "TLSv1.3",
				(run) -> run.unwrap(fragments(applicationProtocols(run, "h2")).get(0))
					.exchange(new byte[] { 22, 3, 1, 0, 0 }));
		assertThat(script.isRefused()).isTrue();
	}

	/**
	 * The JDK's engine stays at NEED_WRAP and never finishes outbound.
	 */
	@ParameterizedTest
	@ValueSource(strings = { "TLSv1.2", "TLSv1.3" })
	void closesBothDirectionsIfInboundIsClosedInHandshake(String protocol) {
		ServerScript before = run(boringSsl(), protocol, (script) -> script.begin().closeInbound());
		ServerScript during = run(boringSsl(), protocol,
				(script) -> script.exchange(script.clientSends("")).closeInbound());
		assertThat(List.of(before, during)).allSatisfy((script) -> assertThat(script.lines())
			.endsWith("closeInbound: an exception", "  NOT_HANDSHAKING, inbound done, outbound done"));
	}

	/**
	 * One thread wraps while another unwraps, as in servers.
	 */
	@ParameterizedTest
	@ValueSource(strings = { "TLSv1.2", "TLSv1.3" })
	void wrapsAndUnwrapsConcurrently(String protocol) throws Exception {
		ServerScript script = run(boringSsl(), protocol, ServerScript::handshake);
		SSLEngine server = script.server();
		byte[] record = script.clientSends("x".repeat(10_000));
		CompletableFuture<Integer> wrapped = CompletableFuture.supplyAsync(() -> wrapRecords(server, 2_000));
		int read = 0;
		for (int i = 0; i < 2_000; i++) {
			ByteBuffer destination = ByteBuffer.allocate(1 << 15);
			assertThat(server.unwrap(ByteBuffer.wrap(record), destination).bytesProduced()).isEqualTo(10_000);
			read += destination.position();
			record = script.clientSends("x".repeat(10_000));
		}
		assertThat(read).isEqualTo(20_000_000);
		assertThat(wrapped.get(60, TimeUnit.SECONDS)).isEqualTo(20_000_000);
		server.closeOutbound();
		script.wrap();
		assertThat(server.isOutboundDone()).isTrue();
	}

	private static int wrapRecords(SSLEngine server, int count) {
		int consumed = 0;
		try {
			for (int i = 0; i < count; i++) {
				consumed += server.wrap(ByteBuffer.allocate(10_000), ByteBuffer.allocate(1 << 15)).bytesConsumed();
			}
			return consumed;
		}
		catch (SSLException ex) {
			throw new IllegalStateException(ex);
		}
	}

	/**
	 * A third thread closes the engine at any moment.
	 */
	@ParameterizedTest
	@ValueSource(strings = { "TLSv1.2", "TLSv1.3" })
	void canBeClosedByOtherThread(String protocol) throws Exception {
		for (int i = 0; i < 50; i++) {
			SSLEngine server = run(boringSsl(), protocol, ServerScript::handshake).server();
			CompletableFuture<Integer> wrapped = CompletableFuture.supplyAsync(() -> wrapRecords(server, 50));
			CompletableFuture<Void> closed = CompletableFuture.runAsync(server::closeOutbound);
			for (int j = 0; j < 50; j++) {
				server.unwrap(ByteBuffer.allocate(0), ByteBuffer.allocate(1 << 15));
			}
			wrapped.get(60, TimeUnit.SECONDS);
			closed.get(60, TimeUnit.SECONDS);
			while (!server.isOutboundDone()) {
				server.wrap(ByteBuffer.allocate(0), ByteBuffer.allocate(1 << 15));
			}
		}
	}

	private static void tinyBuffers(ServerScript script) {
		script.handshake().wrap("hello", 0).wrap("hello", 3).wrap("hello");
		byte[] record = script.clientSends("hello");
		script.unwrap(record, 0)
			.unwrap(record, 3)
			.unwrap(Arrays.copyOf(record, 3))
			.unwrap(Arrays.copyOf(record, record.length - 1))
			.unwrap(record);
	}

	private static void closeOutbound(ServerScript script) {
		script.handshake().closeOutbound().wrap("", 3).wrap("data", 3);
	}

	private static void lateData(ServerScript script) {
		script.handshake();
		byte[] late = script.clientSends("late");
		script.closeOutbound().unwrap(late);
	}

	private static byte[] noCommonSuite(ServerScript script) {
		script.server().setEnabledCipherSuites(new String[] { "TLS_ECDHE_ECDSA_WITH_AES_128_GCM_SHA256" });
		if (script.client().getEnabledProtocols()[0].equals("TLSv1.2")) {
			script.client().setEnabledCipherSuites(new String[] { "TLS_ECDHE_RSA_WITH_AES_128_GCM_SHA256" });
		}
		return script.clientSends("");
	}

	private static byte[] noCommonProtocol(ServerScript script) {
		String protocol = script.client().getEnabledProtocols()[0];
		script.server().setEnabledProtocols(new String[] { protocol.equals("TLSv1.2") ? "TLSv1.3" : "TLSv1.2" });
		return script.clientSends("");
	}

	private static byte[] applicationProtocols(ServerScript script, String offered) {
		setApplicationProtocol(script.server(), "h2");
		setApplicationProtocol(script.client(), offered);
		return script.clientSends("");
	}

	private static void setApplicationProtocol(SSLEngine engine, String protocol) {
		SSLParameters parameters = engine.getSSLParameters();
		parameters.setApplicationProtocols(new String[] { protocol });
		engine.setSSLParameters(parameters);
	}

	/*
	 * Replaces a list with one name by another list of the same length.
	 */
	private static byte[] applicationProtocolList(ServerScript script, int... list) {
		byte[] hello = applicationProtocols(script, "x");
		int start = new String(hello, StandardCharsets.ISO_8859_1).indexOf("\0\u0010\0\u0004\0\u0002\u0001x") + 4;
		assertThat(start).isGreaterThan(RECORD_HEADER);
		for (int i = 0; i < list.length; i++) {
			hello[start + i] = (byte) list[i];
		}
		return hello;
	}

	private static List<byte[]> fragments(byte[] record) {
		return Stream.iterate(RECORD_HEADER, (start) -> start < record.length, (start) -> start + 50).map((start) -> {
			int length = Math.min(50, record.length - start);
			ByteBuffer fragment = ByteBuffer.allocate(RECORD_HEADER + length);
			return fragment.put(record, 0, 3).putShort((short) length).put(record, start, length).array();
		}).toList();
	}

	private static byte[] alert(int level, int description) {
		return new byte[] { 21, 3, 3, 0, 2, (byte) level, (byte) description };
	}

	private static byte[] concatenate(byte[] first, byte[] second) {
		return ByteBuffer.allocate(first.length + second.length).put(first).put(second).array();
	}

	private static byte[] corrupt(byte[] record) {
		record[record.length - 1] ^= 1;
		return record;
	}

	private static Stream<Arguments> eachProtocol(List<Named<Consumer<ServerScript>>> scripts) {
		return Stream.of("TLSv1.2", "TLSv1.3")
			.flatMap((protocol) -> scripts.stream().map((script) -> Arguments.of(script, protocol)));
	}

	private static ServerScript run(SSLEngine server, String protocol, Consumer<ServerScript> script) {
		SSLEngine client = key.sslContext(key).createSSLEngine("localhost", 443);
		client.setEnabledProtocols(new String[] { protocol });
		ServerScript run = new ServerScript(server, client);
		script.accept(run);
		return run;
	}

	private static SSLEngine jdk() {
		return key.sslContext(key).createSSLEngine();
	}

	private static SSLEngine boringSsl() {
		SSLContext context = Contexts.create("host",
				new BoringSslSessions(SslSessionCache.builder().build(), new TestTicketKeys()), key, key);
		return context.createSSLEngine();
	}

}
