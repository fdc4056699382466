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
import java.util.function.LongConsumer;
import java.util.function.LongPredicate;

import javax.net.ssl.SSLEngineResult;
import javax.net.ssl.SSLEngineResult.HandshakeStatus;
import javax.net.ssl.SSLException;

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

	boolean needsTask() {
		return this.delegate.getHandshakeStatus() == HandshakeStatus.NEED_TASK;
	}

	boolean isReleased() {
		return this.delegate.refCnt() == 0;
	}

	boolean isResumed() {
		return test(SSL::isSessionReused);
	}

	/**
	 * Returns the IANA name of the group of the key exchange, or {@code none},
	 * {@code other} or {@code unknown}.
	 */
	String group() {
		synchronized (this.delegate) {
			long ssl = this.delegate.sslPointer();
			return (ssl != 0) ? NamedGroups.ianaName(ssl) : "unknown";
		}
	}

	/**
	 * Makes BoringSSL write the delayed TLS 1.3 tickets.
	 */
	void flushTickets() {
		run((ssl) -> SSL.writeToSSL(ssl, Buffer.address(NOTHING), 0));
	}

	void run(LongConsumer action) {
		test((ssl) -> {
			action.accept(ssl);
			return true;
		});
	}

	/*
	 * Applies the predicate to the native connection. Returns false if the connection has
	 * been freed. The monitor prevents other threads from freeing the connection during
	 * the call.
	 */
	private boolean test(LongPredicate predicate) {
		synchronized (this.delegate) {
			long ssl = this.delegate.sslPointer();
			return ssl != 0 && predicate.test(ssl);
		}
	}

	void close() {
		this.cleanable.clean();
	}

}
