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

import java.util.Map;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests of {@link JdkLimits}.
 */
class JdkLimitsTests {

	private static final String DEFAULT_KEY_LIMITS = "AES/GCM/NoPadding KeyUpdate 2^37, ChaCha20-Poly1305 KeyUpdate 2^36";

	@Test
	void hasDefaultsOfJdk() {
		JdkLimits limits = JdkLimits.of((name) -> null, DEFAULT_KEY_LIMITS);
		assertThat(limits.handshakeMessage()).isEqualTo(32_768);
		assertThat(limits.clientCertificates()).isEqualTo(8);
		assertThat(limits.allowsLegacyMasterSecret()).isTrue();
		assertThat(limits.bytesPerKey("TLS_AES_256_GCM_SHA384")).isEqualTo(1L << 37);
		assertThat(limits.bytesPerKey("TLS_CHACHA20_POLY1305_SHA256")).isEqualTo(1L << 36);
	}

	@Test
	void readsPropertiesOfJdk() {
		JdkLimits limits = JdkLimits.of(Map.of("jdk.tls.maxHandshakeMessageSize", "1000",
				"jdk.tls.maxCertificateChainLength", "5", "jdk.tls.server.maxInboundCertificateChainLength", "3",
				"jdk.tls.allowLegacyMasterSecret", "false")::get, null);
		assertThat(limits).isEqualTo(new JdkLimits(1_000, 3, false, Map.of()));
	}

	@Test
	void generalLengthOfChainsAppliesWithoutLengthForServers() {
		assertThat(JdkLimits.of(Map.of("jdk.tls.maxCertificateChainLength", "5")::get, null).clientCertificates())
			.isEqualTo(5);
	}

	@ParameterizedTest
	@CsvSource(delimiter = '|', textBlock = """
			aes/gcm/nopadding keyupdate 1000 | 1000
			AES/GCM/NoPadding KeyUpdate 2^x | 9223372036854775807
			AES/GCM/NoPadding Close 2^10 | 9223372036854775807
			AES/GCM/NoPadding | 9223372036854775807
			""")
	void ignoresMalformedKeyLimitsLikeJdk(String keyLimits, long bytes) {
		assertThat(JdkLimits.of((name) -> null, keyLimits).bytesPerKey("TLS_AES_128_GCM_SHA256")).isEqualTo(bytes);
	}

}
