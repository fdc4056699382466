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
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.Set;
import java.util.function.BiFunction;

import javax.net.ssl.SSLEngine;
import javax.net.ssl.SSLEngineResult;
import javax.net.ssl.SSLEngineResult.HandshakeStatus;
import javax.net.ssl.SSLEngineResult.Status;
import javax.net.ssl.SSLException;
import javax.net.ssl.SSLParameters;
import javax.net.ssl.SSLSession;

import dev.uncontended.tls.engine.RenewableSslContext;
import dev.uncontended.tls.engine.ReportingSslEngine;
import dev.uncontended.tls.engine.TlsEngine;
import dev.uncontended.tls.handshake.FailedTlsHandshake;
import dev.uncontended.tls.handshake.FailedTlsHandshake.Reason;
import dev.uncontended.tls.handshake.HandshakeCount;
import dev.uncontended.tls.handshake.TlsHandshake;
import dev.uncontended.tls.handshake.TlsHandshakeListener;
import dev.uncontended.tls.handshake.TlsHandshakes;
import dev.uncontended.tls.handshake.TlsServerId;
import dev.uncontended.tls.session.SslSessionCache;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.mockito.Answers;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.mockito.ArgumentMatchers.any;
import static org.mockito.ArgumentMatchers.anyInt;
import static org.mockito.BDDMockito.given;
import static org.mockito.BDDMockito.then;
import static org.mockito.Mockito.mock;
import static org.mockito.Mockito.mockingDetails;
import static org.mockito.Mockito.times;

/**
 * Tests for {@link ReportingSslEngine} and {@link JdkSslEngine}. The sessions of the
 * mocks are not those of the engine, so each handshake counts as resumed.
 */
class JdkSslEngineTests {

	private static final TlsServerId SERVER = new TlsServerId("test", TlsServerId.Context.APPLICATION);

	private final ByteBuffer buffer = ByteBuffer.allocate(16);

	private final TlsHandshakes handshakes = new TlsHandshakes();

	private final SSLEngine delegate = mock(SSLEngine.class);

	private final Queue<SSLEngine> engines = new ArrayDeque<>();

	private final RenewableSslContext context = new RenewableSslContext((protocol, keys, trust, random) -> context(),
			"TLS", SERVER, this.handshakes, SslSessionCache.builder().build());

	private ReportingSslEngine engine;

	@BeforeEach
	void createEngine() throws Exception {
		this.context.engineInit(null, null, null);
		this.engine = engine(this.delegate);
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
	 * Returns all methods of an engine on the current JDK, except the peer's address, and
	 * those that delegate to the methods with several buffers.
	 */
	static List<Method> methods() {
		return Arrays.stream(SSLEngine.class.getMethods())
			.filter((method) -> method.getDeclaringClass() == SSLEngine.class)
			.filter((method) -> !Modifier.isFinal(method.getModifiers()))
			.filter((method) -> !Set.of("getPeerHost", "getPeerPort", "wrap", "unwrap").contains(method.getName()))
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
		assertThat(this.handshakes.counts().values()).containsExactly(new HandshakeCount(0, 1));
	}

	@Test
	void reportsHandshakeCompletedByUnwrap() throws Exception {
		givenSession();
		given(this.delegate.unwrap(any(), any(ByteBuffer[].class), anyInt(), anyInt()))
			.willReturn(result(HandshakeStatus.NEED_TASK), result(HandshakeStatus.FINISHED));
		this.engine.unwrap(this.buffer, this.buffer);
		assertThat(this.handshakes.counts()).isEmpty();
		this.engine.unwrap(this.buffer, this.buffer);
		assertThat(this.handshakes.counts().values()).containsExactly(new HandshakeCount(0, 1));
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

	@Test
	void reportsOneHandshakePerConnection() throws Exception {
		givenSession();
		given(this.delegate.wrap(any(ByteBuffer[].class), anyInt(), anyInt(), any()))
			.willReturn(result(HandshakeStatus.FINISHED));
		this.engine.wrap(this.buffer, this.buffer);
		this.engine.wrap(this.buffer, this.buffer);
		assertThat(this.handshakes.counts().values()).containsExactly(new HandshakeCount(0, 1));
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
	void engineOfReplacedContextIsRecreatedWithItsSettings() throws Exception {
		SSLEngine replacement = mock(SSLEngine.class);
		SSLParameters parameters = new SSLParameters();
		given(this.delegate.getSSLParameters()).willReturn(parameters);
		given(this.delegate.getEnableSessionCreation()).willReturn(true);
		BiFunction<SSLEngine, List<String>, String> selector = (engine, protocols) -> "h2";
		given(this.delegate.getHandshakeApplicationProtocolSelector()).willReturn(selector);
		given(this.delegate.getHandshakeStatus()).willReturn(HandshakeStatus.NEED_UNWRAP);
		given(replacement.unwrap(any(), any(ByteBuffer[].class), anyInt(), anyInt()))
			.willReturn(result(HandshakeStatus.NEED_UNWRAP));
		ReportingSslEngine engine = engine(this.delegate, replacement);
		this.context.endSessions();
		engine.unwrap(this.buffer, this.buffer);
		then(replacement).should().setUseClientMode(false);
		then(replacement).should().setSSLParameters(parameters);
		then(replacement).should().setEnableSessionCreation(true);
		then(replacement).should().setHandshakeApplicationProtocolSelector(selector);
		then(replacement).should().beginHandshake();
		this.context.endSessions();
		engine.unwrap(this.buffer, this.buffer);
		then(replacement).should(times(2)).unwrap(any(), any(ByteBuffer[].class), anyInt(), anyInt());
		assertThat(this.engines).isEmpty();
	}

	@ParameterizedTest
	@ValueSource(booleans = { true, false })
	void closedEngineIsNotReplaced(boolean inbound) throws Exception {
		SSLEngine replacement = mock(SSLEngine.class);
		ReportingSslEngine engine = engine(this.delegate, replacement);
		this.context.endSessions();
		if (inbound) {
			engine.closeInbound();
		}
		else {
			engine.closeOutbound();
		}
		engine.unwrap(this.buffer, this.buffer);
		then(replacement).shouldHaveNoInteractions();
		then(this.delegate).should().unwrap(any(), any(ByteBuffer[].class), anyInt(), anyInt());
	}

	@Test
	void replacementIsClosedIfEngineIsClosedMeanwhile() throws Exception {
		SSLEngine replacement = mock(SSLEngine.class);
		ReportingSslEngine engine = engine(this.delegate, replacement);
		given(this.delegate.getSSLParameters()).willAnswer((invocation) -> {
			engine.closeOutbound();
			return new SSLParameters();
		});
		given(replacement.unwrap(any(), any(ByteBuffer[].class), anyInt(), anyInt()))
			.willReturn(result(HandshakeStatus.NEED_UNWRAP));
		this.context.endSessions();
		engine.unwrap(this.buffer, this.buffer);
		then(replacement).should().closeOutbound();
	}

	@Test
	void jdkCachesNoSessionByPortOfClient() throws Exception {
		SSLEngine replacement = mock(SSLEngine.class);
		this.engines.addAll(List.of(this.delegate, replacement));
		ReportingSslEngine engine = new JdkSslEngine(this.context, this.context.current(), JdkGroups.DEFAULT, "client",
				1234);
		then(this.context.current().sslContext()).should().createSSLEngine("client", -1);
		this.context.endSessions();
		given(replacement.unwrap(any(), any(ByteBuffer[].class), anyInt(), anyInt()))
			.willReturn(result(HandshakeStatus.NEED_UNWRAP));
		engine.unwrap(this.buffer, this.buffer);
		then(this.context.current().sslContext()).should().createSSLEngine("client", -1);
		assertThat(engine.getPeerPort()).isEqualTo(1234);
	}

	private ReportingSslEngine engine(SSLEngine... engines) {
		this.engines.addAll(List.of(engines));
		return new JdkSslEngine(this.context, this.context.current(), JdkGroups.DEFAULT, null, -1);
	}

	private TlsEngine.Context context() {
		TlsEngine.Context context = mock(TlsEngine.Context.class, Answers.RETURNS_DEEP_STUBS);
		given(context.sslContext().getProvider()).willReturn(Security.getProvider("SunJSSE"));
		given(context.sslContext().createSSLEngine(any(), anyInt())).willAnswer((call) -> this.engines.remove());
		return context;
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
