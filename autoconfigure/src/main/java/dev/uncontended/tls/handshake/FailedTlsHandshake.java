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

import java.security.cert.CertPathValidatorException;
import java.security.cert.CertificateException;
import java.util.Locale;

import javax.net.ssl.SSLException;

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
		 * Returns the reason that an engine gives. JSSE tells the alert that it sent or
		 * received in words only, and BoringSSL its own names for them.
		 * @param failure what the engine threw in the handshake
		 * @return the reason, {@link #OTHER} if it is not known
		 */
		public static Reason of(SSLException failure) {
			for (Throwable cause = failure; cause != null; cause = cause.getCause()) {
				if (cause instanceof CertificateException || cause instanceof CertPathValidatorException) {
					return CERTIFICATE;
				}
			}
			return of(String.valueOf(failure.getMessage()).toLowerCase(Locale.ROOT));
		}

		private static Reason of(String message) {
			if (message.contains("application")) {
				return OTHER;
			}
			if (message.contains("certificate") || message.contains("unknown_ca")) {
				return CERTIFICATE;
			}
			if (message.contains("protocol") || message.contains("version")) {
				return PROTOCOL;
			}
			if (message.contains("cipher") || message.contains("insufficient_security")
					|| message.contains("wrong_curve")) {
				return CIPHER;
			}
			if (message.contains("close") || message.contains("closing") || message.contains("user_canceled")) {
				return ABORTED;
			}
			return OTHER;
		}

		/**
		 * Returns the name in lower case, as endpoints and meters have it.
		 */
		@Override
		public String toString() {
			return name().toLowerCase(Locale.ROOT);
		}

	}

}
