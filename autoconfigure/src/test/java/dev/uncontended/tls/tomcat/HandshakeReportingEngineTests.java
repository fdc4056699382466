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

package dev.uncontended.tls.tomcat;

import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.List;

import javax.net.ssl.SSLEngine;
import javax.net.ssl.SSLEngineResult;
import javax.net.ssl.SSLEngineResult.HandshakeStatus;
import javax.net.ssl.SSLEngineResult.Status;
import javax.net.ssl.SSLSession;

import dev.uncontended.tls.HandshakeCount;
import dev.uncontended.tls.SslSessionCache;
import dev.uncontended.tls.TlsHandshakes;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.mockito.ArgumentMatchers.any;
import static org.mockito.ArgumentMatchers.anyInt;
import static org.mockito.BDDMockito.given;
import static org.mockito.Mockito.mock;
import static org.mockito.Mockito.mockingDetails;

/**
 * Tests for {@link HandshakeReportingEngine}.
 */
class HandshakeReportingEngineTests {

	private final ByteBuffer buffer = ByteBuffer.allocate(16);

	private final TlsHandshakes handshakes = new TlsHandshakes(SslSessionCache.builder().build());

	private final SSLEngine delegate = mock(SSLEngine.class);

	private final HandshakeReportingEngine engine = new HandshakeReportingEngine(this.delegate, this.handshakes);

	@ParameterizedTest
	@MethodSource("methods")
	void passesEachMethodOn(Method method) throws Exception {
		Object[] arguments = Arrays.stream(method.getParameterTypes())
			.map(HandshakeReportingEngineTests::argument)
			.toArray();
		method.invoke(this.engine, arguments);
		assertThat(mockingDetails(this.delegate).getInvocations()).singleElement().satisfies((invocation) -> {
			assertThat(invocation.getMethod().getName()).isEqualTo(method.getName());
			assertThat(invocation.getRawArguments()).containsExactly(arguments);
		});
	}

	/*
	 * All that may be asked of an engine, on whatever JDK this runs, except for what is
	 * asked of it by way of the methods with several buffers.
	 */
	static List<Method> methods() {
		return Arrays.stream(SSLEngine.class.getMethods())
			.filter((method) -> method.getDeclaringClass() == SSLEngine.class)
			.filter((method) -> !Modifier.isFinal(method.getModifiers()))
			.filter((method) -> !method.getName().equals("wrap") && !method.getName().equals("unwrap"))
			.toList();
	}

	private static Object argument(Class<?> type) {
		return (type == boolean.class) ? (Object) true : type.isArray() ? new String[] { "argument" } : mock(type);
	}

	@Test
	void reportsAHandshakeThatAWrapCompletes() throws Exception {
		givenSession();
		given(this.delegate.wrap(any(ByteBuffer[].class), anyInt(), anyInt(), any()))
			.willReturn(result(HandshakeStatus.NEED_WRAP), result(HandshakeStatus.FINISHED));
		this.engine.wrap(this.buffer, this.buffer);
		assertThat(this.handshakes.counts()).isEmpty();
		this.engine.wrap(this.buffer, this.buffer);
		assertThat(this.handshakes.counts()).extracting(HandshakeCount::full).containsExactly(1L);
	}

	@Test
	void reportsAHandshakeThatAnUnwrapCompletes() throws Exception {
		givenSession();
		given(this.delegate.unwrap(any(), any(ByteBuffer[].class), anyInt(), anyInt()))
			.willReturn(result(HandshakeStatus.NEED_TASK), result(HandshakeStatus.FINISHED));
		this.engine.unwrap(this.buffer, this.buffer);
		assertThat(this.handshakes.counts()).isEmpty();
		this.engine.unwrap(this.buffer, this.buffer);
		assertThat(this.handshakes.counts()).extracting(HandshakeCount::full).containsExactly(1L);
	}

	@Test
	void reportsOneHandshakeAConnection() throws Exception {
		givenSession();
		given(this.delegate.wrap(any(ByteBuffer[].class), anyInt(), anyInt(), any()))
			.willReturn(result(HandshakeStatus.FINISHED));
		this.engine.wrap(this.buffer, this.buffer);
		this.engine.wrap(this.buffer, this.buffer);
		assertThat(this.handshakes.counts()).extracting(HandshakeCount::full).containsExactly(1L);
	}

	private void givenSession() {
		SSLSession session = mock(SSLSession.class);
		given(session.getId()).willReturn(new byte[] { 1, 2, 3, 4 });
		given(session.getProtocol()).willReturn("TLSv1.3");
		given(session.getCipherSuite()).willReturn("TLS_AES_128_GCM_SHA256");
		given(session.getCreationTime()).willReturn(Long.MAX_VALUE);
		given(this.delegate.getSession()).willReturn(session);
	}

	private static SSLEngineResult result(HandshakeStatus status) {
		return new SSLEngineResult(Status.OK, status, 0, 0);
	}

}
