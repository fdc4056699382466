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

import java.nio.file.Path;
import java.util.Collections;

import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.SSLEngineResult;
import javax.net.ssl.SSLException;
import javax.net.ssl.SSLSession;

import dev.uncontended.tls.InMemoryHandshake;
import dev.uncontended.tls.StatefulSessions;
import dev.uncontended.tls.TestKeyStore;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Verifies the internals of the JDK that the session cache relies on, without the session
 * cache. If one fails, {@code Lineages} must change.
 */
@Tag("integration")
class JdkInternalsTests {

	private SSLContext context;

	/** The result of the server that completed the handshake. */
	private @Nullable SSLEngineResult completed;

	@BeforeEach
	void createContext(@TempDir Path directory) {
		TestKeyStore keyStore = TestKeyStore.create(directory.resolve("server.p12"), "localhost");
		this.context = StatefulSessions.call(() -> keyStore.sslContext(keyStore));
	}

	@Test
	void sessionKeepsReferenceToHost() throws Exception {
		String host = new String("client");
		assertThat(handshake(host).getPeerHost()).isSameAs(host);
	}

	@Test
	void resumedSessionInheritsReferenceToHost() throws Exception {
		String host = new String("client");
		handshake(host);
		assertThat(handshake(new String("other")).getPeerHost()).isSameAs(host);
		assertThat(handshake(new String("other")).getPeerHost()).isSameAs(host);
	}

	@Test
	void invalidationReachesTickets() throws Exception {
		SSLSession session = handshake("client");
		assertThat(stored()).isOne();
		session.invalidate();
		assertThat(stored()).isZero();
	}

	@Test
	void handshakeFinishesWithTicket() throws Exception {
		handshake("client");
		assertThat(this.completed).isNotNull();
		assertThat(this.completed.bytesProduced()).isPositive();
		assertThat(stored()).isOne();
	}

	private int stored() {
		return Collections.list(this.context.getServerSessionContext().getIds()).size();
	}

	private SSLSession handshake(String host) throws SSLException {
		SSLEngine client = this.context.createSSLEngine("localhost", 1);
		client.setUseClientMode(true);
		SSLEngine server = this.context.createSSLEngine(host, -1);
		server.setUseClientMode(false);
		this.completed = InMemoryHandshake.run(client, server);
		return server.getSession();
	}

}
