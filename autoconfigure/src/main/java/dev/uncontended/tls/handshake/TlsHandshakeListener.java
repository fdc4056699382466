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

/**
 * Receives the completed and failed handshakes that {@link TlsHandshakes} counts.
 * Implementations must be thread-safe. Their methods must not block, because they run on
 * the threads that perform handshakes. Exceptions are counted as
 * {@linkplain TlsHandshakes#reportingErrors() reporting errors}.
 */
public interface TlsHandshakeListener {

	/**
	 * Called after a completed handshake was counted.
	 * @param handshake the handshake
	 */
	default void completed(TlsHandshake handshake) {
	}

	/**
	 * Called after a failed handshake was counted.
	 * @param handshake the handshake
	 */
	default void failed(FailedTlsHandshake handshake) {
	}

	/**
	 * Called for each HelloRetryRequest.
	 * @param server the server that sent the request
	 */
	default void retried(TlsServerId server) {
	}

}
