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
		JdkTlsEngine engine = engine(true);
		assertThat(engine.isStateful()).isTrue();
		assertThat(engine.sessions()).isEqualTo("in the server");
		assertThat(engine).hasToString("the JDK");
	}

	@Test
	void otherContextsOfJvmStillIssueTickets() throws Exception {
		JdkTlsEngine engine = engine(true);
		engine.createContext("TLS", null, null, null);
		assertThat(System.getProperty(TICKETS)).isNull();
		assertThat(engine(false).isStateful()).isFalse();
		assertThat(engine(false).sessions()).isEqualTo("in the clients' tickets");
	}

	@Test
	void systemPropertyDecides() {
		System.setProperty(TICKETS, "true");
		assertThat(engine(true).isStateful()).isFalse();
		System.setProperty(TICKETS, "false");
		assertThat(engine(false).isStateful()).isTrue();
	}

	@Test
	void sessionsOfOtherJsseProviderAreNotInCache() {
		this.other.put("SSLContext.TLS", "other.Context");
		Security.insertProviderAt(this.other, 1);
		JdkTlsEngine engine = engine(true);
		assertThat(engine.isStateful()).isFalse();
		assertThat(engine.sessions()).isEqualTo("outside the session cache");
		assertThat(engine).hasToString("the JSSE provider Other");
	}

	private static JdkTlsEngine engine(boolean stateful) {
		return new JdkTlsEngine(TestSessions.cache(), stateful, List.of());
	}

}
