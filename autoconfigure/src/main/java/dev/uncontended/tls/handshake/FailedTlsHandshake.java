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
import java.util.Set;

import javax.net.ssl.SSLException;

/**
 * A handshake that did not complete.
 *
 * @param server the server
 * @param reason the reason for the failure
 */
public record FailedTlsHandshake(TlsServerId server, Reason reason) {

	/** The reason for a failure. */
	public enum Reason {

		/** The client and the server have no common protocol version. */
		PROTOCOL,

		/** The client and the server have no common cipher suite or group. */
		CIPHER,

		/** The server's or the client's certificate was missing or rejected. */
		CERTIFICATE,

		/** Either side closed the connection during the handshake. */
		ABORTED,

		/** Any other reason, such as data that is not TLS. */
		OTHER;

		/**
		 * From bad_certificate to unknown_ca, without illegal_parameter, and
		 * certificate_required.
		 */
		private static final Set<Integer> CERTIFICATE_ALERTS = Set.of(42, 43, 44, 45, 46, 48, 116);

		/**
		 * Returns the reason for a failure, derived from the exception's causes and
		 * message. JSSE reports alerts only in the message.
		 * @param failure the exception thrown by the SSL engine
		 * @return the reason, or {@link #OTHER} if it is unknown
		 */
		public static Reason of(SSLException failure) {
			for (Throwable cause = failure; cause != null; cause = cause.getCause()) {
				if (cause instanceof CertificateException || cause instanceof CertPathValidatorException) {
					return CERTIFICATE;
				}
			}
			return of(String.valueOf(failure.getMessage()).toLowerCase(Locale.ROOT));
		}

		/**
		 * Returns the reason for a failure, derived from the client's fatal alert.
		 * @param description the number of the alert (RFC 9846 section 6)
		 * @return {@link #CERTIFICATE} for alerts about certificates, otherwise
		 * {@link #OTHER}
		 */
		public static Reason ofAlert(int description) {
			return CERTIFICATE_ALERTS.contains(description) ? CERTIFICATE : OTHER;
		}

		private static Reason of(String message) {
			// Checked before "protocol", because of no_application_protocol.
			if (message.contains("application")) {
				return OTHER;
			}
			if (message.contains("certificate") || message.contains("unknown_ca")) {
				return CERTIFICATE;
			}
			if (message.contains("protocol") || message.contains("version")) {
				return PROTOCOL;
			}
			// The JDK's "AEAD cipher fragment" is too short: the record is not encrypted.
			// Without a common group, the JDK cannot send a HelloRetryRequest.
			if ((message.contains("cipher") && !message.contains("cipher fragment"))
					|| message.contains("insufficient_security") || message.contains("wrong_curve")
					|| message.contains("group") || message.contains("key_share extension in helloretryrequest")) {
				return CIPHER;
			}
			if (message.contains("close") || message.contains("closing") || message.contains("user_canceled")) {
				return ABORTED;
			}
			return OTHER;
		}

		@Override
		public String toString() {
			return name().toLowerCase(Locale.ROOT);
		}

	}

}
