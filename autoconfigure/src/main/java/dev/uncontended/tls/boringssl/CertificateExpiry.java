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

import java.security.cert.X509Certificate;
import java.time.Instant;
import java.time.temporal.ChronoUnit;

import org.jspecify.annotations.Nullable;

/**
 * The end of the validity of a client's certificate.
 *
 * @param instant the end; {@code null} without a certificate
 */
record CertificateExpiry(@Nullable Instant instant) {

	static final CertificateExpiry NONE = new CertificateExpiry(null);

	static CertificateExpiry of(X509Certificate certificate) {
		return new CertificateExpiry(certificate.getNotAfter().toInstant());
	}

	/**
	 * Returns the lesser of a timeout and the time until the end, in seconds.
	 */
	long limit(long timeout) {
		return (this.instant != null)
				? Math.min(timeout, Math.max(0, Instant.now().until(this.instant, ChronoUnit.SECONDS))) : timeout;
	}

}
