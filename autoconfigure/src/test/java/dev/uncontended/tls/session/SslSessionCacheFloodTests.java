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

package dev.uncontended.tls.session;

import java.lang.reflect.Proxy;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

import javax.net.ssl.SSLSession;

import dev.uncontended.tls.session.internal.Lineages;
import dev.uncontended.tls.session.internal.TestSessions;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for {@link SslSessionCache} with clients that create sessions as fast as
 * possible.
 */
class SslSessionCacheFloodTests {

	private static final int MAXIMUM_SIZE = 1_000;

	private static final int THREADS = 4;

	private static final int ROUNDS = 60;

	private static final int NEW_SESSIONS = 125;

	private static final int RETURNING_SESSIONS = 25;

	private final Lineages cache = new Lineages(MAXIMUM_SIZE, Duration.ofHours(24), System::nanoTime);

	/*
	 * In each round, half of the cache is filled with sessions that do not return.
	 * Eviction by age alone would remove everything after two rounds.
	 */
	@Test
	void keepsReturningClientsAndMaximumSize() throws Exception {
		CyclicBarrier round = new CyclicBarrier(THREADS);
		ExecutorService executor = Executors.newFixedThreadPool(THREADS);
		List<Future<List<SSLSession>>> returning = new ArrayList<>();
		try {
			for (int i = 0; i < THREADS; i++) {
				int thread = i;
				returning.add(executor.submit(() -> flood(thread, round)));
			}
			for (Future<List<SSLSession>> sessions : returning) {
				assertThat(sessions.get())
					.allSatisfy((session) -> assertThat(this.cache.getSession(session.getId())).isSameAs(session));
			}
		}
		finally {
			executor.shutdownNow();
		}
		assertThat(this.cache.estimatedSize()).isLessThanOrEqualTo(MAXIMUM_SIZE);
		assertThat(this.cache.stats().evictions())
			.isGreaterThanOrEqualTo((long) THREADS * ROUNDS * NEW_SESSIONS - MAXIMUM_SIZE);
	}

	private List<SSLSession> flood(int thread, CyclicBarrier round) throws Exception {
		int next = 0;
		List<SSLSession> returning = new ArrayList<>();
		for (int i = 0; i < RETURNING_SESSIONS; i++) {
			SSLSession session = session(thread, next++);
			TestSessions.put(this.cache, session);
			returning.add(session);
		}
		for (int i = 0; i < ROUNDS; i++) {
			round.await();
			returning.forEach((session) -> TestSessions.resume(this.cache, session));
			for (int j = 0; j < NEW_SESSIONS; j++) {
				TestSessions.put(this.cache, session(thread, next++));
			}
		}
		return returning;
	}

	private static SSLSession session(int thread, int number) {
		byte[] id = ByteBuffer.allocate(32).putInt(thread).putInt(number).array();
		String host = new String("client");
		return (SSLSession) Proxy.newProxyInstance(SslSessionCacheFloodTests.class.getClassLoader(),
				new Class<?>[] { SSLSession.class }, (proxy, method, arguments) -> switch (method.getName()) {
					case "getId" -> id;
					case "isValid" -> true;
					case "getPeerHost" -> host;
					case "invalidate" -> null;
					case "equals" -> proxy == arguments[0];
					case "hashCode" -> System.identityHashCode(proxy);
					case "toString" -> "session " + number + " of thread " + thread;
					default -> throw new UnsupportedOperationException(method.getName());
				});
	}

}
