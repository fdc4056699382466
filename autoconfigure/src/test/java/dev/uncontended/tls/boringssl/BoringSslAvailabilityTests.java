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

import io.netty.internal.tcnative.SSL;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.NullSource;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;
import static org.assertj.core.api.Assertions.assertThatNoException;

/**
 * Tests for {@link BoringSslAvailability} with libraries that are not available.
 * Available ones are tested in separate JVMs.
 */
class BoringSslAvailabilityTests {

	@ParameterizedTest
	@ValueSource(strings = { "2.0.83.Final", "2.0.79.Final", "2.0.9.Final", "1.1.33.Fork26" })
	void knowsVulnerableVersions(String version) {
		assertThat(BoringSslAvailability.isVulnerable("Netty/TomcatNative [OpenSSL - Classes] " + version)).isTrue();
		assertThat(BoringSslAvailability.isVulnerable("application " + version)).isFalse();
	}

	@ParameterizedTest
	@NullSource
	@ValueSource(strings = { "2.0.84.Final", "2.0.84.Final-vendor-1", "2.0.100.Final", "2.1.0.Final", "unspecific" })
	void knowsNoOtherVersionAsVulnerable(@Nullable String version) {
		assertThat(BoringSslAvailability.isVulnerable("Netty/TomcatNative [OpenSSL - Classes] " + version)).isFalse();
	}

	@Test
	void titleOfLibraryIsKnown() {
		assertThat(SSL.class.getPackage().getImplementationTitle()).startsWith("Netty/TomcatNative");
		assertThat(SSL.class.getPackage().getImplementationVersion()).startsWith("2.0.");
	}

	@ParameterizedTest
	@NullSource
	@ValueSource(strings = { "OpenSSL 3.5.1 1 Jul 2025", "LibreSSL 3.9.2" })
	void reportsOtherLibrary(@Nullable String version) {
		assertThatIllegalStateException().isThrownBy(() -> BoringSslAvailability.requireBoringSsl(version))
			.withMessageContainingAll("'" + version + "' instead of BoringSSL", "Remove other variants",
					"netty-tcnative-boringssl-static");
	}

	@Test
	void acceptsBoringSsl() {
		assertThatNoException().isThrownBy(() -> BoringSslAvailability.requireBoringSsl("BoringSSL"));
	}

}
