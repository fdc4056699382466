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

import java.nio.file.Path;
import java.util.Collections;
import java.util.List;

import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLSession;
import javax.net.ssl.SSLSessionContext;
import javax.net.ssl.SSLSocket;

import dev.uncontended.tls.CommandLine;
import dev.uncontended.tls.StatefulSessions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIf;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

/**
 * Tests for the bound and the timeout of sessions, and for what is held.
 */
@EachServerAndEngine
class SessionLimitTests extends AbstractTlsServerTests {

	SessionLimitTests(TestServer server, String engine) {
		super(server, engine);
	}

	@Test
	void appliesTheLimitsToTheServersOwnContext() throws Exception {
		start("--uncontended.ssl.session-cache.maximum-size=123", "--uncontended.ssl.session-cache.timeout=2h");
		assertServes();
		SSLSessionContext before = serverContext();
		assertThat(before.getSessionCacheSize()).isEqualTo(123);
		assertThat(before.getSessionTimeout()).isEqualTo(7200);
		sessions().invalidateAll();
		assertServes();
		SSLSessionContext after = serverContext();
		assertThat(after.getSessionCacheSize()).isEqualTo(123);
		assertThat(after.getSessionTimeout()).isEqualTo(7200);
	}

	@Test
	void appliesNewLimitsToTheServersOwnContext() throws Exception {
		start();
		assertServes();
		SSLSessionContext context = serverContext();
		sessions().setSessionCacheSize(321);
		sessions().setSessionTimeout(3600);
		assertThat(context.getSessionCacheSize()).isEqualTo(321);
		assertThat(context.getSessionTimeout()).isEqualTo(3600);
		sessions().invalidateAll();
		assertServes();
		assertThat(serverContext().getSessionCacheSize()).isEqualTo(321);
		assertThat(serverContext().getSessionTimeout()).isEqualTo(3600);
	}

	@Test
	@EnabledIf("isOpenSslInstalled")
	void keepsSessionsInTheServersMemoryIfAsked() throws Exception {
		assumeThat(this.engine).isEqualTo("jdk");
		start("--uncontended.ssl.session-cache.stateful=true");
		assertThat(context().getBean(StatefulSessions.class)).isEqualTo(new StatefulSessions(true, true));
		assertFull("-tls1_2");
		assertResumed("-tls1_2");
		assertThat(Collections.list(serverContext().getIds())).hasSize(1);
		assertFull("-tls1_3");
		assertResumed("-tls1_3");
		awaitCounts("TLSv1.2", 1, 1);
		awaitCounts("TLSv1.3", 1, 1);
	}

	@Test
	void tellsThatItCannotKeepSessionsInTheServersMemory() {
		assumeThat(this.engine).isEqualTo("jdk");
		System.setProperty("jdk.tls.server.enableSessionTicketExtension", "true");
		start("--uncontended.ssl.session-cache.stateful=true");
		assertThat(context().getBean(StatefulSessions.class)).isEqualTo(new StatefulSessions(true, false));
	}

	@ParameterizedTest
	@ValueSource(strings = { "TLSv1.2", "TLSv1.3" })
	void holdsNothingThatLeftInATicket(String protocol) throws Exception {
		assumeThat(this.engine.equals("boringssl") || this.server.keepsNothingBesidesTickets(protocol)).isTrue();
		start();
		SSLContext client = first.sslContext(protocol, first);
		for (int i = 0; i < 3; i++) {
			assertConnects(client);
		}
		awaitCounts(protocol, 1, 2);
		assertThat(sessions().estimatedSize()).isZero();
		assertThat(sessions().stats().puts()).isZero();
	}

	@ParameterizedTest
	@EnabledIf("isOpenSslInstalled")
	@ValueSource(strings = { "TLSv1.2", "TLSv1.3" })
	void countsEachSessionThatCanResumeOnce(String protocol) throws Exception {
		assumeThat(this.engine).isEqualTo("jdk");
		assumeThat(this.server.keepsNothingBesidesTickets(protocol)).isTrue();
		start("--uncontended.ssl.session-cache.stateful=true");
		for (int sessions = 1; sessions <= 2; sessions++) {
			String option = protocol.equals("TLSv1.3") ? "-tls1_3" : "-tls1_2";
			assertFull(option);
			assertResumed(option);
			assertResumed(option);
			awaitCounts(protocol, sessions, 2 * sessions);
			assertThat(sessions().estimatedSize()).isEqualTo(sessions);
		}
	}

	@Test
	void holdsNoMoreSessionsThanAllowedAndTheReturningClient() throws Exception {
		assumeThat(this.engine).isEqualTo("jdk");
		start("--uncontended.ssl.session-cache.maximum-size=20", "--uncontended.ssl.session-cache.stateful=true");
		SSLContext returning = createContextThatResumesById();
		byte[] id = {};
		for (int i = 0; i < 12; i++) {
			try (SSLSocket socket = connect(returning)) {
				exchange(socket);
				id = socket.getSession().getId();
			}
			for (int j = 0; j < 8; j++) {
				assertConnects(first.sslContext(first));
			}
		}
		awaitCounts("TLSv1.2", 1, 11);
		awaitCounts("TLSv1.3", 96, 0);
		assertThat(sessions().estimatedSize()).isLessThanOrEqualTo(20);
		SSLSession session = sessions().getSession(id);
		assertThat(session).isNotNull();
		assertThat(Collections.list(session.getSessionContext().getIds())).hasSizeLessThanOrEqualTo(20);
	}

	private static SSLContext createContextThatResumesById() {
		System.setProperty("jdk.tls.client.enableSessionTicketExtension", "false");
		try {
			return first.sslContext("TLSv1.2", first);
		}
		finally {
			System.clearProperty("jdk.tls.client.enableSessionTicketExtension");
		}
	}

	@Test
	@EnabledIf("isOpenSslInstalled")
	void keepsSessionsInTheCacheAloneIfStateful() throws Exception {
		assumeThat(this.engine).isEqualTo("boringssl");
		start("--uncontended.ssl.session-cache.stateful=true");
		assertFull("-tls1_2");
		assertResumed("-tls1_2");
		assertResumed("-tls1_2");
		awaitCounts("TLSv1.2", 1, 2);
		List<byte[]> ids = Collections.list(sessions().getIds());
		assertThat(ids).hasSize(1);
		SSLSession session = sessions().getSession(ids.get(0));
		assertThat(session).isNotNull();
		session.invalidate();
		assertThat(sessions().estimatedSize()).isZero();
		assertResumesNoLonger("-tls1_2");
		sessions().invalidateAll();
		assertResumesNoLonger("-tls1_2");
		Path none = directory.resolve(this.server + ".pem");
		CommandLine.openSslClient(port(), REQUEST, "-ign_eof", "-tls1_3", "-sess_out", none.toString());
		assertThat(none).doesNotExist();
	}

}
