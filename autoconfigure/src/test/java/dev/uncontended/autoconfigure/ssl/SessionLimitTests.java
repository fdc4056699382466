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

import java.util.List;

import javax.net.ssl.SSLContext;

import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeFalse;

/**
 * Tests for the maximum number and the timeout of sessions.
 */
@EachServerAndEngine
class SessionLimitTests extends AbstractTlsServerTests {

	SessionLimitTests(TestServer server, String engine) {
		super(server, engine);
	}

	@Test
	void limitsOfJdkStayWithoutProperty() throws Exception {
		assumeJdkEngine();
		share();
		assertServes();
		assertThat(jdkStore().getSessionTimeout()).isEqualTo(86_400);
		assertThat(jdkStore().getSessionCacheSize()).isEqualTo(20_480);
	}

	@Test
	void timeoutOfPropertyIsLifetimeOfTickets() throws Exception {
		assumeJdkEngine();
		start("--uncontended.ssl.session-cache.timeout=2h");
		assertServes();
		assertThat(jdkStore().getSessionTimeout()).isEqualTo(7200);
	}

	@Test
	void sessionOfBoringSslIsNotCached() throws Exception {
		assumeFalse(this.engine.equals("jdk"), "Does not apply to the JDK's engine");
		for (String protocol : List.of("TLSv1.2", "TLSv1.3")) {
			share();
			SSLContext client = first.sslContext(protocol, first);
			for (int i = 0; i < 3; i++) {
				this.clients.assertConnects(client);
			}
			awaitCounts(protocol, 1, 2);
			assertThat(sessions().estimatedSize()).isZero();
			assertThat(sessions().stats().puts()).isZero();
		}
	}

}
