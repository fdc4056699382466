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

package dev.uncontended.tls.wire;

import java.security.GeneralSecurityException;
import java.security.PrivateKey;
import java.security.Signature;
import java.security.cert.X509Certificate;
import java.security.spec.MGF1ParameterSpec;
import java.security.spec.PSSParameterSpec;
import java.util.List;

/**
 * The certificate of a client, if it has one.
 *
 * @param chain the encoded certificates, the client's first
 * @param key the private key
 * @param scheme the number of the signature scheme (RFC 9846 section 4.3.3)
 * @param algorithm the JCA name of the signature scheme
 */
public record ClientIdentity(List<byte[]> chain, PrivateKey key, int scheme, String algorithm) {

	private static final int RSA_PSS = 0x804;

	public static ClientIdentity of(X509Certificate certificate, PrivateKey key, int scheme, String algorithm)
			throws GeneralSecurityException {
		return new ClientIdentity(List.of(certificate.getEncoded()), key, scheme, algorithm);
	}

	/**
	 * Returns the same client with another chain.
	 */
	public ClientIdentity withChain(byte[]... chain) {
		return new ClientIdentity(List.of(chain), this.key, this.scheme, this.algorithm);
	}

	boolean isAnonymous() {
		return this.chain.isEmpty();
	}

	byte[] sign(byte[] data) throws GeneralSecurityException {
		Signature signature = Signature.getInstance(this.algorithm);
		if (this.scheme == RSA_PSS) {
			signature.setParameter(new PSSParameterSpec("SHA-256", "MGF1", MGF1ParameterSpec.SHA256, 32, 1));
		}
		signature.initSign(this.key);
		signature.update(data);
		return signature.sign();
	}

}
