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

/**
 * Tests for the maximum number and the timeout of sessions.
 */
@EachServerAndEngine
class SessionLimitTests extends AbstractTlsServerTests {

	SessionLimitTests(TestServer server, String engine) {
		super(server, engine);
	}

	@Test
	void appliesLimitsToContextOfServer() throws Exception {
		start("--uncontended.ssl.session-cache.maximum-size=123", "--uncontended.ssl.session-cache.timeout=2h");
		assertServes();
		assertLimits(123, 7200);
		sessions().endAll();
		assertServes();
		assertLimits(123, 7200);
	}

	@Test
	void appliesNewLimitsToContextOfServer() throws Exception {
		start();
		assertServes();
		sessions().setSessionCacheSize(321);
		sessions().setSessionTimeout(3600);
		assertServes();
		assertLimits(321, 3600);
		sessions().endAll();
		assertServes();
		assertLimits(321, 3600);
	}

	private void assertLimits(int size, int timeout) {
		assertThat(serverContext()).isSameAs(sessions());
		assertThat(sessions().getSessionCacheSize()).isEqualTo(size);
		assertThat(sessions().getSessionTimeout()).isEqualTo(timeout);
		if (this.engine.equals("jdk")) {
			assertThat(jdkStore().getSessionCacheSize()).isEqualTo(4 * size);
			assertThat(jdkStore().getSessionTimeout()).isEqualTo(timeout);
		}
	}

	@Test
	void sessionInTicketIsNotCached() throws Exception {
		List<String> protocols = this.engine.equals("jdk") ? this.server.protocolsWithTicketsOnly()
				: List.of("TLSv1.2", "TLSv1.3");
		for (String protocol : protocols) {
			share(tickets());
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
