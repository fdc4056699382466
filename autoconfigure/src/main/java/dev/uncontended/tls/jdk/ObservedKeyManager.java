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

package dev.uncontended.tls.jdk;

import java.net.Socket;
import java.security.Principal;
import java.security.PrivateKey;
import java.security.cert.X509Certificate;
import java.util.Set;

import javax.net.ssl.SSLEngine;
import javax.net.ssl.X509ExtendedKeyManager;
import javax.net.ssl.X509KeyManager;

import org.jspecify.annotations.Nullable;

/**
 * Records the SSL engines that request the server's certificate for a full handshake.
 */
final class ObservedKeyManager extends X509ExtendedKeyManager {

	private final X509KeyManager manager;

	private final Set<SSLEngine> fullHandshakes;

	ObservedKeyManager(X509KeyManager manager, Set<SSLEngine> fullHandshakes) {
		this.manager = manager;
		this.fullHandshakes = fullHandshakes;
	}

	/*
	 * JDK 25 calls this method also while it reads a stateless ticket. The handshake
	 * session is then null.
	 */
	@Override
	public @Nullable String chooseEngineServerAlias(String keyType, Principal @Nullable [] issuers, SSLEngine engine) {
		if (engine.getHandshakeSession() != null) {
			this.fullHandshakes.add(engine);
		}
		return (this.manager instanceof X509ExtendedKeyManager extended)
				? extended.chooseEngineServerAlias(keyType, issuers, engine)
				: this.manager.chooseServerAlias(keyType, issuers, null);
	}

	@Override
	public @Nullable String chooseEngineClientAlias(String[] keyType, Principal @Nullable [] issuers,
			SSLEngine engine) {
		return (this.manager instanceof X509ExtendedKeyManager extended)
				? extended.chooseEngineClientAlias(keyType, issuers, engine)
				: this.manager.chooseClientAlias(keyType, issuers, null);
	}

	@Override
	public String @Nullable [] getClientAliases(String keyType, Principal @Nullable [] issuers) {
		return this.manager.getClientAliases(keyType, issuers);
	}

	@Override
	public @Nullable String chooseClientAlias(String[] keyType, Principal @Nullable [] issuers,
			@Nullable Socket socket) {
		return this.manager.chooseClientAlias(keyType, issuers, socket);
	}

	@Override
	public String @Nullable [] getServerAliases(String keyType, Principal @Nullable [] issuers) {
		return this.manager.getServerAliases(keyType, issuers);
	}

	@Override
	public @Nullable String chooseServerAlias(String keyType, Principal @Nullable [] issuers, @Nullable Socket socket) {
		return this.manager.chooseServerAlias(keyType, issuers, socket);
	}

	@Override
	public X509Certificate @Nullable [] getCertificateChain(String alias) {
		return this.manager.getCertificateChain(alias);
	}

	@Override
	public @Nullable PrivateKey getPrivateKey(String alias) {
		return this.manager.getPrivateKey(alias);
	}

}
