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

import java.lang.ref.Cleaner;
import java.nio.ByteBuffer;
import java.util.Optional;
import java.util.function.LongConsumer;
import java.util.function.LongFunction;

import javax.net.ssl.SSLEngineResult;
import javax.net.ssl.SSLException;

import io.netty.handler.ssl.CipherSuiteConverter;
import io.netty.handler.ssl.ReferenceCountedOpenSslEngine;
import io.netty.internal.tcnative.Buffer;
import io.netty.internal.tcnative.SSL;

/**
 * Netty's engine of one connection. It is released exactly once: by {@link #close()}, or
 * after its owner, a {@link BoringSslEngine}, has become unreachable.
 *
 * @param delegate Netty's engine
 * @param cleanable releases Netty's engine
 */
record NativeEngine(ReferenceCountedOpenSslEngine delegate, Cleaner.Cleanable cleanable) {

	/** One for this package, because each cleaner has a thread. */
	static final Cleaner cleaner = Cleaner.create();

	private static final ByteBuffer NOTHING = ByteBuffer.allocateDirect(0);

	NativeEngine(ReferenceCountedOpenSslEngine delegate, Object owner) {
		this(delegate, cleaner.register(owner, delegate::release));
	}

	/**
	 * Wraps without application data. The first call after the handshake returns
	 * FINISHED.
	 */
	SSLEngineResult wrapNothing(ByteBuffer destination) throws SSLException {
		return this.delegate.wrap(NOTHING, destination);
	}

	/**
	 * Returns the standard name of the cipher suite that BoringSSL has selected.
	 */
	String cipherSuite() {
		return call(this.delegate, (ssl) -> Optional.ofNullable(SSL.getCipherForSSL(ssl)), Optional.<String>empty())
			.map((cipher) -> CipherSuiteConverter.toJava(cipher, "TLS"))
			.orElse(BoringSslSession.NO_CIPHER_SUITE);
	}

	Optional<byte[]> masterSecret() {
		return call(this.delegate, (ssl) -> Optional.ofNullable(SSL.getMasterKey(ssl)), Optional.empty());
	}

	boolean isResumed() {
		return call(this.delegate, SSL::isSessionReused, false);
	}

	/**
	 * Makes BoringSSL write the delayed TLS 1.3 tickets.
	 */
	void flushTickets() {
		run((ssl) -> SSL.writeToSSL(ssl, Buffer.address(NOTHING), 0));
	}

	void run(LongConsumer action) {
		call(this.delegate, (ssl) -> {
			action.accept(ssl);
			return true;
		}, false);
	}

	/**
	 * Applies a function to the native connection. Returns {@code freed} if the
	 * connection has been freed. The monitor prevents other threads from freeing the
	 * connection during the call.
	 */
	static <T> T call(ReferenceCountedOpenSslEngine engine, LongFunction<T> function, T freed) {
		synchronized (engine) {
			long ssl = engine.sslPointer();
			return (ssl != 0) ? function.apply(ssl) : freed;
		}
	}

	void close() {
		this.cleanable.clean();
	}

}
