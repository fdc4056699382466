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

package dev.uncontended.autoconfigure.ssl;

import java.security.NoSuchAlgorithmException;
import java.util.Collections;
import java.util.List;
import java.util.stream.Stream;

import javax.net.ssl.SSLContext;

import dev.uncontended.autoconfigure.SingleProperty;
import dev.uncontended.autoconfigure.UnusableConfigurationException;

import org.springframework.boot.web.server.AbstractConfigurableWebServerFactory;
import org.springframework.boot.web.server.Ssl;
import org.springframework.boot.web.server.WebServerSslBundle;
import org.springframework.core.env.Environment;

/**
 * Fails the start if this JVM supports none of the configured cipher suites. Otherwise,
 * servers fail with a stack trace that does not name the property.
 */
final class CipherCheck {

	private CipherCheck() {
	}

	/**
	 * Ignores names that are not a cipher suite's, such as Tomcat's {@code HIGH}.
	 */
	static void check(Object factory, Environment environment) {
		Ssl ssl = (factory instanceof AbstractConfigurableWebServerFactory server) ? server.getSsl() : null;
		if (ssl == null || !ssl.isEnabled()) {
			return;
		}
		String[] ciphers = WebServerSslBundle.get(ssl, ((AbstractConfigurableWebServerFactory) factory).getSslBundles())
			.getOptions()
			.getCiphers();
		if (ciphers != null && ciphers.length > 0 && Stream.of(ciphers).allMatch((name) -> name.startsWith("TLS_"))
				&& Collections.disjoint(List.of(ciphers), supported())) {
			throw new UnusableConfigurationException(
					"This JVM supports none of the server's cipher suites: " + ((ssl.getBundle() != null)
							? "the options of the SSL bundle '%s' are %s".formatted(ssl.getBundle(), List.of(ciphers))
							: SingleProperty.describe(environment, "server.ssl.ciphers")),
					"Remove the cipher suites, or add one that this JVM supports, such as TLS_AES_256_GCM_SHA384.");
		}
	}

	private static List<String> supported() {
		try {
			return List.of(SSLContext.getDefault().getSupportedSSLParameters().getCipherSuites());
		}
		catch (NoSuchAlgorithmException ex) {
			throw new IllegalStateException(ex);
		}
	}

}
