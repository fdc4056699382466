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

package dev.uncontended.sample;

import java.security.SecureRandom;
import java.time.Duration;
import java.util.Map;

import dev.uncontended.tls.boringssl.BoringSslAvailability;
import dev.uncontended.tls.boringssl.BoringSslSessions;
import dev.uncontended.tls.boringssl.BoringSslTlsEngine;
import dev.uncontended.tls.engine.JdkTlsEngine;
import dev.uncontended.tls.engine.TlsEngine;
import dev.uncontended.tls.handshake.TlsHandshakes;
import dev.uncontended.tls.handshake.TlsServerId;
import dev.uncontended.tls.server.TlsServers;
import dev.uncontended.tls.server.tomcat.TomcatTlsAdapter;
import dev.uncontended.tls.session.SslSessionCache;
import dev.uncontended.tls.tickets.LocalTicketKeySource;
import dev.uncontended.tls.tickets.TicketKeyRotation;
import org.apache.catalina.Service;
import org.apache.catalina.connector.Connector;
import org.apache.commons.logging.LogFactory;
import org.apache.coyote.AbstractProtocol;

import org.springframework.boot.ssl.SslBundle;
import org.springframework.boot.tomcat.SslConnectorCustomizer;
import org.springframework.boot.tomcat.servlet.TomcatServletWebServerFactory;

/**
 * A second HTTPS port of the same Tomcat with its own engine, for comparisons. Its
 * handshakes do not count as the application's.
 */
final class SecondHttpsPort implements AutoCloseable {

	private static final TicketKeyRotation ROTATION = new TicketKeyRotation(Duration.ofHours(12), Duration.ofHours(24));

	private final Service service;

	private final Connector connector;

	private final Runnable engineCloser;

	private SecondHttpsPort(Connector first, SslBundle bundle, SslSessionCache cache, TlsEngine engine,
			Runnable engineCloser) {
		this.service = first.getService();
		this.engineCloser = engineCloser;
		this.connector = new Connector(TomcatServletWebServerFactory.DEFAULT_PROTOCOL);
		this.connector.setPort(0);
		((AbstractProtocol<?>) this.connector.getProtocolHandler())
			.setAddress(((AbstractProtocol<?>) first.getProtocolHandler()).getAddress());
		new SslConnectorCustomizer(LogFactory.getLog(getClass()), this.connector, null).customize(bundle, Map.of());
		new TomcatTlsAdapter(engine, new TlsServers(cache, new TlsHandshakes()), TlsServerId.Context.APPLICATION)
			.connect(this.connector);
		this.service.addConnector(this.connector);
	}

	/**
	 * Opens a port with the JDK's engine.
	 * @param first the connector whose address is used
	 * @param bundle the certificate
	 */
	static SecondHttpsPort withJdk(Connector first, SslBundle bundle) {
		return new SecondHttpsPort(first, bundle, SslSessionCache.builder().build(), new JdkTlsEngine(), () -> {
		});
	}

	/**
	 * Opens a port with BoringSSL.
	 * @param first the connector whose address is used
	 * @param bundle the certificate
	 * @throws dev.uncontended.tls.boringssl.BoringSslUnavailableException if BoringSSL is
	 * not available
	 */
	static SecondHttpsPort withBoringSsl(Connector first, SslBundle bundle) {
		BoringSslAvailability.require();
		SslSessionCache cache = SslSessionCache.builder().build();
		LocalTicketKeySource keys = new LocalTicketKeySource(ROTATION, new SecureRandom());
		BoringSslSessions sessions = BoringSslSessions.inTickets(cache, keys);
		return new SecondHttpsPort(first, bundle, cache, new BoringSslTlsEngine(sessions), () -> {
			sessions.close();
			keys.close();
		});
	}

	Connector connector() {
		return this.connector;
	}

	@Override
	public void close() {
		this.service.removeConnector(this.connector);
		this.engineCloser.run();
	}

}
