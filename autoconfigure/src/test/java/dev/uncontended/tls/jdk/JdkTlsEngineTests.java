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

import java.security.Provider;
import java.security.Security;
import java.util.List;

import dev.uncontended.tls.session.internal.TestSessions;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for {@link JdkTlsEngine}.
 */
class JdkTlsEngineTests {

	private final Provider other = new Provider("Other", "1", "") {
	};

	@AfterEach
	void restore() {
		Security.removeProvider("Other");
	}

	@Test
	void sessionCacheLimitsSessionsOfJdk() throws Exception {
		JdkTlsEngine engine = new JdkTlsEngine(TestSessions.cache(), List.of());
		assertThat(engine.hasTokens()).isTrue();
		assertThat(engine.createContext("TLS", null, null, null).sessions()).isEqualTo("limited by the session cache");
		assertThat(engine).hasToString("the JDK");
	}

	@Test
	void sessionCacheDoesNotLimitSessionsOfOtherProvider() {
		this.other.put("SSLContext.TLS", "other.Context");
		Security.insertProviderAt(this.other, 1);
		JdkTlsEngine engine = new JdkTlsEngine(TestSessions.cache(), List.of());
		assertThat(engine.hasTokens()).isFalse();
		assertThat(engine).hasToString("the JSSE provider Other");
	}

}
