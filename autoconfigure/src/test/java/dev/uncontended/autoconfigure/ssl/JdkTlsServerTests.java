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

import java.io.IOException;
import java.security.GeneralSecurityException;
import java.security.SecureRandom;
import java.util.Collections;
import java.util.HexFormat;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;

import javax.net.ssl.KeyManager;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLSession;
import javax.net.ssl.SSLSocket;
import javax.net.ssl.TrustManager;

import dev.uncontended.tls.engine.TlsEngine;
import dev.uncontended.tls.jdk.JdkTlsEngine;
import dev.uncontended.tls.session.SslSessionCache;
import dev.uncontended.tls.session.SslSessionStats;
import dev.uncontended.tls.session.internal.Lineages;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIf;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

import org.springframework.core.env.Environment;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * Tests for behavior of servers that is specific to the JDK's engine.
 */
@ParameterizedClass
@EnumSource
class JdkTlsServerTests extends AbstractTlsServerTests {

	JdkTlsServerTests(TestServer server) {
		super(server, "jdk");
	}

	@ParameterizedTest
	@ValueSource(strings = { "TLSv1.2", "TLSv1.3" })
	void sessionsAreInCacheWithoutProperty(String protocol) throws Exception {
		start();
		assertThat(context().getBean(TlsEngine.class).sessions()).isEqualTo("in the server");
		SSLContext client = first.sslContext(protocol, first);
		this.clients.assertConnects(client);
		this.clients.assertConnects(client);
		awaitCounts(protocol, 1, 1);
		assertThat(sessions().stats()).isEqualTo(new SslSessionStats(1, 1, 1, 0, 0, 0));
		assertThat(sessions().estimatedSize()).isOne();
	}

	@ParameterizedTest
	@ValueSource(strings = { "TLSv1.2", "TLSv1.3" })
	void applicationCanEndSessionOfRequest(String protocol) throws Exception {
		start();
		SSLContext client = first.sslContext(protocol, first);
		this.clients.assertConnects(client);
		try (SSLSocket socket = this.clients.connect(client)) {
			String id = TestClients.exchange(socket, "/session");
			assertThat(sessions().remove(HexFormat.of().parseHex(id))).isNotNull();
		}
		this.clients.assertConnects(client);
		awaitCounts(protocol, 2, 1);
		assertThat(sessions().stats().invalidations()).isOne();
	}

	@Test
	void sessionsAreInTicketsIfNotStateful() throws Exception {
		start("--uncontended.ssl.session-cache.stateful=false");
		SSLContext client = first.sslContext(first);
		this.clients.assertConnects(client);
		this.clients.assertConnects(client);
		awaitCounts("TLSv1.3", 1, 1);
		assertThat(sessions().estimatedSize()).isZero();
	}

	@Test
	@EnabledIf("isOpenSslInstalled")
	void statefulSessionsAreInMemory() throws Exception {
		start("--uncontended.ssl.session-cache.stateful=true");
		assertThat(context().getBean(TlsEngine.class).sessions()).isEqualTo("in the server");
		this.clients.assertFull("-tls1_2");
		this.clients.assertResumed("-tls1_2");
		assertThat(Collections.list(jdkStore().getIds())).hasSize(1);
		this.clients.assertFull("-tls1_3");
		this.clients.assertResumed("-tls1_3");
		awaitCounts("TLSv1.2", 1, 1);
		awaitCounts("TLSv1.3", 1, 1);
	}

	@Test
	@EnabledIf("isOpenSslInstalled")
	void countsEachResumableSessionOnce() throws Exception {
		for (String protocol : this.server.protocolsWithTicketsOnly()) {
			start("--uncontended.ssl.session-cache.stateful=true");
			for (int sessions = 1; sessions <= 2; sessions++) {
				String option = protocol.equals("TLSv1.3") ? "-tls1_3" : "-tls1_2";
				this.clients.assertFull(option);
				this.clients.assertResumed(option);
				this.clients.assertResumed(option);
				awaitCounts(protocol, sessions, 2 * sessions);
				assertThat(sessions().estimatedSize()).isEqualTo(sessions);
			}
			stop();
		}
	}

	@Test
	@Tag("product")
	void evictsSessionsAndKeepsReturningClient() throws Exception {
		start("--uncontended.ssl.session-cache.maximum-size=20", "--uncontended.ssl.session-cache.stateful=true");
		SSLContext returning = createContextThatResumesById();
		byte[] id = {};
		for (int i = 0; i < 12; i++) {
			try (SSLSocket socket = this.clients.connect(returning)) {
				TestClients.exchange(socket);
				id = socket.getSession().getId();
			}
			for (int j = 0; j < 8; j++) {
				this.clients.assertConnects(first.sslContext(first));
			}
		}
		awaitCounts("TLSv1.2", 1, 11);
		awaitCounts("TLSv1.3", 96, 0);
		assertThat(sessions().estimatedSize()).isLessThanOrEqualTo(20);
		SSLSession session = sessions().getSession(id);
		assertThat(session).isNotNull();
		int tickets = (this.server == TestServer.JETTY) ? 2 : 1;
		assertThat(Collections.list(session.getSessionContext().getIds())).hasSizeLessThanOrEqualTo(20 * tickets);
	}

	@ParameterizedTest
	@ValueSource(strings = { "TLSv1.2", "TLSv1.3" })
	void sessionResumesWhileItIsInCache(String protocol) throws Exception {
		start("--uncontended.ssl.session-cache.maximum-size=5", "--uncontended.ssl.session-cache.stateful=true");
		SSLContext client = first.sslContext(protocol, first);
		for (int i = 0; i < 3; i++) {
			this.clients.assertConnects(client);
		}
		awaitCounts(protocol, 1, 2);
		assertThat(sessions().stats()).isEqualTo(new SslSessionStats(2, 1, 1, 0, 0, 0));
		Collections.list(sessions().getIds()).forEach(sessions()::remove);
		assertThat(sessions().estimatedSize()).isZero();
		if (this.server != TestServer.JETTY) {
			// Jetty's second ticket may be unused.
			assertThat(jdkStore().getIds().hasMoreElements()).isFalse();
			this.clients.assertConnects(client);
			awaitCounts(protocol, 2, 2);
		}
	}

	@ParameterizedTest
	@ValueSource(strings = { "TLSv1.2", "TLSv1.3" })
	void evictedSessionDoesNotResume(String protocol) throws Exception {
		start("--uncontended.ssl.session-cache.maximum-size=5", "--uncontended.ssl.session-cache.stateful=true");
		SSLContext client = first.sslContext(protocol, first);
		this.clients.assertConnects(client);
		for (int i = 0; i < 10; i++) {
			this.clients.assertConnects(first.sslContext(protocol, first));
		}
		this.clients.assertConnects(client);
		awaitCounts(protocol, 12, 0);
		assertThat(sessions().stats()).isEqualTo(new SslSessionStats(0, 12, 12, 7, 0, 0));
		boolean secondTicket = this.server == TestServer.JETTY && protocol.equals("TLSv1.3");
		assertThat(Collections.list(jdkStore().getIds())).hasSize(secondTicket ? 10 : 5);
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
	void endsSessionsAlthoughEngineFails() throws Exception {
		start();
		SSLContext client = first.sslContext(first);
		this.clients.assertConnects(client);
		FailingEngine engine = context().getBean(FailingEngine.class);
		engine.fails = true;
		sessions().endAll();
		assertThatExceptionOfType(IOException.class).isThrownBy(() -> this.clients.assertConnects(client));
		engine.fails = false;
		this.clients.assertConnects(client);
		awaitCounts("TLSv1.3", 2, 0);
	}

	@Test
	void createsEachContextOnce() throws Exception {
		start();
		assertServes();
		assertThat(context().getBean(FailingEngine.class).contexts).hasValue(1);
		sessions().endAll();
		assertServes();
		assertThat(context().getBean(FailingEngine.class).contexts).hasValue(2);
	}

	@Override
	List<Class<?>> sources() {
		return List.of(FailingEngine.class);
	}

	/**
	 * The JDK's TLS engine with a switchable failure.
	 */
	static final class FailingEngine implements TlsEngine {

		final AtomicInteger contexts = new AtomicInteger();

		private final TlsEngine jdk;

		volatile boolean fails;

		FailingEngine(SslSessionCache cache, Environment environment) {
			this.jdk = new JdkTlsEngine((Lineages) cache,
					environment.getProperty("uncontended.ssl.session-cache.stateful", Boolean.class, true), List.of());
		}

		@Override
		public String sessions() {
			return this.jdk.sessions();
		}

		@Override
		public Context createContext(String protocol, KeyManager @Nullable [] keyManagers,
				TrustManager @Nullable [] trustManagers, @Nullable SecureRandom random)
				throws GeneralSecurityException {
			if (this.fails) {
				throw new GeneralSecurityException("broken");
			}
			this.contexts.incrementAndGet();
			return this.jdk.createContext(protocol, keyManagers, trustManagers, random);
		}

	}

}
