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

package dev.uncontended.tls.server;

import java.util.List;

import dev.uncontended.tls.boringssl.BoringSslSessions;
import dev.uncontended.tls.boringssl.BoringSslTlsEngine;
import dev.uncontended.tls.boringssl.TestTicketKeys;
import dev.uncontended.tls.engine.TlsEngine;
import dev.uncontended.tls.handshake.TlsHandshakes;
import dev.uncontended.tls.handshake.TlsServerId;
import dev.uncontended.tls.jdk.JdkTlsEngine;
import dev.uncontended.tls.server.jetty.JettyTlsServer;
import dev.uncontended.tls.server.tomcat.TomcatTlsServer;
import dev.uncontended.tls.session.internal.SessionTokens;
import dev.uncontended.tls.session.internal.TestSessions;
import org.apache.catalina.connector.Connector;
import org.apache.coyote.http11.Http11NioProtocol;
import org.eclipse.jetty.server.SslConnectionFactory;
import org.eclipse.jetty.util.ssl.SslContextFactory;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests that servers use direct buffers for TLS with BoringSSL, and their default buffers
 * with the JDK's engine.
 */
class DirectBufferTests {

	private final SessionTokens cache = TestSessions.cache();

	private final TlsServers servers = new TlsServers(this.cache, new TlsHandshakes());

	private final TlsEngine jdk = new JdkTlsEngine(this.cache, List.of());

	private final TlsEngine boringSsl = new BoringSslTlsEngine(
			new BoringSslSessions(this.cache, new TestTicketKeys().keys()), List.of());

	@Test
	void tomcatUsesDirectBuffersOfBoringSsl() {
		assertThat(tomcat(this.jdk).getProperty("socket.directSslBuffer")).isEqualTo("false");
		Http11NioProtocol protocol = tomcat(this.boringSsl);
		assertThat(protocol.getProperty("socket.directSslBuffer")).isEqualTo("true");
		assertThat(protocol.getProperty("socket.directBuffer")).isEqualTo("true");
	}

	private Http11NioProtocol tomcat(TlsEngine engine) {
		Http11NioProtocol protocol = new Http11NioProtocol();
		new TomcatTlsServer(engine, this.servers, TlsServerId.Context.APPLICATION, new Connector(protocol), protocol);
		return protocol;
	}

	@Test
	void jettyUsesDirectBuffersOfBoringSsl() {
		assertThat(jetty(this.jdk).isDirectBuffersForEncryption()).isFalse();
		SslConnectionFactory connections = jetty(this.boringSsl);
		assertThat(connections.isDirectBuffersForEncryption()).isTrue();
		assertThat(connections.isDirectBuffersForDecryption()).isTrue();
	}

	private SslConnectionFactory jetty(TlsEngine engine) {
		SslConnectionFactory connections = new SslConnectionFactory(new SslContextFactory.Server(), "http/1.1");
		new JettyTlsServer(engine, this.servers, TlsServerId.Context.APPLICATION, connections);
		return connections;
	}

}
