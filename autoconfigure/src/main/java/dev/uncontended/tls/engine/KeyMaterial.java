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

package dev.uncontended.tls.engine;

import java.security.GeneralSecurityException;
import java.security.InvalidKeyException;
import java.security.KeyManagementException;
import java.security.PrivateKey;
import java.security.PublicKey;
import java.security.Signature;
import java.security.cert.X509Certificate;
import java.util.List;
import java.util.Objects;

import javax.net.ssl.KeyManager;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.TrustManager;
import javax.net.ssl.X509ExtendedKeyManager;
import javax.net.ssl.X509KeyManager;

import org.jspecify.annotations.Nullable;

/**
 * The keys that a server's key manager chooses without a ClientHello. A key manager that
 * needs a ClientHello chooses none.
 */
public final class KeyMaterial {

	private static final List<String> KEY_TYPES = List.of("RSA", "EC", "EdDSA", "RSASSA-PSS");

	private KeyMaterial() {
	}

	/**
	 * Returns the different keys that have a certificate.
	 */
	public static List<Entry> of(X509KeyManager manager) {
		SSLEngine engine = newEngine();
		return KEY_TYPES.stream()
			.map((keyType) -> choose(manager, keyType, engine))
			.filter(Objects::nonNull)
			.distinct()
			.toList();
	}

	private static SSLEngine newEngine() {
		try {
			SSLContext context = SSLContext.getInstance("TLS");
			// Without the managers, the JDK would read its trusted certificates.
			context.init(new KeyManager[0], new TrustManager[0], null);
			return context.createSSLEngine();
		}
		catch (GeneralSecurityException ex) {
			throw new IllegalStateException("Failed to create an SSL engine of the JDK", ex);
		}
	}

	private static @Nullable Entry choose(X509KeyManager manager, String keyType, SSLEngine engine) {
		try {
			String alias = (manager instanceof X509ExtendedKeyManager extended)
					? extended.chooseEngineServerAlias(keyType, null, engine)
					: manager.chooseServerAlias(keyType, null, null);
			X509Certificate[] chain = (alias != null) ? manager.getCertificateChain(alias) : null;
			return (chain != null && chain.length > 0) ? new Entry(chain[0], manager.getPrivateKey(alias)) : null;
		}
		catch (RuntimeException ex) {
			return null;
		}
	}

	/**
	 * Verifies that the private keys belong to their certificates. Otherwise, a server
	 * would start, and all of its handshakes would fail. Accepts a key that fails to
	 * sign, because a key in hardware may permit only other signatures.
	 * @throws KeyManagementException if a key does not belong to its certificate
	 */
	static void verify(KeyManager @Nullable [] managers) throws KeyManagementException {
		for (KeyManager manager : (managers != null) ? managers : new KeyManager[0]) {
			for (Entry entry : (manager instanceof X509KeyManager keys) ? of(keys) : List.<Entry>of()) {
				if (!entry.matches()) {
					throw new KeyManagementException("The private key does not belong to the certificate of "
							+ entry.certificate().getSubjectX500Principal().getName() + ". Configure its own key.");
				}
			}
		}
	}

	/**
	 * A key and its certificate.
	 *
	 * @param certificate the server's certificate
	 * @param key the private key, {@code null} if the key manager has none
	 */
	public record Entry(X509Certificate certificate, @Nullable PrivateKey key) {

		private boolean matches() {
			PublicKey publicKey = this.certificate.getPublicKey();
			String algorithm = switch (publicKey.getAlgorithm()) {
				case "RSA" -> "SHA256withRSA";
				case "EC" -> "SHA256withECDSA";
				case "EdDSA" -> "EdDSA";
				default -> null;
			};
			if (this.key == null || algorithm == null) {
				return true;
			}
			byte[] data = { 1, 2, 3 };
			try {
				Signature signer = Signature.getInstance(algorithm);
				signer.initSign(this.key);
				signer.update(data);
				byte[] signature = signer.sign();
				Signature verifier = Signature.getInstance(algorithm);
				verifier.initVerify(publicKey);
				verifier.update(data);
				return verifier.verify(signature);
			}
			catch (InvalidKeyException ex) {
				String keyType = this.key.getAlgorithm();
				return !KEY_TYPES.contains(keyType) || keyType.equals(publicKey.getAlgorithm());
			}
			catch (GeneralSecurityException | RuntimeException ex) {
				return true;
			}
		}

	}

}
