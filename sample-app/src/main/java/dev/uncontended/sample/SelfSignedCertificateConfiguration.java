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

package dev.uncontended.sample;

import java.security.KeyStore;
import java.time.Duration;
import java.time.Instant;

import io.netty.pkitesting.CertificateBuilder;

import org.springframework.boot.autoconfigure.ssl.SslBundleRegistrar;
import org.springframework.boot.ssl.SslBundle;
import org.springframework.boot.ssl.SslStoreBundle;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/**
 * Creates the certificate of the HTTPS port at each start and keeps it in memory.
 */
@Configuration(proxyBeanMethods = false)
class SelfSignedCertificateConfiguration {

	/**
	 * Longer than the application runs: Boot's health indicator of SSL bundles reports
	 * OUT_OF_SERVICE once a certificate has expired.
	 */
	private static final Duration TEN_YEARS = Duration.ofDays(3652);

	@Bean
	SslBundleRegistrar selfSignedBundleRegistrar() {
		return (registry) -> registry.registerBundle("self-signed",
				SslBundle.of(SslStoreBundle.of(selfSigned(), null, null)));
	}

	private static KeyStore selfSigned() {
		try {
			return new CertificateBuilder().subject("CN=localhost")
				.ecp256()
				.addSanDnsName("localhost")
				.addSanIpAddress("127.0.0.1")
				.setIsCertificateAuthority(true)
				.notAfter(Instant.now().plus(TEN_YEARS))
				.buildSelfSigned()
				.toKeyStore(new char[0]);
		}
		catch (Exception ex) {
			throw new IllegalStateException("Failed to create a self-signed certificate", ex);
		}
	}

}
