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
import java.security.AlgorithmConstraints;
import java.security.CryptoPrimitive;
import java.security.PublicKey;
import java.security.cert.CertificateException;
import java.security.cert.X509Certificate;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;

import javax.net.ssl.SSLEngine;
import javax.net.ssl.X509ExtendedTrustManager;
import javax.net.ssl.X509TrustManager;

import io.netty.handler.ssl.OpenSslCertificateException;
import io.netty.internal.tcnative.CertificateVerifier;
import org.jspecify.annotations.Nullable;

/**
 * Verifies client certificates as the JDK's engine does:
 * <ul>
 * <li>The wrapped trust manager receives the type of the client's key as the
 * authentication type.</li>
 * <li>A wrapped {@link X509ExtendedTrustManager} receives the server's engine, whose
 * session contains the signature algorithms of the JDK instead of BoringSSL's.</li>
 * <li>If the wrapped trust manager is not an {@link X509ExtendedTrustManager}, this class
 * applies the JDK's algorithm constraints.</li>
 * <li>The length of the chain is limited.</li>
 * <li>If the client's certificates are not trusted, the server sends the alert
 * {@code certificate_unknown}.</li>
 * </ul>
 */
final class ClientTrustManager extends X509ExtendedTrustManager {

	private static final Set<CryptoPrimitive> SIGNATURE = EnumSet.of(CryptoPrimitive.SIGNATURE);

	/**
	 * A verification error for which BoringSSL sends the alert
	 * {@code certificate_unknown}.
	 */
	private static final int CERTIFICATE_UNKNOWN = CertificateVerifier.X509_V_ERR_UNHANDLED_CRITICAL_EXTENSION;

	/** As in Java 25. */
	private static final int MAXIMUM = 8;

	private final X509TrustManager manager;

	ClientTrustManager(X509TrustManager manager) {
		this.manager = manager;
	}

	@Override
	public void checkClientTrusted(X509Certificate[] chain, String authType, SSLEngine engine)
			throws CertificateException {
		try {
			if (chain.length > MAXIMUM) {
				throw new CertificateException(
						"The client sent %d certificates. At most %d are permitted.".formatted(chain.length, MAXIMUM));
			}
			BoringSslEngine own = BoringSslEngine.of(engine);
			String keyType = chain[0].getPublicKey().getAlgorithm();
			if (this.manager instanceof X509ExtendedTrustManager extended) {
				extended.checkClientTrusted(chain, keyType, own);
			}
			else {
				this.manager.checkClientTrusted(chain, keyType);
				checkConstraints(chain);
			}
			own.onClientCertificate(chain[0]);
		}
		catch (CertificateException ex) {
			throw new OpenSslCertificateException(ex.getMessage(), ex, CERTIFICATE_UNKNOWN);
		}
	}

	/*
	 * A trusted certificate at the end of the chain is exempt.
	 */
	private void checkConstraints(X509Certificate[] chain) throws CertificateException {
		AlgorithmConstraints constraints = JdkPolicy.CONSTRAINTS;
		int end = chain.length - 1;
		if (!List.of(getAcceptedIssuers()).contains(chain[end])) {
			end++;
		}
		for (int i = 0; i < end; i++) {
			String signature = chain[i].getSigAlgName();
			PublicKey key = chain[i].getPublicKey();
			if (constraints != null
					&& !(constraints.permits(SIGNATURE, signature, null) && constraints.permits(SIGNATURE, key))) {
				throw new CertificateException("The JDK's algorithm constraints do not permit a certificate with "
						+ signature + " and a key of type " + key.getAlgorithm());
			}
		}
	}

	@Override
	public X509Certificate[] getAcceptedIssuers() {
		X509Certificate @Nullable [] issuers = this.manager.getAcceptedIssuers();
		return (issuers != null) ? issuers : new X509Certificate[0];
	}

	@Override
	public void checkClientTrusted(X509Certificate[] chain, String authType) {
		throw enginesOfServersOnly();
	}

	@Override
	public void checkServerTrusted(X509Certificate[] chain, String authType) {
		throw enginesOfServersOnly();
	}

	@Override
	public void checkClientTrusted(X509Certificate[] chain, String authType, Socket socket) {
		throw enginesOfServersOnly();
	}

	@Override
	public void checkServerTrusted(X509Certificate[] chain, String authType, Socket socket) {
		throw enginesOfServersOnly();
	}

	@Override
	public void checkServerTrusted(X509Certificate[] chain, String authType, SSLEngine engine) {
		throw enginesOfServersOnly();
	}

	private static UnsupportedOperationException enginesOfServersOnly() {
		return new UnsupportedOperationException("This trust manager supports server engines only");
	}

}
