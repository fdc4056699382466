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

import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.nio.ByteBuffer;
import java.security.Security;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Set;

import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.SSLEngineResult;
import javax.net.ssl.SSLEngineResult.HandshakeStatus;
import javax.net.ssl.SSLEngineResult.Status;
import javax.net.ssl.SSLException;
import javax.net.ssl.SSLSession;

import dev.uncontended.tls.engine.RenewableSslContext;
import dev.uncontended.tls.engine.ReportingSslEngine;
import dev.uncontended.tls.handshake.FailedTlsHandshake;
import dev.uncontended.tls.handshake.FailedTlsHandshake.Reason;
import dev.uncontended.tls.handshake.HandshakeCount;
import dev.uncontended.tls.handshake.TlsHandshake;
import dev.uncontended.tls.handshake.TlsHandshakeListener;
import dev.uncontended.tls.handshake.TlsHandshakes;
import dev.uncontended.tls.handshake.TlsServerId;
import dev.uncontended.tls.session.internal.SessionTokens;
import dev.uncontended.tls.session.internal.TestSessions;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.mockito.Answers;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.mockito.ArgumentMatchers.any;
import static org.mockito.ArgumentMatchers.anyInt;
import static org.mockito.BDDMockito.given;
import static org.mockito.Mockito.mock;
import static org.mockito.Mockito.mockingDetails;

/**
 * Tests for {@link ReportingSslEngine} and {@link JdkSslEngine}. The sessions of the
 * mocks have no token, so each handshake counts as full.
 */
class JdkSslEngineTests {

	private static final TlsServerId SERVER = new TlsServerId("test", TlsServerId.Context.APPLICATION);

	private final ByteBuffer buffer = ByteBuffer.allocate(16);

	private final TlsHandshakes handshakes = new TlsHandshakes();

	private final SSLEngine delegate = mock(SSLEngine.class);

	private final SSLContext sslContext = mock(SSLContext.class, Answers.RETURNS_DEEP_STUBS);

	private final SessionTokens cache = TestSessions.cache();

	private final RenewableSslContext context = new RenewableSslContext(
			(protocol, keys, trust, random) -> new JdkContext(this.sslContext, JdkGroups.DEFAULT, this.cache), "TLS",
			SERVER, this.handshakes);

	private SSLEngine engine;

	@BeforeEach
	void createEngine() throws Exception {
		given(this.sslContext.getProvider()).willReturn(Security.getProvider("SunJSSE"));
		given(this.sslContext.createSSLEngine(any(), anyInt())).willReturn(this.delegate);
		this.context.engineInit(null, null, null);
		this.engine = this.context.engineCreateSSLEngine();
		given(this.delegate.unwrap(any(), any(ByteBuffer[].class), anyInt(), anyInt()))
			.willReturn(result(HandshakeStatus.NEED_UNWRAP));
	}

	@ParameterizedTest
	@MethodSource("methods")
	void delegatesEachMethod(Method method) throws Exception {
		Object[] arguments = Arrays.stream(method.getParameterTypes()).map(JdkSslEngineTests::argument).toArray();
		method.invoke(this.engine, arguments);
		assertThat(mockingDetails(this.delegate).getInvocations()).singleElement().satisfies((invocation) -> {
			assertThat(invocation.getMethod().getName()).isEqualTo(method.getName());
			assertThat(invocation.getRawArguments()).containsExactly(arguments);
		});
	}

	/*
	 * Returns all methods of an engine on the current JDK, except the peer's address,
	 * those that delegate to the methods with several buffers, and the mode, which can
	 * change the delegate.
	 */
	static List<Method> methods() {
		return Arrays.stream(SSLEngine.class.getMethods())
			.filter((method) -> method.getDeclaringClass() == SSLEngine.class)
			.filter((method) -> !Modifier.isFinal(method.getModifiers()))
			.filter((method) -> !Set.of("getPeerHost", "getPeerPort", "wrap", "unwrap", "setUseClientMode")
				.contains(method.getName()))
			.toList();
	}

	private static Object argument(Class<?> type) {
		return (type == boolean.class) ? (Object) true : type.isArray() ? new String[] { "argument" } : mock(type);
	}

	@Test
	void reportsHandshakeCompletedByWrap() throws Exception {
		givenSession();
		given(this.delegate.wrap(any(ByteBuffer[].class), anyInt(), anyInt(), any()))
			.willReturn(result(HandshakeStatus.NEED_WRAP), result(HandshakeStatus.FINISHED));
		this.engine.wrap(this.buffer, this.buffer);
		assertThat(this.handshakes.counts()).isEmpty();
		this.engine.wrap(this.buffer, this.buffer);
		assertThat(this.handshakes.counts().values()).containsExactly(new HandshakeCount(1, 0));
	}

	@Test
	void reportsHandshakeCompletedByUnwrap() throws Exception {
		givenSession();
		given(this.delegate.unwrap(any(), any(ByteBuffer[].class), anyInt(), anyInt()))
			.willReturn(result(HandshakeStatus.NEED_TASK), result(HandshakeStatus.FINISHED));
		this.engine.unwrap(this.buffer, this.buffer);
		assertThat(this.handshakes.counts()).isEmpty();
		this.engine.unwrap(this.buffer, this.buffer);
		assertThat(this.handshakes.counts().values()).containsExactly(new HandshakeCount(1, 0));
	}

	@Test
	void reportsTimeSinceFirstBytes() throws Exception {
		givenSession();
		given(this.delegate.wrap(any(ByteBuffer[].class), anyInt(), anyInt(), any()))
			.willReturn(result(HandshakeStatus.FINISHED));
		List<Duration> durations = new ArrayList<>();
		this.handshakes.addListener(new TlsHandshakeListener() {

			@Override
			public void completed(TlsHandshake handshake) {
				durations.add(handshake.duration());
			}

		});
		long before = System.nanoTime();
		this.engine.unwrap(this.buffer, this.buffer);
		long begun = System.nanoTime();
		while (System.nanoTime() - begun < 1_000_000) {
			Thread.onSpinWait();
		}
		this.engine.wrap(this.buffer, this.buffer);
		Duration longest = Duration.ofNanos(System.nanoTime() - before);
		assertThat(durations).singleElement()
			.satisfies((duration) -> assertThat(duration).isBetween(Duration.ofMillis(1), longest));
	}

	/*
	 * Full and resumed handshakes of one cipher suite must be comparable.
	 */
	@ParameterizedTest
	@ValueSource(booleans = { false, true })
	void groupOfTls12IsUnknown(boolean resumed) throws Exception {
		givenSession();
		given(this.delegate.getSession().getProtocol()).willReturn("TLSv1.2");
		if (resumed) {
			given(this.delegate.getSession().getPeerHost()).willReturn("0123456789abcdef");
		}
		given(this.delegate.wrap(any(ByteBuffer[].class), anyInt(), anyInt(), any()))
			.willReturn(result(HandshakeStatus.FINISHED));
		this.engine.wrap(this.buffer, this.buffer);
		assertThat(this.handshakes.counts()).hasSize(1).allSatisfy((kind, count) -> {
			assertThat(kind.group()).isEqualTo("unknown");
			assertThat(count.resumed()).isEqualTo(resumed ? 1 : 0);
		});
	}

	@Test
	void reportsOneHandshakePerConnection() throws Exception {
		givenSession();
		given(this.delegate.wrap(any(ByteBuffer[].class), anyInt(), anyInt(), any()))
			.willReturn(result(HandshakeStatus.FINISHED));
		this.engine.wrap(this.buffer, this.buffer);
		this.engine.wrap(this.buffer, this.buffer);
		assertThat(this.handshakes.counts().values()).containsExactly(new HandshakeCount(1, 0));
	}

	@Test
	void reportsFailureOnce() throws Exception {
		given(this.delegate.unwrap(any(), any(ByteBuffer[].class), anyInt(), anyInt()))
			.willThrow(new SSLException("broken"));
		for (int i = 0; i < 2; i++) {
			assertThatExceptionOfType(SSLException.class)
				.isThrownBy(() -> this.engine.unwrap(this.buffer, this.buffer));
		}
		this.engine.closeInbound();
		this.engine.closeOutbound();
		assertThat(this.handshakes.failedCounts()).isEqualTo(Map.of(new FailedTlsHandshake(SERVER, Reason.OTHER), 1L));
	}

	@Test
	void reportsHandshakeClosedEarly() throws Exception {
		this.engine.unwrap(this.buffer, this.buffer);
		assertThat(this.handshakes.failedCounts()).isEmpty();
		this.engine.closeOutbound();
		assertThat(this.handshakes.failedCounts())
			.isEqualTo(Map.of(new FailedTlsHandshake(SERVER, Reason.ABORTED), 1L));
	}

	@Test
	void doesNotReportConnectionWithoutData() throws Exception {
		this.engine.unwrap(ByteBuffer.allocate(0), this.buffer);
		this.engine.closeOutbound();
		assertThat(this.handshakes.failedCounts()).isEmpty();
	}

	@Test
	void doesNotReportHandshakeOfClient() throws Exception {
		given(this.delegate.getUseClientMode()).willReturn(true);
		givenSession();
		given(this.delegate.unwrap(any(), any(ByteBuffer[].class), anyInt(), anyInt()))
			.willReturn(result(HandshakeStatus.FINISHED));
		this.engine.unwrap(this.buffer, this.buffer);
		assertThat(this.handshakes.counts()).isEmpty();
	}

	@Test
	@SuppressWarnings("NullAway") // Tests missing checks
	void nullBuffersAreRejectedAsSpecified() {
		assertThatIllegalArgumentException().isThrownBy(() -> this.engine.wrap(this.buffer, null));
		assertThatIllegalArgumentException().isThrownBy(() -> this.engine.wrap((ByteBuffer[]) null, 0, 0, this.buffer));
		assertThatIllegalArgumentException().isThrownBy(() -> this.engine.unwrap(null, this.buffer));
		assertThatIllegalArgumentException()
			.isThrownBy(() -> this.engine.unwrap(this.buffer, (ByteBuffer[]) null, 0, 0));
	}

	@Test
	void addressOfClientIsKept() {
		SSLEngine engine = this.context.engineCreateSSLEngine("client", 1234);
		assertThat(engine.getPeerHost()).isEqualTo("client");
		assertThat(engine.getPeerPort()).isEqualTo(1234);
	}

	private void givenSession() {
		SSLSession session = mock(SSLSession.class);
		given(session.getProtocol()).willReturn("TLSv1.3");
		given(session.getCipherSuite()).willReturn("TLS_AES_128_GCM_SHA256");
		given(this.delegate.getSession()).willReturn(session);
	}

	private static SSLEngineResult result(HandshakeStatus status) {
		return new SSLEngineResult(Status.OK, status, 0, 0);
	}

}
