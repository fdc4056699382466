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

import java.security.NoSuchAlgorithmException;
import java.security.Provider;

import javax.net.ssl.SSLContext;

import org.eclipse.jetty.util.ssl.SslContextFactory;

/**
 * A copy of a running server's settings, from which an SSL context can be created while
 * the server keeps its own.
 */
final class TrialContextFactory extends SslContextFactory.Server {

	private final Provider provider;

	/**
	 * Copies the settings from which Jetty creates its SSL context and its SSL engines.
	 * @param provider the provider of the SSL context
	 */
	TrialContextFactory(SslContextFactory.Server running, Provider provider) {
		this.provider = provider;
		setProtocol(running.getProtocol());
		setSecureRandomAlgorithm(running.getSecureRandomAlgorithm());
		setKeyManagerFactoryAlgorithm(running.getKeyManagerFactoryAlgorithm());
		setTrustManagerFactoryAlgorithm(running.getTrustManagerFactoryAlgorithm());
		setKeyStore(running.getKeyStore());
		setKeyStorePassword(running.getKeyStorePassword());
		setKeyManagerPassword(running.getKeyManagerPassword());
		setCertAlias(running.getCertAlias());
		setTrustStore(running.getTrustStore());
		setTrustAll(running.isTrustAll());
		setValidateCerts(running.isValidateCerts());
		setValidatePeerCerts(running.isValidatePeerCerts());
		setCrlPath(running.getCrlPath());
		setMaxCertPathLength(running.getMaxCertPathLength());
		setPkixCertPathChecker(running.getPkixCertPathChecker());
		setEnableCRLDP(running.isEnableCRLDP());
		setEnableOCSP(running.isEnableOCSP());
		setOcspResponderURL(running.getOcspResponderURL());
		setIncludeProtocols(running.getIncludeProtocols());
		setExcludeProtocols(running.getExcludeProtocols());
		setIncludeCipherSuites(running.getIncludeCipherSuites());
		setExcludeCipherSuites(running.getExcludeCipherSuites());
		setCipherComparator(running.getCipherComparator());
		setUseCipherSuitesOrder(running.isUseCipherSuitesOrder());
		setEndpointIdentificationAlgorithm(running.getEndpointIdentificationAlgorithm());
		setNeedClientAuth(running.getNeedClientAuth());
		setWantClientAuth(running.getWantClientAuth());
	}

	@Override
	protected SSLContext getSSLContextInstance() throws NoSuchAlgorithmException {
		return SSLContext.getInstance(getProtocol(), this.provider);
	}

}
