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

package dev.uncontended.tls.handshake;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

import javax.net.ssl.SSLHandshakeException;

import dev.uncontended.tls.handshake.FailedTlsHandshake.Reason;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for {@link TlsHandshakes}.
 */
class TlsHandshakesTests {

	private static final TlsServerId TOMCAT = new TlsServerId("tomcat", TlsServerId.Context.APPLICATION);

	private static final TlsServerId MANAGEMENT = new TlsServerId("tomcat", TlsServerId.Context.MANAGEMENT);

	private static final HandshakeKind AES_128 = TestHandshakes.kind(TOMCAT);

	private static final HandshakeKind AES_256 = TestHandshakes.kind(MANAGEMENT, "TLSv1.3", "TLS_AES_256_GCM_SHA384");

	private final TlsHandshakes handshakes = new TlsHandshakes();

	@Test
	void hasNoCountsBeforeFirstHandshake() {
		assertThat(this.handshakes.counts()).isEmpty();
		assertThat(this.handshakes.failedCounts()).isEmpty();
		assertThat(this.handshakes.reportingErrors()).isZero();
	}

	@ParameterizedTest
	@ValueSource(strings = { "no cipher suites in common", "(unexpected_message) No common named group",
			"Unexpected key_share extension in HelloRetryRequest",
			"error:100000c9:SSL routines:OPENSSL_internal:NO_SHARED_GROUP" })
	void missingCipherSuiteOrGroupHasReasonCipher(String message) {
		assertThat(Reason.of(new SSLHandshakeException(message))).isEqualTo(Reason.CIPHER);
	}

	@Test
	void countsFullAndResumedHandshakesOfEachKind() {
		complete(AES_128, false);
		complete(AES_256, false);
		complete(AES_256, true);
		complete(AES_256, true);
		assertThat(this.handshakes.counts())
			.isEqualTo(Map.of(AES_128, new HandshakeCount(1, 0), AES_256, new HandshakeCount(1, 2)));
		assertThat(this.handshakes.counts().get(AES_256)).isEqualTo(new HandshakeCount(1, 2));
	}

	@Test
	void countsFailedHandshakesOfEachServerAndReason() {
		this.handshakes.failed(new FailedTlsHandshake(TOMCAT, Reason.CIPHER));
		this.handshakes.failed(new FailedTlsHandshake(TOMCAT, Reason.CIPHER));
		this.handshakes.failed(new FailedTlsHandshake(MANAGEMENT, Reason.CIPHER));
		assertThat(this.handshakes.failedCounts()).isEqualTo(Map.of(new FailedTlsHandshake(TOMCAT, Reason.CIPHER), 2L,
				new FailedTlsHandshake(MANAGEMENT, Reason.CIPHER), 1L));
		assertThat(this.handshakes.counts()).isEmpty();
	}

	@Test
	void countsConcurrentHandshakesExactly() throws Exception {
		int threads = 8;
		int rounds = 5_000;
		CountDownLatch start = new CountDownLatch(1);
		ExecutorService executor = Executors.newFixedThreadPool(threads);
		try {
			List<Future<?>> results = new ArrayList<>();
			for (int i = 0; i < threads; i++) {
				results.add(executor.submit((Callable<Void>) () -> {
					start.await();
					for (int round = 0; round < rounds; round++) {
						complete(AES_128, round % 5 != 0);
					}
					return null;
				}));
			}
			start.countDown();
			for (Future<?> result : results) {
				result.get();
			}
		}
		finally {
			executor.shutdownNow();
		}
		assertThat(this.handshakes.counts().get(AES_128))
			.isEqualTo(new HandshakeCount(threads * rounds / 5, threads * rounds / 5 * 4));
	}

	@Test
	void notifiesListenersOfEachHandshake() {
		List<Object> told = new ArrayList<>();
		this.handshakes.addListener(recorder(told));
		TlsHandshake completed = complete(AES_128, true);
		FailedTlsHandshake failed = new FailedTlsHandshake(TOMCAT, Reason.ABORTED);
		this.handshakes.failed(failed);
		assertThat(told).containsExactly(completed, failed);
	}

	@Test
	void acceptsListenerWithoutMethods() {
		this.handshakes.addListener(new TlsHandshakeListener() {
		});
		complete(AES_128, true);
		this.handshakes.failed(new FailedTlsHandshake(TOMCAT, Reason.OTHER));
		assertThat(this.handshakes.reportingErrors()).isZero();
	}

	@Test
	void failingListenerDoesNotAffectCountsAndOthers() {
		List<Object> told = new ArrayList<>();
		this.handshakes.addListener(new TlsHandshakeListener() {

			@Override
			public void completed(TlsHandshake handshake) {
				throw new IllegalStateException("broken");
			}

			@Override
			public void failed(FailedTlsHandshake handshake) {
				throw new IllegalStateException("broken");
			}

		});
		this.handshakes.addListener(recorder(told));
		complete(AES_128, false);
		this.handshakes.failed(new FailedTlsHandshake(TOMCAT, Reason.OTHER));
		assertThat(told).hasSize(2);
		assertThat(this.handshakes.counts().get(AES_128)).isEqualTo(new HandshakeCount(1, 0));
		assertThat(this.handshakes.reportingErrors()).isEqualTo(2);
	}

	private TlsHandshake complete(HandshakeKind kind, boolean resumed) {
		TlsHandshake handshake = new TlsHandshake(kind, resumed, Duration.ofMillis(1));
		this.handshakes.completed(handshake);
		return handshake;
	}

	private static TlsHandshakeListener recorder(List<Object> told) {
		return new TlsHandshakeListener() {

			@Override
			public void completed(TlsHandshake handshake) {
				told.add(handshake);
			}

			@Override
			public void failed(FailedTlsHandshake handshake) {
				told.add(handshake);
			}

		};
	}

}
