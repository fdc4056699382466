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

import java.security.Security;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Locale;
import java.util.Map;
import java.util.function.UnaryOperator;

import org.jspecify.annotations.Nullable;

/**
 * The limits of the JDK's engine that also apply to {@link BoringSslEngine}. They are
 * read once, as by the JDK.
 *
 * @param handshakeMessage the maximum length of a handshake message in bytes
 * ({@code jdk.tls.maxHandshakeMessageSize})
 * @param clientCertificates the maximum number of certificates in a client's chain
 * ({@code jdk.tls.server.maxInboundCertificateChainLength}, otherwise
 * {@code jdk.tls.maxCertificateChainLength}, otherwise 8 as in Java 25)
 * @param allowsLegacyMasterSecret whether TLS 1.2 handshakes without the extended master
 * secret are permitted ({@code jdk.tls.allowLegacyMasterSecret})
 * @param bytesPerKey the maximum number of bytes protected by a TLS 1.3 key, by algorithm
 * in upper case ({@code jdk.tls.keyLimits})
 */
record JdkLimits(int handshakeMessage, int clientCertificates, boolean allowsLegacyMasterSecret,
		Map<String, Long> bytesPerKey) {

	static final JdkLimits CURRENT = of(System::getProperty, Security.getProperty("jdk.tls.keyLimits"));

	static JdkLimits of(UnaryOperator<@Nullable String> properties, @Nullable String keyLimits) {
		int certificates = number(properties.apply("jdk.tls.maxCertificateChainLength"), 8);
		return new JdkLimits(number(properties.apply("jdk.tls.maxHandshakeMessageSize"), 32_768),
				number(properties.apply("jdk.tls.server.maxInboundCertificateChainLength"), certificates),
				!"false".equalsIgnoreCase(properties.apply("jdk.tls.allowLegacyMasterSecret")),
				(keyLimits != null) ? parse(keyLimits) : Map.of());
	}

	private static int number(@Nullable String value, int otherwise) {
		try {
			int number = (value != null) ? Integer.decode(value.strip()) : otherwise;
			return (number >= 0) ? number : otherwise;
		}
		catch (NumberFormatException ex) {
			return otherwise;
		}
	}

	/*
	 * Ignores malformed entries, as the JDK does. Example of an entry: AES/GCM/NoPadding
	 * KeyUpdate 2^37
	 */
	private static Map<String, Long> parse(String keyLimits) {
		Map<String, Long> limits = new HashMap<>();
		for (String entry : keyLimits.toUpperCase(Locale.ROOT).split(",")) {
			String[] parts = entry.strip().split("\\s+");
			if (parts.length == 3 && parts[1].equals("KEYUPDATE")) {
				String[] power = parts[2].split("\\^");
				if (Arrays.stream(power).allMatch((number) -> number.matches("\\d{1,18}"))) {
					limits.put(parts[0],
							(power.length == 2) ? (long) Math.pow(Long.parseLong(power[0]), Long.parseLong(power[1]))
									: Long.parseLong(power[0]));
				}
			}
		}
		return limits;
	}

	/**
	 * Returns the maximum number of bytes that a key of the given TLS 1.3 cipher suite
	 * protects, or {@link Long#MAX_VALUE}.
	 */
	long bytesPerKey(String cipherSuite) {
		return this.bytesPerKey
			.getOrDefault(cipherSuite.contains("CHACHA20") ? "CHACHA20-POLY1305" : "AES/GCM/NOPADDING", Long.MAX_VALUE);
	}

}
