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
import java.security.AlgorithmParameters;
import java.security.CryptoPrimitive;
import java.security.GeneralSecurityException;
import java.security.spec.ECGenParameterSpec;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;

import javax.net.ssl.KeyManager;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.TrustManager;

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

	/** The schemes of BoringSSL without SHA-1, by their names in the JDK's properties. */
	private static final List<String> SIGNATURE_SCHEMES = List.of("ecdsa_secp256r1_sha256", "ecdsa_secp384r1_sha384",
			"ecdsa_secp521r1_sha512", "ed25519", "rsa_pss_rsae_sha256", "rsa_pss_rsae_sha384", "rsa_pss_rsae_sha512",
			"rsa_pkcs1_sha256", "rsa_pkcs1_sha384", "rsa_pkcs1_sha512");

	/** The schemes above that BoringSSL does not accept from clients. */
	private static final Set<String> NOT_FROM_CLIENTS = Set.of("ecdsa_secp521r1_sha512", "ed25519");

	private static final SSLContext JDK = createContext();

	/** Null if a security provider other than the JDK's has none. */
	private static final @Nullable AlgorithmConstraints CONSTRAINTS = newEngine().getSSLParameters()
		.getAlgorithmConstraints();

	/** The permitted groups that servers use by default. */
	static final List<String> ALLOWED_GROUPS = Stream.of(HYBRID, "x25519", "secp256r1", "secp384r1", "secp521r1")
		.filter(JdkPolicy::permitsGroup)
		.toList();

	/** The names of the signature schemes that the JDK permits. */
	static final List<String> ALLOWED_SIGNATURE_SCHEMES = SIGNATURE_SCHEMES.stream()
		.filter((scheme) -> isIn("jdk.tls.server.SignatureSchemes", scheme)
				&& permits(CryptoPrimitive.SIGNATURE, scheme) && permits(CryptoPrimitive.SIGNATURE, algorithm(scheme)))
		.toList();

	/** The schemes that BoringSSL accepts from clients, but the JDK does not permit. */
	static final List<String> UNENFORCEABLE_SCHEMES = SIGNATURE_SCHEMES.stream()
		.filter((scheme) -> !ALLOWED_SIGNATURE_SCHEMES.contains(scheme) && !NOT_FROM_CLIENTS.contains(scheme))
		.toList();

	private JdkPolicy() {
	}

	private static SSLContext createContext() {
		try {
			SSLContext context = SSLContext.getInstance("TLS");
			// Without the managers, the JDK would read its trusted certificates.
			context.init(new KeyManager[0], new TrustManager[0], null);
			return context;
		}
		catch (GeneralSecurityException ex) {
			throw new IllegalStateException(ex);
		}
	}

	/*
	 * Returns the standard name, such as SHA256withRSA.
	 */
	private static String algorithm(String scheme) {
		if (scheme.startsWith("rsa_pss")) {
			return "RSASSA-PSS";
		}
		int hash = scheme.indexOf("_sha");
		return (hash < 0) ? "Ed25519"
				: "SHA" + scheme.substring(hash + 4) + "with" + (scheme.startsWith("ecdsa") ? "ECDSA" : "RSA");
	}

	/**
	 * Returns the standard names of the signature algorithms for clients' certificates.
	 */
	static String[] signatureAlgorithms() {
		return Stream
			.concat(ALLOWED_SIGNATURE_SCHEMES.stream().map(JdkPolicy::algorithm),
					Stream.of("SHA1withECDSA", "SHA1withRSA")
						.filter((algorithm) -> permits(CryptoPrimitive.SIGNATURE, algorithm)))
			.distinct()
			.toArray(String[]::new);
	}

	/**
	 * Returns the names of the groups that BoringSSL supports and the JDK permits.
	 */
	static List<String> availableGroups() {
		return Stream.concat(ALLOWED_GROUPS.stream(), Stream.of(ML_KEM).filter(JdkPolicy::permitsGroup)).toList();
	}

	private static boolean permitsGroup(String name) {
		return isIn("jdk.tls.namedGroups", name) && permits(name) && (!name.equals(HYBRID) || permits("x25519"))
				&& (!name.startsWith("secp") || permitsCurve(name));
	}

	private static boolean permitsCurve(String name) {
		// The properties can limit the size of keys.
		try {
			AlgorithmParameters parameters = AlgorithmParameters.getInstance("EC");
			parameters.init(new ECGenParameterSpec(name));
			return CONSTRAINTS == null
					|| CONSTRAINTS.permits(EnumSet.of(CryptoPrimitive.KEY_AGREEMENT), "EC", parameters);
		}
		catch (GeneralSecurityException ex) {
			return false;
		}
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

}
