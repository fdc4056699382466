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

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;

import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLEngine;

import dev.uncontended.tls.TestKeyStore;
import dev.uncontended.tls.session.SslSessionCache;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Removes BoringSSL sessions from the cache in all ways during resumptions. A reference
 * that is freed too early or twice crashes the JVM.
 */
@Tag("slow")
@Tag("product")
class SessionStoreSoakTests {

	private static final long SECONDS = Long.getLong("soak.seconds", 3);

	@TempDir
	Path directory;

	@Test
	void resumesOrCreatesSessionsDuringRemovals() throws Exception {
		TestKeyStore server = TestKeyStore.create(this.directory.resolve("server.p12"), "server.test");
		SslSessionCache cache = SslSessionCache.builder().maximumSize(4).build();
		BoringSslSessions sessions = BoringSslSessions.inCache(cache);
		SSLContext context = Contexts.create("host", sessions, server, server);
		AtomicLong full = new AtomicLong();
		AtomicLong resumed = new AtomicLong();
		long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(SECONDS);
		ExecutorService executor = Executors.newFixedThreadPool(5);
		try {
			List<Future<?>> results = new ArrayList<>();
			for (int i = 0; i < 4; i++) {
				results.add(executor.submit(() -> {
					List<SSLContext> clients = new ArrayList<>();
					for (int j = 0; j < 3; j++) {
						clients.add(server.sslContext("TLSv1.2", server));
					}
					while (System.nanoTime() < end) {
						SSLEngine client = clients.get(ThreadLocalRandom.current().nextInt(3))
							.createSSLEngine("localhost", 443);
						EnginePair pair = new EnginePair(client, context.createSSLEngine()).handshake();
						assertThat(pair.toServer("hello")).isEqualTo("hello");
						(((BoringSslEngine) pair.server()).isResumed() ? resumed : full).incrementAndGet();
						pair.close();
					}
					return null;
				}));
			}
			results.add(executor.submit(() -> {
				while (System.nanoTime() < end) {
					disturb(cache);
					Thread.yield();
				}
			}));
			for (Future<?> result : results) {
				result.get();
			}
		}
		finally {
			executor.shutdownNow();
		}
		assertThat(resumed.get()).isPositive();
		assertThat(full.get()).isPositive();
		sessions.close();
		assertThat(cache.estimatedSize()).isZero();
	}

	private static void disturb(SslSessionCache cache) {
		List<byte[]> ids = Collections.list(cache.getIds());
		switch (ThreadLocalRandom.current().nextInt(64)) {
			case 0 -> ids.forEach((id) -> cache.getSession(id));
			case 1 -> cache.setSessionCacheSize(ThreadLocalRandom.current().nextInt(1, 8));
			case 2, 3 -> ids.forEach(cache::remove);
			default -> {
				if (!ids.isEmpty()) {
					NativeSession session = (NativeSession) cache.getSession(ids.get(0));
					if (session != null && ThreadLocalRandom.current().nextInt(8) == 0) {
						session.invalidate();
						session.released();
						assertThat(session.share()).isEqualTo(NativeSession.NONE);
					}
				}
			}
		}
	}

}
