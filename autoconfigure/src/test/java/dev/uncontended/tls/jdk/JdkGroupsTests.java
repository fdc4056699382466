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

package dev.uncontended.tls.jdk;

import java.util.List;

import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.SSLParameters;

import dev.uncontended.tls.engine.NamedGroups;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledForJreRange;
import org.junit.jupiter.api.condition.JRE;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.mockito.Mockito.mock;

/**
 * Tests for {@link JdkGroups}.
 */
class JdkGroupsTests {

	@Test
	@EnabledForJreRange(min = JRE.JAVA_20)
	void limitsServersOwnGroupsInConfiguredOrder() throws Exception {
		SSLEngine engine = SSLContext.getDefault().createSSLEngine();
		SSLParameters parameters = engine.getSSLParameters();
		NamedGroups.set(parameters, List.of("x25519", "secp256r1", "secp384r1"));
		engine.setSSLParameters(parameters);
		JdkGroups.of(List.of("SECP384R1", "secp521r1", "x25519")).limit(engine);
		assertThat(NamedGroups.of(engine.getSSLParameters())).containsExactly("secp384r1", "x25519");
	}

	@Test
	void disablesSuitesThatUseNoGroupNamedByBothSides() throws Exception {
		SSLEngine engine = SSLContext.getDefault().createSSLEngine();
		engine.setEnabledCipherSuites(new String[] { "TLS_RSA_WITH_AES_128_GCM_SHA256",
				"TLS_DHE_RSA_WITH_AES_128_GCM_SHA256", "TLS_ECDH_RSA_WITH_AES_128_GCM_SHA256", "TLS_AES_128_GCM_SHA256",
				"TLS_ECDHE_RSA_WITH_AES_128_GCM_SHA256" });
		new JdkGroups(List.of("x25519")).limit(engine);
		assertThat(engine.getEnabledCipherSuites()).containsExactly("TLS_AES_128_GCM_SHA256",
				"TLS_ECDHE_RSA_WITH_AES_128_GCM_SHA256");
	}

	@Test
	@EnabledForJreRange(min = JRE.JAVA_20)
	void readsGroupsFromContextWithoutTheJvmsTrustStore() throws Exception {
		SSLContext before = SSLContext.getDefault();
		SSLContext unusable = mock(SSLContext.class, (invocation) -> {
			throw new IllegalStateException("The trust store is broken");
		});
		SSLContext.setDefault(unusable);
		try {
			assertThat(JdkGroups.of(List.of("x25519")).names()).containsExactly("x25519");
		}
		finally {
			SSLContext.setDefault(before);
		}
	}

	@Test
	void defaultChangesNothing() throws Exception {
		SSLEngine engine = SSLContext.getDefault().createSSLEngine();
		String[] suites = engine.getEnabledCipherSuites();
		JdkGroups.of(List.of()).limit(engine);
		assertThat(engine.getEnabledCipherSuites()).isEqualTo(suites);
	}

	@Test
	@EnabledForJreRange(max = JRE.JAVA_19)
	void earlierJavaRefusesGroups() {
		assertThatIllegalArgumentException().isThrownBy(() -> JdkGroups.of(List.of("x25519")))
			.withMessageContaining("Java 20")
			.withMessageContaining("jdk.tls.namedGroups");
	}

}
