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
import java.security.KeyManagementException;
import java.security.Principal;
import java.security.PrivateKey;
import java.security.PublicKey;
import java.security.cert.X509Certificate;
import java.security.interfaces.EdECKey;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import javax.net.ssl.SSLEngine;
import javax.net.ssl.X509ExtendedKeyManager;
import javax.net.ssl.X509KeyManager;

import dev.uncontended.tls.engine.KeyMaterial;
import io.netty.handler.ssl.ReferenceCountedOpenSslEngine;
import io.netty.internal.tcnative.SSL;
import org.jspecify.annotations.Nullable;

/**
 * Selects a server key that can sign with a signature scheme that the client offers and
 * the {@link JdkPolicy} permits. Without this class, BoringSSL would sign with SHA-1 for
 * clients that support no other hash.
 */
final class ServerKeyManager extends X509ExtendedKeyManager {

	private static final List<String> KEY_TYPES = List.of("EC", "RSA", "EdDSA");

	/** Returned if no key is suitable. It has no certificates, so the handshake fails. */
	private static final String NO_KEY = "";

	private final X509KeyManager manager;

	ServerKeyManager(X509KeyManager manager) {
		this.manager = manager;
	}

	/**
	 * Verifies that BoringSSL supports at least one key of the key manager, and can read
	 * those that it supports. Accepts a key manager that needs a ClientHello to choose a
	 * key.
	 * @throws KeyManagementException if BoringSSL cannot sign with the keys
	 */
	static void verify(X509KeyManager manager) throws KeyManagementException {
		List<KeyMaterial.Entry> keys = KeyMaterial.of(manager);
		List<KeyMaterial.Entry> supported = keys.stream()
			.filter((key) -> schemes(key.certificate().getPublicKey()) != null)
			.toList();
		if (!keys.isEmpty() && supported.isEmpty()) {
			throw new KeyManagementException(
					"BoringSSL supports no keys of type " + keys.get(0).certificate().getPublicKey().getAlgorithm()
							+ ". Use a key of type RSA, EC or Ed25519, or the JDK's engine.");
		}
		for (KeyMaterial.Entry key : supported) {
			if (key.key() != null && key.key().getEncoded() == null) {
				throw new KeyManagementException("The private key of "
						+ key.certificate().getSubjectX500Principal().getName()
						+ " cannot be exported from its token or key store. Use the JDK's engine, or a key in a file.");
			}
		}
	}

	/*
	 * Ignores the key type, because Netty does not ask for EdDSA.
	 */
	@Override
	public String chooseEngineServerAlias(String keyType, Principal @Nullable [] issuers, SSLEngine engine) {
		long ssl = ((ReferenceCountedOpenSslEngine) engine).sslPointer();
		Set<String> offered = Stream.ofNullable(SSL.getSigAlgs(ssl))
			.flatMap(Stream::of)
			.map(ServerKeyManager::withoutCurve)
			.collect(Collectors.toSet());
		return KEY_TYPES.stream()
			.flatMap((type) -> Stream.ofNullable(choose(this.manager, type, issuers, BoringSslEngine.of(engine))))
			.filter((alias) -> maySign(alias, offered))
			.findFirst()
			.orElse(NO_KEY);
	}

	/**
	 * Returns the aliases of the server keys of a type, or an empty stream if the key
	 * manager does not support the question, as some that select keys by server name.
	 */
	static Stream<String> aliases(X509KeyManager manager, String keyType) {
		try {
			return Stream.ofNullable(manager.getServerAliases(keyType, null)).flatMap(Stream::of);
		}
		catch (RuntimeException ex) {
			return Stream.empty();
		}
	}

	static @Nullable String choose(X509KeyManager manager, String keyType, Principal @Nullable [] issuers,
			SSLEngine engine) {
		return (manager instanceof X509ExtendedKeyManager extended)
				? extended.chooseEngineServerAlias(keyType, issuers, engine)
				: manager.chooseServerAlias(keyType, issuers, null);
	}

	private boolean maySign(String alias, Set<String> offered) {
		X509Certificate[] chain = getCertificateChain(alias);
		String prefix = (chain != null && chain.length > 0) ? schemes(chain[0].getPublicKey()) : null;
		return prefix != null && JdkPolicy.ALLOWED_SIGNATURE_SCHEMES.stream()
			.anyMatch((scheme) -> scheme.startsWith(prefix) && offered.contains(withoutCurve(scheme)));
	}

	/*
	 * Returns the prefix of the key's signature schemes, or null if BoringSSL cannot sign
	 * with the key.
	 */
	private static @Nullable String schemes(PublicKey key) {
		return switch (key.getAlgorithm()) {
			case "EC" -> "ecdsa_";
			case "RSA" -> "rsa_";
			default ->
				(key instanceof EdECKey edwards && edwards.getParams().getName().equals("Ed25519")) ? "ed25519" : null;
		};
	}

	/*
	 * In TLS 1.2, a scheme such as ecdsa_secp256r1_sha256 does not determine the curve.
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
		throw new UnsupportedOperationException();
	}

	@Override
	public String @Nullable [] getClientAliases(String keyType, Principal @Nullable [] issuers) {
		throw new UnsupportedOperationException();
	}

	@Override
	public @Nullable String chooseClientAlias(String[] keyType, Principal @Nullable [] issuers,
			@Nullable Socket socket) {
		throw new UnsupportedOperationException();
	}

}
