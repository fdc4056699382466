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

package dev.uncontended.tls.boringssl;

import java.net.Socket;
import java.security.cert.CertificateException;
import java.security.cert.X509Certificate;

import javax.net.ssl.SSLEngine;
import javax.net.ssl.X509ExtendedTrustManager;

import io.netty.handler.ssl.OpenSslCertificateException;
import io.netty.internal.tcnative.CertificateVerifier;
import org.jspecify.annotations.Nullable;

/**
 * Verifies client certificates as the JDK's engine does. The wrapped trust manager
 * receives the type of the client's key, and the server's engine, whose session contains
 * the signature algorithms of the JDK instead of BoringSSL's.
 */
final class ClientTrustManager extends X509ExtendedTrustManager {

	private final @Nullable X509ExtendedTrustManager manager;

	/**
	 * Creates a trust manager.
	 * @param manager the wrapped trust manager, {@code null} if clients do not
	 * authenticate
	 */
	ClientTrustManager(@Nullable X509ExtendedTrustManager manager) {
		this.manager = manager;
	}

	@Override
	public void checkClientTrusted(X509Certificate[] chain, String authType, SSLEngine engine)
			throws CertificateException {
		if (this.manager == null) {
			throw new CertificateException("The server has not requested a client certificate");
		}
		BoringSslEngine own = BoringSslEngine.of(engine);
		try {
			this.manager.checkClientTrusted(chain, chain[0].getPublicKey().getAlgorithm(), own);
		}
		catch (CertificateException ex) {
			// BoringSSL sends the alert certificate_unknown for this error.
			throw new OpenSslCertificateException(ex.getMessage(), ex,
					CertificateVerifier.X509_V_ERR_UNHANDLED_CRITICAL_EXTENSION);
		}
		own.onClientCertificate(chain[0]);
	}

	@Override
	public X509Certificate[] getAcceptedIssuers() {
		X509Certificate @Nullable [] issuers = (this.manager != null) ? this.manager.getAcceptedIssuers() : null;
		return (issuers != null) ? issuers : new X509Certificate[0];
	}

	@Override
	public void checkClientTrusted(X509Certificate[] chain, String authType) {
		throw new UnsupportedOperationException();
	}

	@Override
	public void checkServerTrusted(X509Certificate[] chain, String authType) {
		throw new UnsupportedOperationException();
	}

	@Override
	public void checkClientTrusted(X509Certificate[] chain, String authType, Socket socket) {
		throw new UnsupportedOperationException();
	}

	@Override
	public void checkServerTrusted(X509Certificate[] chain, String authType, Socket socket) {
		throw new UnsupportedOperationException();
	}

	@Override
	public void checkServerTrusted(X509Certificate[] chain, String authType, SSLEngine engine) {
		throw new UnsupportedOperationException();
	}

}
