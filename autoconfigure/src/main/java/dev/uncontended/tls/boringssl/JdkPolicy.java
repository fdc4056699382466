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

import java.security.AlgorithmConstraints;
import java.security.CryptoPrimitive;
import java.security.GeneralSecurityException;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLEngine;

import org.jspecify.annotations.Nullable;

/**
 * Provides the protocols and algorithms that the JDK's properties permit in a handshake:
 * {@code jdk.tls.disabledAlgorithms}, {@code jdk.certpath.disabledAlgorithms},
 * {@code jdk.tls.namedGroups} and {@code jdk.tls.server.SignatureSchemes}. A server never
 * signs with SHA-1.
 */
final class JdkPolicy {

	/** The hybrid group of x25519 and ML-KEM-768 (JDK 27 and later). */
	static final String HYBRID = "X25519MLKEM768";

	/** The group of ML-KEM-1024 alone, which servers use only if it is configured. */
	static final String ML_KEM = "MLKEM1024";

	private static final List<SignatureScheme> SIGNATURE_SCHEMES = List.of(
			new SignatureScheme("ecdsa_secp256r1_sha256", "SHA256withECDSA"),
			new SignatureScheme("ecdsa_secp384r1_sha384", "SHA384withECDSA"),
			new SignatureScheme("ecdsa_secp521r1_sha512", "SHA512withECDSA"), new SignatureScheme("ed25519", "Ed25519"),
			new SignatureScheme("rsa_pss_rsae_sha256", "RSASSA-PSS"),
			new SignatureScheme("rsa_pss_rsae_sha384", "RSASSA-PSS"),
			new SignatureScheme("rsa_pss_rsae_sha512", "RSASSA-PSS"),
			new SignatureScheme("rsa_pkcs1_sha256", "SHA256withRSA"),
			new SignatureScheme("rsa_pkcs1_sha384", "SHA384withRSA"),
			new SignatureScheme("rsa_pkcs1_sha512", "SHA512withRSA"));

	/** The schemes above that BoringSSL does not accept from clients. */
	private static final Set<String> NOT_FROM_CLIENTS = Set.of("ecdsa_secp521r1_sha512", "ed25519");

	private static final SSLContext JDK = createContext();

	/** Null if a security provider other than the JDK's has none. */
	static final @Nullable AlgorithmConstraints CONSTRAINTS = newEngine().getSSLParameters().getAlgorithmConstraints();

	/**
	 * The standard names of the groups that BoringSSL supports and the JDK permits, in
	 * order of preference.
	 */
	static final List<String> ALLOWED_GROUPS = Stream.of(HYBRID, "x25519", "secp256r1", "secp384r1", "secp521r1")
		.filter(JdkPolicy::permitsGroup)
		.toList();

	private static final List<SignatureScheme> ALLOWED = SIGNATURE_SCHEMES.stream()
		.filter((scheme) -> isIn("jdk.tls.server.SignatureSchemes", scheme.name)
				&& permits(CryptoPrimitive.SIGNATURE, scheme.name)
				&& permits(CryptoPrimitive.SIGNATURE, scheme.algorithm))
		.toList();

	/** The standard names of the signature schemes that the JDK permits. */
	static final Set<String> ALLOWED_SIGNATURE_SCHEMES = ALLOWED.stream()
		.map(SignatureScheme::name)
		.collect(Collectors.toUnmodifiableSet());

	/**
	 * The schemes that BoringSSL accepts from clients, although the JDK does not permit
	 * them.
	 */
	static final List<String> UNENFORCEABLE_SCHEMES = SIGNATURE_SCHEMES.stream()
		.map(SignatureScheme::name)
		.filter((name) -> !ALLOWED_SIGNATURE_SCHEMES.contains(name) && !NOT_FROM_CLIENTS.contains(name))
		.toList();

	private JdkPolicy() {
	}

	private static SSLContext createContext() {
		try {
			SSLContext context = SSLContext.getInstance("TLS");
			context.init(null, null, null);
			return context;
		}
		catch (GeneralSecurityException ex) {
			throw new IllegalStateException(ex);
		}
	}

	/**
	 * Returns the standard names of the signature algorithms that the JDK accepts in
	 * certificates of clients.
	 */
	static String[] signatureAlgorithms() {
		return Stream
			.concat(ALLOWED.stream().map(SignatureScheme::algorithm),
					Stream.of("SHA1withECDSA", "SHA1withRSA")
						.filter((algorithm) -> permits(CryptoPrimitive.SIGNATURE, algorithm)))
			.distinct()
			.toArray(String[]::new);
	}

	/**
	 * Returns whether the JDK's properties permit a group, even if this JDK does not
	 * support it.
	 */
	static boolean permitsGroup(String name) {
		return isIn("jdk.tls.namedGroups", name) && permits(name) && (!name.equals(HYBRID) || permits("x25519"));
	}

	/*
	 * Proposed for the JDK: a group with a leading asterisk also gets a key share.
	 */
	private static boolean isIn(String property, String name) {
		String names = System.getProperty(property, "");
		return names.isBlank() || Arrays.stream(names.replaceAll("[\"*]", "").split(","))
			.map(String::strip)
			.anyMatch(name::equalsIgnoreCase);
	}

	static SSLEngine newEngine() {
		return JDK.createSSLEngine();
	}

	/**
	 * Returns whether the JDK's security properties permit a protocol or a named group.
	 */
	static boolean permits(String name) {
		return permits(CryptoPrimitive.KEY_AGREEMENT, name);
	}

	private static boolean permits(CryptoPrimitive primitive, String name) {
		return CONSTRAINTS == null || CONSTRAINTS.permits(EnumSet.of(primitive), name, null);
	}

	/**
	 * A signature scheme (RFC 9846 section 4.3.3), with its name in the JDK's properties
	 * and the standard name of its algorithm.
	 */
	private record SignatureScheme(String name, String algorithm) {

	}

}
