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

package dev.uncontended.tls.tomcat;

import java.security.KeyManagementException;
import java.security.SecureRandom;
import java.security.cert.X509Certificate;

import javax.net.ssl.KeyManager;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.SSLParameters;
import javax.net.ssl.SSLServerSocketFactory;
import javax.net.ssl.SSLSessionContext;
import javax.net.ssl.TrustManager;

import dev.uncontended.tls.TlsHandshakes;
import org.apache.tomcat.util.net.SSLContext;

/**
 * Tomcat's {@link SSLContext} whose engines report their handshakes.
 */
final class HandshakeReportingContext implements SSLContext {

	private final SSLContext context;

	private final TlsHandshakes handshakes;

	HandshakeReportingContext(SSLContext context, TlsHandshakes handshakes) {
		this.context = context;
		this.handshakes = handshakes;
	}

	@Override
	public SSLEngine createSSLEngine() {
		return new HandshakeReportingEngine(this.context.createSSLEngine(), this.handshakes);
	}

	@Override
	public void init(KeyManager[] keyManagers, TrustManager[] trustManagers, SecureRandom random)
			throws KeyManagementException {
		this.context.init(keyManagers, trustManagers, random);
	}

	@Override
	public void destroy() {
		this.context.destroy();
	}

	@Override
	public SSLSessionContext getServerSessionContext() {
		return this.context.getServerSessionContext();
	}

	@Override
	public SSLServerSocketFactory getServerSocketFactory() {
		return this.context.getServerSocketFactory();
	}

	@Override
	public SSLParameters getSupportedSSLParameters() {
		return this.context.getSupportedSSLParameters();
	}

	@Override
	public X509Certificate[] getCertificateChain(String alias) {
		return this.context.getCertificateChain(alias);
	}

	@Override
	public X509Certificate[] getAcceptedIssuers() {
		return this.context.getAcceptedIssuers();
	}

}
