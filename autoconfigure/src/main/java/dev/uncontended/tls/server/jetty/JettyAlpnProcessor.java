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

package dev.uncontended.tls.server.jetty;

import java.util.List;

import javax.net.ssl.SSLEngine;
import javax.net.ssl.SSLParameters;

import dev.uncontended.tls.engine.ReportingSslEngine;
import org.eclipse.jetty.alpn.java.server.JDK9ServerALPNProcessor;
import org.eclipse.jetty.alpn.server.ALPNServerConnection;
import org.eclipse.jetty.io.Connection;
import org.eclipse.jetty.io.ssl.SslConnection.SslEndPoint;
import org.eclipse.jetty.io.ssl.SslHandshakeListener;

/**
 * Enables ALPN in Jetty for a {@link ReportingSslEngine}. Jetty's own processor accepts
 * only SSL engines of the JDK. Jetty finds this class with
 * {@link java.util.ServiceLoader}.
 */
public final class JettyAlpnProcessor extends JDK9ServerALPNProcessor {

	@Override
	public boolean appliesTo(SSLEngine engine) {
		return engine instanceof ReportingSslEngine;
	}

	@Override
	public void configure(SSLEngine engine, Connection connection) {
		if (((ReportingSslEngine) engine).callsProtocolSelector()) {
			super.configure(engine, connection);
			return;
		}
		ALPNServerConnection alpn = (ALPNServerConnection) connection;
		SSLParameters parameters = engine.getSSLParameters();
		parameters.setApplicationProtocols(alpn.getProtocols().toArray(String[]::new));
		engine.setSSLParameters(parameters);
		((SslEndPoint) alpn.getEndPoint()).getSslConnection().addHandshakeListener(new SslHandshakeListener() {

			@Override
			public void handshakeSucceeded(Event event) {
				String selected = engine.getApplicationProtocol();
				if (selected == null || selected.isEmpty()) {
					alpn.unsupported();
				}
				else {
					alpn.select(List.of(selected));
				}
			}

		});
	}

}
