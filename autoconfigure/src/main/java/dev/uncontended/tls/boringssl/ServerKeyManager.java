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
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;

import javax.net.ssl.SSLEngine;
import javax.net.ssl.X509ExtendedKeyManager;
import javax.net.ssl.X509KeyManager;

import io.netty.handler.ssl.ReferenceCountedOpenSslEngine;
import io.netty.internal.tcnative.SSL;
import org.jspecify.annotations.Nullable;

/**
 * Selects a server key that can sign with a scheme that both the client and the JDK's
 * policy permit. BoringSSL would sign with SHA-1 for clients that support nothing else,
 * and Netty selects keys by the TLS 1.2 cipher suites only.
 */
final class ServerKeyManager extends X509ExtendedKeyManager {

	private static final List<String> KEY_TYPES = List.of("EC", "RSA", "EdDSA");

	/**
	 * An alias without certificates, for which BoringSSL sends the alert.
	 */
	private static final String NO_KEY = "";

	private final X509KeyManager manager;

	ServerKeyManager(X509KeyManager manager) {
		this.manager = manager;
	}

	/**
	 * Returns the certificates for a client that supports every type of key.
	 * @return the chain, or {@code null} if the manager's choice depends on the client
	 */
	X509Certificate @Nullable [] preferredChain() {
		for (String type : KEY_TYPES) {
			String alias = SessionBinding.choose(this.manager, type);
			if (alias != null) {
				return this.manager.getCertificateChain(alias);
			}
		}
		return null;
	}

	@Override
	public String chooseEngineServerAlias(String keyType, Principal @Nullable [] issuers, SSLEngine engine) {
		Set<String> offered = offered((ReferenceCountedOpenSslEngine) engine);
		for (String type : KEY_TYPES) {
			String alias = (this.manager instanceof X509ExtendedKeyManager extended)
					? extended.chooseEngineServerAlias(type, issuers, engine)
					: this.manager.chooseServerAlias(type, issuers, null);
			if (alias != null && maySign(alias, offered)) {
				return alias;
			}
		}
		return NO_KEY;
	}

	private boolean maySign(String alias, Set<String> offered) {
		X509Certificate[] chain = getCertificateChain(alias);
		if (chain == null || chain.length == 0) {
			return false;
		}
		String prefix = switch (chain[0].getPublicKey().getAlgorithm()) {
			case "EC" -> "ecdsa_";
			case "RSA" -> "rsa_";
			default -> "ed25519";
		};
		return JdkPolicy.signatureSchemes()
			.stream()
			.anyMatch((scheme) -> scheme.startsWith(prefix) && offered.contains(withoutCurve(scheme)));
	}

	/*
	 * Without the extension, SHA-1 applies (RFC 5246 section 7.4.1.4.1).
	 */
	private static Set<String> offered(ReferenceCountedOpenSslEngine engine) {
		synchronized (engine) {
			long ssl = engine.sslPointer();
			String[] schemes = (ssl != 0) ? SSL.getSigAlgs(ssl) : null;
			return (schemes == null || schemes.length == 0) ? Set.of("rsa_pkcs1_sha1", "ecdsa_sha1")
					: Arrays.stream(schemes).map(ServerKeyManager::withoutCurve).collect(Collectors.toSet());
		}
	}

	/*
	 * In TLS 1.2, ecdsa_secp256r1_sha256 does not determine the curve.
	 */
	private static String withoutCurve(String scheme) {
		return scheme.startsWith("ecdsa_") ? "ecdsa" + scheme.substring(scheme.lastIndexOf('_')) : scheme;
	}

	@Override
	public X509Certificate @Nullable [] getCertificateChain(String alias) {
		return alias.equals(NO_KEY) ? null : this.manager.getCertificateChain(alias);
	}

	@Override
	public @Nullable PrivateKey getPrivateKey(String alias) {
		return this.manager.getPrivateKey(alias);
	}

	@Override
	public String @Nullable [] getServerAliases(String keyType, Principal @Nullable [] issuers) {
		return this.manager.getServerAliases(keyType, issuers);
	}

	@Override
	public @Nullable String chooseServerAlias(String keyType, Principal @Nullable [] issuers, @Nullable Socket socket) {
		throw enginesOfServersOnly();
	}

	@Override
	public String @Nullable [] getClientAliases(String keyType, Principal @Nullable [] issuers) {
		throw enginesOfServersOnly();
	}

	@Override
	public @Nullable String chooseClientAlias(String[] keyType, Principal @Nullable [] issuers,
			@Nullable Socket socket) {
		throw enginesOfServersOnly();
	}

	private static UnsupportedOperationException enginesOfServersOnly() {
		return new UnsupportedOperationException("This key manager supports server engines only");
	}

}
