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

import java.lang.ref.WeakReference;
import java.net.Socket;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicBoolean;

import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLSocket;

import dev.uncontended.tls.TestKeyStore;
import dev.uncontended.tls.session.SslSessionCache;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIf;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import org.springframework.boot.ssl.SslBundle;
import org.springframework.boot.ssl.SslBundleKey;
import org.springframework.boot.ssl.SslBundleRegistry;
import org.springframework.boot.ssl.SslStoreBundle;

import static org.assertj.core.api.Assertions.assertThat;
import static org.mockito.BDDMockito.given;
import static org.mockito.Mockito.mock;

/**
 * Tests for the end of all sessions and for replaced contexts.
 */
@EachServerAndEngine
class SessionEndTests extends AbstractTlsServerTests {

	SessionEndTests(TestServer server, String engine) {
		super(server, engine);
	}

	@Test
	@EnabledIf("isOpenSslInstalled")
	void sessionsOfClientsEnd() throws Exception {
		share();
		for (String protocol : List.of("-tls1_2", "-tls1_3")) {
			this.clients.assertFull(protocol);
			this.clients.assertResumed(protocol);
		}
		sessions().endAll();
		for (String protocol : List.of("-tls1_2", "-tls1_3")) {
			this.clients.assertResumesNoLonger(protocol);
			this.clients.assertResumed(protocol);
		}
		awaitCounts("TLSv1.2", 2, 2);
		awaitCounts("TLSv1.3", 2, 2);
	}

	@Test
	@EnabledIf("isOpenSslInstalled")
	void sessionsEndWhileServerIsStopped() throws Exception {
		start();
		assertSessionsEndWhileStopped();
	}

	@Test
	void connectionsStayOpenWhenSessionsEnd() throws Exception {
		share();
		try (SSLSocket socket = this.clients.connect(first.sslContext(first))) {
			TestClients.exchange(socket);
			sessions().endAll();
			TestClients.exchange(socket);
		}
		awaitCounts("TLSv1.3", 1, 0);
	}

	@Test
	void sessionsEndForSocketsAcceptedBefore() throws Exception {
		share();
		SSLContext client = first.sslContext(first);
		List<Socket> sockets = new ArrayList<>();
		for (int i = 0; i < 5; i++) {
			sockets.add(new Socket("localhost", port()));
		}
		this.clients.assertConnects(client);
		this.clients.assertConnects(client);
		awaitCounts("TLSv1.3", 1, 1);
		sessions().endAll();
		this.clients.assertConnects(client, sockets.get(0));
		awaitCounts("TLSv1.3", 2, 1);
		for (Socket socket : sockets.subList(1, 5)) {
			this.clients.assertConnects(client, socket);
		}
	}

	@ParameterizedTest
	@ValueSource(strings = { "TLSv1.2", "TLSv1.3" })
	void sessionOfHandshakeUnderWayEnds(String protocol) throws Exception {
		share();
		AtomicBoolean underWay = new AtomicBoolean(true);
		SSLContext client = TestClients.interrupted(protocol, () -> {
			if (underWay.getAndSet(false)) {
				sessions().endAll();
			}
		});
		this.clients.assertConnects(client);
		awaitCounts(protocol, 1, 0);
		assertThat(sessions().estimatedSize()).isZero();
		this.clients.assertConnects(client);
		awaitCounts(protocol, 2, 0);
		this.clients.assertConnects(client);
		awaitCounts(protocol, 2, 1);
	}

	@Test
	void sessionsEndAlthoughCertificateIsUnreadable() throws Exception {
		start();
		SSLContext client = first.sslContext(first);
		this.clients.assertConnects(client);
		this.clients.assertConnects(client);
		awaitCounts("TLSv1.3", 1, 1);
		breakCertificate();
		sessions().endAll();
		this.clients.assertConnects(client);
		awaitCounts("TLSv1.3", 2, 1);
	}

	/*
	 * Updates the bundle like Boot does after reading damaged files.
	 */
	private void breakCertificate() {
		SslStoreBundle broken = mock(SslStoreBundle.class);
		given(broken.getKeyStore()).willThrow(new IllegalStateException("broken"));
		SslBundleRegistry bundles = context().getBean(SslBundleRegistry.class);
		try {
			bundles.updateBundle("web", SslBundle.of(broken, SslBundleKey.of(TestKeyStore.PASSWORD, "test")));
		}
		catch (IllegalStateException ex) {
			// Thrown by servers that follow the bundle
		}
	}

	@Test
	@EnabledIf("isOpenSslInstalled")
	void replacedCertificateIsUsed() throws Exception {
		start();
		this.clients.assertFull("-tls1_3");
		this.clients.assertResumed("-tls1_3");
		assertThat(this.clients.servedCertificate()).isEqualTo(first.certificate());
		TestServer.replaceCertificate(context(), second);
		assertThat(this.clients.servedCertificate()).isEqualTo(second.certificate());
		this.clients.assertResumesNoLonger("-tls1_3");
		awaitCounts("TLSv1.3", 4, 1);
	}

	@Test
	void clientsAreServedWhileCertificateIsReplaced() throws Exception {
		share();
		AtomicBoolean done = new AtomicBoolean();
		ExecutorService executor = Executors.newFixedThreadPool(3);
		try {
			List<Future<Integer>> clients = new ArrayList<>();
			for (int i = 0; i < 3; i++) {
				clients.add(executor.submit((Callable<Integer>) () -> {
					int connections = 0;
					SSLContext client = first.sslContext(first, second);
					do {
						this.clients.assertConnects((connections % 4 == 0) ? first.sslContext(first, second) : client);
						connections++;
					}
					while (!done.get());
					return connections;
				}));
			}
			for (int i = 0; i < 20; i++) {
				TestServer.replaceCertificate(context(), (i % 2 == 0) ? second : first);
				assertThat(this.clients.servedCertificate()).isEqualTo(((i % 2 == 0) ? second : first).certificate());
			}
			done.set(true);
			for (Future<Integer> client : clients) {
				assertThat(client.get()).isPositive();
			}
		}
		finally {
			done.set(true);
			executor.shutdownNow();
		}
		assertThat(failed()).isEmpty();
		assertThat(handshakes().reportingErrors()).isZero();
	}

	@Test
	@Tag("product")
	void sessionsResumeAfterEndsDuringCertificateReplacement() throws Exception {
		share();
		AtomicBoolean done = new AtomicBoolean();
		ExecutorService executor = Executors.newSingleThreadExecutor();
		try {
			Future<?> ends = executor.submit(() -> {
				while (!done.get()) {
					sessions().endAll();
				}
			});
			for (int i = 0; i < 20; i++) {
				TestServer.replaceCertificate(context(), (i % 2 == 0) ? second : first);
				assertThat(this.clients.servedCertificate()).isEqualTo(((i % 2 == 0) ? second : first).certificate());
			}
			done.set(true);
			ends.get();
		}
		finally {
			done.set(true);
			executor.shutdownNow();
		}
		awaitCounts("TLSv1.3", 20, 0);
		SSLContext client = first.sslContext(first);
		this.clients.assertConnects(client);
		this.clients.assertConnects(client);
		awaitCounts("TLSv1.3", 21, 1);
		assertThat(failed()).isEmpty();
	}

	/*
	 * The framework references the last started application.
	 */
	@Test
	@Tag("product")
	void stoppedServerRetainsNothing() throws Exception {
		start();
		assertServes();
		WeakReference<SslSessionCache> sessions = new WeakReference<>(sessions());
		context().close();
		start();
		Awaitility.await().untilAsserted(() -> {
			System.gc();
			assertThat(sessions.get()).isNull();
		});
	}

}
