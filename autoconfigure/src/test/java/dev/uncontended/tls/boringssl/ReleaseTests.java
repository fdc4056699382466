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
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.SSLException;
import javax.net.ssl.TrustManager;
import javax.net.ssl.X509ExtendedTrustManager;

import dev.uncontended.tls.LiveInstances;
import dev.uncontended.tls.TestKeyStore;
import dev.uncontended.tls.session.internal.SessionTokens;
import dev.uncontended.tls.session.internal.TestSessions;
import io.netty.util.ReferenceCounted;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import org.springframework.test.util.ReflectionTestUtils;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatNoException;
import static org.mockito.AdditionalAnswers.delegatesTo;
import static org.mockito.ArgumentMatchers.any;
import static org.mockito.BDDMockito.willAnswer;
import static org.mockito.Mockito.mock;

/**
 * Tests for the release of native memory.
 */
class ReleaseTests {

	private static final String ENGINE = "io.netty.handler.ssl.ReferenceCountedOpenSslEngine";

	@TempDir
	static Path directory;

	static TestKeyStore server;

	private final TestTicketKeys keys = new TestTicketKeys();

	private final SessionTokens cache = TestSessions.cache();

	private final BoringSslSessions sessions = new BoringSslSessions(this.cache, this.keys.keys());

	@BeforeAll
	static void createKeyStore() {
		server = TestKeyStore.create(directory.resolve("server.p12"), "server.test");
	}

	private EnginePair connect(SSLContext context) throws Exception {
		SSLEngine client = server.sslContext(server).createSSLEngine("localhost", 443);
		return new EnginePair(client, context.createSSLEngine()).handshake();
	}

	@Test
	void engineIsReleasedWhenServerCloses() throws Exception {
		EnginePair pair = connect(Contexts.create("host", this.sessions, server, server));
		assertThat(isReleased(pair)).isFalse();
		pair.close();
		assertThat(isReleased(pair)).isTrue();
		assertThat(pair.server().isInboundDone()).isTrue();
		assertThat(pair.server().getSession().getProtocol()).isEqualTo("TLSv1.3");
	}

	@Test
	void engineIsReleasedWhenClientCloses() throws Exception {
		EnginePair pair = connect(Contexts.create("host", this.sessions, server, server));
		pair.client().closeOutbound();
		pair.step();
		pair.step();
		assertThat(isReleased(pair)).isTrue();
	}

	/**
	 * Netty does not wrap after it has closed both directions.
	 */
	@Test
	void engineIsReleasedWithoutWrap() throws Exception {
		EnginePair pair = connect(Contexts.create("host", this.sessions, server, server));
		pair.server().closeOutbound();
		assertThat(isReleased(pair)).isTrue();
		pair.step();
		assertThat(pair.client().isInboundDone()).isTrue();
		assertThat(pair.server().isOutboundDone()).isTrue();
	}

	@Test
	void engineIsReleasedWhenConnectionIsTruncated() throws Exception {
		EnginePair pair = connect(Contexts.create("host", this.sessions, server, server));
		assertThatExceptionOfType(SSLException.class).isThrownBy(pair.server()::closeInbound)
			.withMessageContaining("close_notify");
		assertThat(isReleased(pair)).isTrue();
	}

	@Test
	void engineIsReleasedWhenConnectionFails() throws Exception {
		SSLEngine engine = Contexts.create("host", this.sessions, server, server).createSSLEngine();
		assertThatExceptionOfType(SSLException.class)
			.isThrownBy(() -> engine.unwrap(ByteBuffer.allocate(32), ByteBuffer.allocate(20_000)));
		assertThat(isReleased(engine)).isTrue();
	}

	/**
	 * The native connection is in use while a trust manager runs.
	 */
	@ParameterizedTest
	@ValueSource(strings = { "TLSv1.2", "TLSv1.3" })
	void engineClosedByTrustManagerIsReleasedAfterwards(String protocol) throws Exception {
		X509ExtendedTrustManager trust = mock(X509ExtendedTrustManager.class,
				delegatesTo(Contexts.trustManagers(server)[0]));
		willAnswer((check) -> {
			check.<SSLEngine>getArgument(2).closeOutbound();
			return null;
		}).given(trust).checkClientTrusted(any(), any(), any(SSLEngine.class));
		SSLEngine engine = Contexts
			.create(new BoringSslTlsEngine(this.sessions, List.of()), Contexts.keyManagers(server),
					new TrustManager[] { trust })
			.createSSLEngine();
		engine.setNeedClientAuth(true);
		SSLEngine client = server.sslContext(server).createSSLEngine("localhost", 443);
		client.setEnabledProtocols(new String[] { protocol });
		assertThat(HandshakeOutcome.of(client, engine).completed()).isFalse();
		assertThat(engine.isOutboundDone()).isTrue();
		assertThat(isReleased(engine)).isTrue();
	}

	/**
	 * The client can read each record, up to the close_notify.
	 */
	@Test
	void engineClosedDuringWrapOfOtherThreadIsReleased() throws Exception {
		SSLContext context = Contexts.create("host", this.sessions, server, server);
		ByteBuffer record = ByteBuffer.allocate(20_000);
		ByteBuffer in = ByteBuffer.allocate(20_000);
		for (int i = 0; i < 200; i++) {
			EnginePair pair = connect(context);
			CountDownLatch wrapped = new CountDownLatch(1);
			CompletableFuture<Void> writes = CompletableFuture.runAsync(() -> {
				while (!pair.client().isInboundDone()) {
					assertThatNoException().isThrownBy(() -> {
						pair.server().wrap(ByteBuffer.allocate(16_000), record.clear());
						pair.client().unwrap(record.flip(), in.clear());
					});
					wrapped.countDown();
				}
			});
			assertThat(wrapped.await(20, TimeUnit.SECONDS)).isTrue();
			pair.server().closeOutbound();
			writes.get(20, TimeUnit.SECONDS);
			assertThat(isReleased(pair)).isTrue();
			assertThat(pair.server().isOutboundDone()).isTrue();
		}
	}

	@Test
	void engineWithoutClientNeedsNoNativeConnection() throws Exception {
		SSLEngine engine = Contexts.create("host", this.sessions, server, server).createSSLEngine();
		engine.beginHandshake();
		engine.unwrap(ByteBuffer.allocate(0), ByteBuffer.allocate(20_000));
		engine.wrap(ByteBuffer.allocate(0), ByteBuffer.allocate(20_000));
		assertThat(ReflectionTestUtils.getField(engine, "delegate")).isNull();
		engine.closeOutbound();
		assertThat(engine.isInboundDone() && engine.isOutboundDone()).isTrue();
	}

	private static boolean isReleased(EnginePair pair) {
		return isReleased(pair.server());
	}

	private static boolean isReleased(SSLEngine engine) {
		return ((ReferenceCounted) ReflectionTestUtils.getField(engine, "delegate")).refCnt() == 0;
	}

	@Test
	void unreachableEnginesAndContextsAreReleased() throws Exception {
		int before = this.keys.contexts();
		// The engines that servers of other tests pool.
		long engines = LiveInstances.count(ENGINE);
		for (int i = 0; i < 20; i++) {
			connect(Contexts.create("host", this.sessions, server, server));
		}
		assertThat(this.keys.contexts()).isGreaterThan(before);
		Awaitility.await().untilAsserted(() -> {
			System.gc();
			assertThat(this.keys.contexts()).isEqualTo(before);
			assertThat(LiveInstances.count(ENGINE)).isLessThanOrEqualTo(engines);
		});
	}

	@Test
	void closeUnsubscribesFromKeysAndCache() {
		this.sessions.close();
		assertThat(this.keys.contexts()).isZero();
		long ends = this.keys.ends();
		this.cache.endAll();
		assertThat(this.keys.ends()).isEqualTo(ends);
	}

	@Test
	void contextOfEngineInUseIsKept() throws Exception {
		EnginePair pair = connect(Contexts.create("host", this.sessions, server, server));
		for (int i = 0; i < 3; i++) {
			System.gc();
			assertThat(pair.toServer("hello")).isEqualTo("hello");
			assertThat(pair.toClient("hello")).isEqualTo("hello");
		}
	}

}
