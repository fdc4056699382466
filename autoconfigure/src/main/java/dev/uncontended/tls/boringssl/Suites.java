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

import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import javax.net.ssl.SSLEngine;
import javax.net.ssl.SSLHandshakeException;
import javax.net.ssl.SSLParameters;

import io.netty.handler.ssl.OpenSsl;

/**
 * The standard names of protocols or cipher suites that BoringSSL and the JDK support,
 * and the JDK's security properties permit.
 */
final class Suites {

	private static final Set<String> TLS_1_3_SUITES = Set.of("TLS_AES_128_GCM_SHA256", "TLS_AES_256_GCM_SHA384",
			"TLS_CHACHA20_POLY1305_SHA256");

	static final Suites CIPHER_SUITES = new Suites(OpenSsl.availableJavaCipherSuites(), SSLParameters::getCipherSuites,
			SSLEngine::getSupportedCipherSuites);

	static final Suites PROTOCOLS = new Suites(availableProtocols(), SSLParameters::getProtocols,
			SSLEngine::getSupportedProtocols);

	private final Set<String> known;

	private final List<String> supported;

	private final List<String> enabled;

	private Suites(Set<String> available, Function<SSLParameters, String[]> enabled,
			Function<SSLEngine, String[]> supported) {
		SSLEngine jdk = JdkPolicy.newEngine();
		this.known = Set.of(supported.apply(jdk));
		this.supported = this.known.stream().filter(available::contains).toList();
		this.enabled = Arrays.stream(enabled.apply(jdk.getSSLParameters())).filter(available::contains).toList();
	}

	/**
	 * Returns TLS 1.2 and 1.3, if permitted. TLS 1.3 requires all its cipher suites,
	 * because BoringSSL cannot disable one of them.
	 */
	private static Set<String> availableProtocols() {
		return Stream.of("TLSv1.2", "TLSv1.3")
			.filter(JdkPolicy::permits)
			.filter((protocol) -> !protocol.equals("TLSv1.3") || CIPHER_SUITES.supported.containsAll(TLS_1_3_SUITES))
			.collect(Collectors.toUnmodifiableSet());
	}

	/**
	 * Returns the given protocols that can use at least one of the given cipher suites.
	 * For other protocols, BoringSSL would use its default cipher suites.
	 * @throws SSLHandshakeException if there is no such protocol
	 */
	static List<String> usableProtocols(String[] protocols, String[] cipherSuites) throws SSLHandshakeException {
		List<String> usable = Arrays.stream(protocols)
			.filter((protocol) -> Arrays.stream(cipherSuites)
				.anyMatch((suite) -> TLS_1_3_SUITES.contains(suite) == protocol.equals("TLSv1.3")))
			.toList();
		if (usable.isEmpty()) {
			throw new SSLHandshakeException("None of the enabled protocols " + Arrays.toString(protocols)
					+ " has an enabled cipher suite: " + Arrays.toString(cipherSuites));
		}
		return usable;
	}

	String[] supported() {
		return this.supported.toArray(String[]::new);
	}

	/**
	 * Returns the names that are enabled by default, in the JDK's order.
	 */
	String[] enabled() {
		return this.enabled.toArray(String[]::new);
	}

	/**
	 * Returns the given names that are {@linkplain #supported() supported}. Drops other
	 * names in the JDK's list, because servers such as Tomcat configure them.
	 * @throws IllegalArgumentException if a name is not in the JDK's list, or if no name
	 * remains
	 */
	String[] retain(String[] names) {
		String[] retained = Arrays.stream(names).filter(this.supported::contains).toArray(String[]::new);
		if (retained.length == 0 || !this.known.containsAll(List.of(names))) {
			throw new IllegalArgumentException(Arrays.toString(names)
					+ " contains unknown names, or none of these supported names of BoringSSL: " + this.supported);
		}
		return retained;
	}

}
