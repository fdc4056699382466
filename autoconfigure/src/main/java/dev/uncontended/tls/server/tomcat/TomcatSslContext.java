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

package dev.uncontended.tls.server.tomcat;

import java.security.KeyManagementException;
import java.security.SecureRandom;
import java.security.cert.X509Certificate;
import java.util.Arrays;
import java.util.Objects;
import java.util.stream.Stream;

import javax.net.ssl.KeyManager;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.SSLParameters;
import javax.net.ssl.SSLServerSocketFactory;
import javax.net.ssl.SSLSessionContext;
import javax.net.ssl.TrustManager;
import javax.net.ssl.X509KeyManager;

import dev.uncontended.tls.engine.RenewableSslContext;
import org.apache.tomcat.util.net.SSLContext;
import org.apache.tomcat.util.net.SSLUtil;
import org.jspecify.annotations.Nullable;

/**
 * Adapts a {@link RenewableSslContext} to Tomcat's {@link SSLContext}.
 */
final class TomcatSslContext implements SSLContext {

	private final RenewableSslContext context;

	private final SSLUtil settings;

	private final boolean requestsClientCertificates;

	private KeyManager[] keyManagers = {};

	TomcatSslContext(RenewableSslContext context, SSLUtil settings, boolean requestsClientCertificates) {
		this.context = context;
		this.settings = settings;
		this.requestsClientCertificates = requestsClientCertificates;
	}

	RenewableSslContext renewable() {
		return this.context;
	}

	@Override
	public void init(KeyManager @Nullable [] keyManagers, TrustManager @Nullable [] trustManagers,
			@Nullable SecureRandom random) throws KeyManagementException {
		this.context.engineInit(keyManagers, trustManagers, random);
		SSLEngine engine = createSSLEngine();
		engine.setEnabledProtocols(this.settings.getEnabledProtocols());
		engine.setEnabledCipherSuites(this.settings.getEnabledCiphers());
		engine.setWantClientAuth(this.requestsClientCertificates);
		RenewableSslContext.verify(engine);
		this.keyManagers = (keyManagers != null) ? keyManagers : this.keyManagers;
	}

	@Override
	public void destroy() {
	}

	@Override
	public @Nullable SSLSessionContext getServerSessionContext() {
		return this.context.engineGetServerSessionContext();
	}

	@Override
	public SSLEngine createSSLEngine() {
		return this.context.engineCreateSSLEngine();
	}

	@Override
	public SSLServerSocketFactory getServerSocketFactory() {
		return this.context.engineGetServerSocketFactory();
	}

	@Override
	public SSLParameters getSupportedSSLParameters() {
		return this.context.engineGetSupportedSSLParameters();
	}

	@Override
	public X509Certificate @Nullable [] getCertificateChain(String alias) {
		return Arrays.stream(this.keyManagers)
			.flatMap((manager) -> (manager instanceof X509KeyManager x509) ? Stream.of(x509) : Stream.empty())
			.map((manager) -> manager.getCertificateChain(alias))
			.filter(Objects::nonNull)
			.findFirst()
			.orElse(null);
	}

	/*
	 * Only Tomcat's Manager application calls this method.
	 */
	@Override
	public X509Certificate[] getAcceptedIssuers() {
		return new X509Certificate[0];
	}

}
