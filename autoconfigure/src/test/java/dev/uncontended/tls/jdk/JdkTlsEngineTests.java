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

import dev.uncontended.tls.engine.TlsEngine;
import dev.uncontended.tls.session.SslSessionCache;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.mockito.Mockito.mock;

/**
 * Tests for {@link JdkTlsEngine}.
 */
class JdkTlsEngineTests {

	private static final String TICKETS = "jdk.tls.server.enableSessionTicketExtension";

	private final Provider other = new Provider("Other", "1", "") {
	};

	@AfterEach
	void restore() {
		Security.removeProvider("Other");
		System.clearProperty(TICKETS);
	}

	@Test
	void keepsSessionsInCache() {
		JdkTlsEngine engine = new JdkTlsEngine(true, List.of());
		assertThat(engine.usesSessionCache()).isTrue();
		assertThat(engine.isStateful()).isTrue();
		assertThat(engine).hasToString("the JDK");
	}

	@Test
	void otherContextsOfJvmStillIssueTickets() throws Exception {
		JdkTlsEngine engine = new JdkTlsEngine(true, List.of());
		assertThat(engine.createContext("TLS", null, null, null).isStateful()).isTrue();
		assertThat(System.getProperty(TICKETS)).isNull();
		assertThat(new JdkTlsEngine(false, List.of()).isStateful()).isFalse();
	}

	@Test
	void systemPropertyDecides() {
		System.setProperty(TICKETS, "true");
		assertThat(new JdkTlsEngine(true, List.of()).isStateful()).isFalse();
		System.setProperty(TICKETS, "false");
		assertThat(new JdkTlsEngine(false, List.of()).isStateful()).isTrue();
	}

	@Test
	void sessionsOfOtherJsseProviderAreNotInCache() {
		this.other.put("SSLContext.TLS", "other.Context");
		Security.insertProviderAt(this.other, 1);
		JdkTlsEngine engine = new JdkTlsEngine(true, List.of());
		assertThat(engine.usesSessionCache()).isFalse();
		assertThat(engine.isStateful()).isFalse();
		assertThat(engine).hasToString("the JSSE provider Other");
	}

	@Test
	void cacheMustComeFromBuilder() throws Exception {
		TlsEngine.Context context = new JdkTlsEngine(true, List.of()).createContext("TLS", null, null, null);
		assertThatIllegalArgumentException().isThrownBy(() -> context.useCache(mock(SslSessionCache.class)))
			.withMessageContaining("SslSessionCache.builder()");
	}

}
