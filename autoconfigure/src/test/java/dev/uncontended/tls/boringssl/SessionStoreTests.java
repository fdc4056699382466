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
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.BooleanSupplier;

import javax.net.ssl.SSLEngine;
import javax.net.ssl.SSLEngineResult;
import javax.net.ssl.SSLException;

import dev.uncontended.tls.TestKeyStore;
import dev.uncontended.tls.session.SslSessionCache;
import dev.uncontended.tls.session.internal.SessionAccess;
import io.netty.buffer.UnpooledByteBufAllocator;
import io.netty.handler.ssl.OpenSslServerSessionContext;
import io.netty.handler.ssl.ReferenceCountedOpenSslContext;
import io.netty.handler.ssl.ReferenceCountedOpenSslEngine;
import io.netty.handler.ssl.SslContext;
import io.netty.handler.ssl.SslContextBuilder;
import io.netty.handler.ssl.SslProvider;
import io.netty.internal.tcnative.SSL;
import io.netty.internal.tcnative.SSLSession;
import io.netty.internal.tcnative.SSLSessionCache;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for {@link SessionStore} with a native session of TLS 1.2.
 */
class SessionStoreTests {

	private final SslSessionCache cache = SslSessionCache.builder().build();

	@Test
	void storesSession(@TempDir Path directory) throws Exception {
		handshake(directory, (ssl, session) -> {
			SessionStore store = new SessionStore(this.cache, () -> true);
			assertThat(store.sessionCreated(ssl, session)).isTrue();
			assertThat(this.cache.estimatedSize()).isOne();
			SessionAccess.get().endAllHere(this.cache);
			return true;
		});
		assertThat(this.cache.estimatedSize()).isZero();
	}

	@Test
	void removesSessionStoredDuringEnd(@TempDir Path directory) throws Exception {
		AtomicInteger calls = new AtomicInteger();
		BooleanSupplier untilStored = () -> calls.getAndIncrement() == 0;
		handshake(directory, (ssl, session) -> {
			assertThat(new SessionStore(this.cache, untilStored).sessionCreated(ssl, session)).isTrue();
			assertThat(this.cache.estimatedSize()).isZero();
			return true;
		});
	}

	@Test
	void ownsSessionAlthoughStoringFails(@TempDir Path directory) throws Exception {
		handshake(directory, (ssl, session) -> {
			SessionStore store = new SessionStore(this.cache, () -> {
				throw new IllegalStateException("of the test");
			});
			assertThat(store.sessionCreated(ssl, session)).isTrue();
			assertThat(this.cache.estimatedSize()).isZero();
			return true;
		});
	}

	@Test
	void endedSessionIsNotShared(@TempDir Path directory) throws Exception {
		handshake(directory, (ssl, session) -> {
			NativeSession ended = new NativeSession(new SessionStore(this.cache, () -> false), ssl, session);
			assertThat(ended.share()).isEqualTo(NativeSession.NONE);
			ended.released();
			return true;
		});
	}

	@Test
	void releasedSessionIsNotShared(@TempDir Path directory) throws Exception {
		handshake(directory, (ssl, pointer) -> {
			NativeSession session = new NativeSession(new SessionStore(this.cache, () -> true), ssl, pointer);
			assertThat(session.share()).isEqualTo(pointer);
			SSLSession.free(pointer);
			session.released();
			assertThat(session.share()).isEqualTo(NativeSession.NONE);
			session.released();
			return true;
		});
	}

	private static void handshake(Path directory, Creation creation) throws Exception {
		TestKeyStore key = TestKeyStore.create(directory.resolve("server.p12"), "server.test");
		AtomicReference<Object> result = new AtomicReference<>("no session was created");
		ReferenceCountedOpenSslContext server = (ReferenceCountedOpenSslContext) SslContextBuilder
			.forServer(Contexts.keyManagers(key)[0])
			.sslProvider(SslProvider.OPENSSL_REFCNT)
			.protocols("TLSv1.2")
			.build();
		NativeAccess.setSessionCache(server, new SSLSessionCache() {

			@Override
			public boolean sessionCreated(long ssl, long session) {
				try {
					result.set("passed");
					return creation.sessionCreated(ssl, session);
				}
				catch (Throwable ex) {
					result.set(ex);
					return true;
				}
			}

			@Override
			public long getSession(long ssl, byte[] id) {
				return NativeSession.NONE;
			}

		});
		server.sessionContext().setSessionCacheEnabled(true);
		((OpenSslServerSessionContext) server.sessionContext()).setSessionIdContext(new byte[] { 1 });
		SslContext client = SslContextBuilder.forClient()
			.sslProvider(SslProvider.OPENSSL_REFCNT)
			.protocols("TLSv1.2")
			.endpointIdentificationAlgorithm(null)
			.trustManager(key.certificate())
			.build();
		ReferenceCountedOpenSslEngine one = (ReferenceCountedOpenSslEngine) client
			.newEngine(UnpooledByteBufAllocator.DEFAULT);
		ReferenceCountedOpenSslEngine other = (ReferenceCountedOpenSslEngine) server
			.newEngine(UnpooledByteBufAllocator.DEFAULT);
		SSL.setOptions(other.sslPointer(), SSL.SSL_OP_NO_TICKET);
		try {
			exchange(one, other);
		}
		finally {
			one.release();
			other.release();
			((ReferenceCountedOpenSslContext) client).release();
			server.release();
		}
		assertThat(result).hasValue("passed");
	}

	private static void exchange(SSLEngine client, SSLEngine server) throws SSLException {
		client.beginHandshake();
		server.beginHandshake();
		ByteBuffer toServer = ByteBuffer.allocateDirect(1 << 16);
		ByteBuffer toClient = ByteBuffer.allocateDirect(1 << 16);
		for (int i = 0; i < 10; i++) {
			step(client, toClient, toServer);
			step(server, toServer, toClient);
		}
	}

	private static void step(SSLEngine engine, ByteBuffer source, ByteBuffer target) throws SSLException {
		source.flip();
		SSLEngineResult result;
		do {
			result = engine.unwrap(source, ByteBuffer.allocateDirect(1 << 16));
			runTasks(engine);
		}
		while (result.bytesConsumed() > 0 && source.hasRemaining());
		source.compact();
		do {
			result = engine.wrap(ByteBuffer.allocate(0), target);
			runTasks(engine);
		}
		while (result.bytesProduced() > 0);
	}

	private static void runTasks(SSLEngine engine) {
		for (Runnable task = engine.getDelegatedTask(); task != null; task = engine.getDelegatedTask()) {
			task.run();
		}
	}

	@FunctionalInterface
	private interface Creation {

		boolean sessionCreated(long ssl, long session);

	}

}
