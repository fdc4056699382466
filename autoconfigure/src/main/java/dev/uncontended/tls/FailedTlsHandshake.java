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

package dev.uncontended.tls;

import java.util.Locale;

/**
 * A handshake that began and did not complete.
 *
 * @param server the server that took part in it
 * @param reason the reason why it did not
 */
public record FailedTlsHandshake(TlsServerId server, Reason reason) {

	/**
	 * A reason, from a set that is small enough for the tag of a meter.
	 */
	public enum Reason {

		/**
		 * No version of the protocol in common.
		 */
		PROTOCOL,

		/**
		 * No cipher suite in common.
		 */
		CIPHER,

		/**
		 * One side did not accept the certificate of the other, or missed one.
		 */
		CERTIFICATE,

		/**
		 * The connection was closed by either side, for instance after a timeout.
		 */
		ABORTED,

		/**
		 * Anything else, such as bytes that are not TLS.
		 */
		OTHER;

		/**
		 * Returns the name in lower case, as endpoints and meters have it.
		 */
		@Override
		public String toString() {
			return name().toLowerCase(Locale.ROOT);
		}

	}

}
