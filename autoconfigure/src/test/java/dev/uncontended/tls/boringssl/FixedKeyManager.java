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
import java.security.Principal;
import java.security.PrivateKey;
import java.security.cert.X509Certificate;

import javax.net.ssl.SSLEngine;
import javax.net.ssl.X509ExtendedKeyManager;

/**
 * A key manager with one key, which it offers for every request for a key of its type.
 */
final class FixedKeyManager extends X509ExtendedKeyManager {

	private final PrivateKey key;

	private final X509Certificate[] chain;

	FixedKeyManager(PrivateKey key, X509Certificate... chain) {
		this.key = key;
		this.chain = chain;
	}

	private String alias(String... keyTypes) {
		String algorithm = this.chain[0].getPublicKey().getAlgorithm();
		for (String keyType : keyTypes) {
			if (keyType.equals(algorithm)) {
				return "fixed";
			}
		}
		return null;
	}

	@Override
	public String chooseEngineClientAlias(String[] keyTypes, Principal[] issuers, SSLEngine engine) {
		return alias(keyTypes);
	}

	@Override
	public String chooseEngineServerAlias(String keyType, Principal[] issuers, SSLEngine engine) {
		return alias(keyType);
	}

	@Override
	public String[] getClientAliases(String keyType, Principal[] issuers) {
		return getServerAliases(keyType, issuers);
	}

	@Override
	public String chooseClientAlias(String[] keyTypes, Principal[] issuers, Socket socket) {
		return alias(keyTypes);
	}

	@Override
	public String[] getServerAliases(String keyType, Principal[] issuers) {
		return (alias(keyType) != null) ? new String[] { "fixed" } : null;
	}

	@Override
	public String chooseServerAlias(String keyType, Principal[] issuers, Socket socket) {
		return alias(keyType);
	}

	@Override
	public X509Certificate[] getCertificateChain(String alias) {
		return this.chain;
	}

	@Override
	public PrivateKey getPrivateKey(String alias) {
		return this.key;
	}

}
