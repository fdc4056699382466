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

import java.nio.ByteBuffer;
import java.security.AlgorithmConstraints;
import java.security.CryptoPrimitive;
import java.security.GeneralSecurityException;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.SSLException;

import org.jspecify.annotations.Nullable;

/**
 * Provides the protocols and algorithms that the JDK's properties permit in a handshake.
 * The properties are {@code jdk.tls.disabledAlgorithms},
 * {@code jdk.certpath.disabledAlgorithms}, {@code jdk.tls.namedGroups} and
 * {@code jdk.tls.server.SignatureSchemes}.
 * <p>
 * This class reads the named groups and signature schemes from the ClientHello of a
 * client that uses the JDK's engine. As a side effect,
 * {@code jdk.tls.client.SignatureSchemes} limits servers that use BoringSSL.
 *
 * @see <a href="https://www.iana.org/assignments/tls-parameters">IANA, TLS parameters</a>
 */
final class JdkPolicy {

	private static final int SIGNATURE_ALGORITHMS = 13;

	private static final int SIGNATURE_ALGORITHMS_CERT = 50;

	/** The hybrid group of x25519 and ML-KEM-768 (JDK 27 and later). */
	static final String HYBRID = "X25519MLKEM768";

	static final int HYBRID_NUMBER = 0x11ec;

	/** The group of ML-KEM-1024 alone, which servers use only if it is configured. */
	static final String ML_KEM = "MLKEM1024";

	private static final Map<Integer, String> GROUPS = Map.of(0x001d, "x25519", 0x0017, "secp256r1", 0x0018,
			"secp384r1", 0x0019, "secp521r1", HYBRID_NUMBER, HYBRID);

	private static final List<SignatureScheme> SIGNATURE_SCHEMES = List.of(
			new SignatureScheme(0x0403, "ecdsa_secp256r1_sha256", "SHA256withECDSA"),
			new SignatureScheme(0x0503, "ecdsa_secp384r1_sha384", "SHA384withECDSA"),
			new SignatureScheme(0x0603, "ecdsa_secp521r1_sha512", "SHA512withECDSA"),
			new SignatureScheme(0x0807, "ed25519", "Ed25519"), new SignatureScheme(0x0808, "ed448", "Ed448"),
			new SignatureScheme(0x0804, "rsa_pss_rsae_sha256", "RSASSA-PSS"),
			new SignatureScheme(0x0805, "rsa_pss_rsae_sha384", "RSASSA-PSS"),
			new SignatureScheme(0x0806, "rsa_pss_rsae_sha512", "RSASSA-PSS"),
			new SignatureScheme(0x0401, "rsa_pkcs1_sha256", "SHA256withRSA"),
			new SignatureScheme(0x0501, "rsa_pkcs1_sha384", "SHA384withRSA"),
			new SignatureScheme(0x0601, "rsa_pkcs1_sha512", "SHA512withRSA"),
			new SignatureScheme(0x0402, "dsa_sha256", "SHA256withDSA"),
			new SignatureScheme(0x0303, "ecdsa_sha224", "SHA224withECDSA"),
			new SignatureScheme(0x0301, "rsa_sha224", "SHA224withRSA"),
			new SignatureScheme(0x0302, "dsa_sha224", "SHA224withDSA"),
			new SignatureScheme(0x0203, "ecdsa_sha1", "SHA1withECDSA"),
			new SignatureScheme(0x0201, "rsa_pkcs1_sha1", "SHA1withRSA"),
			new SignatureScheme(0x0202, "dsa_sha1", "SHA1withDSA"));

	/**
	 * The schemes that BoringSSL accepts from clients, except {@code rsa_pkcs1_sha1},
	 * which Java 25 disables by default.
	 */
	private static final List<String> ACCEPTED_FROM_CLIENTS = List.of("ecdsa_secp256r1_sha256",
			"ecdsa_secp384r1_sha384", "rsa_pss_rsae_sha256", "rsa_pss_rsae_sha384", "rsa_pss_rsae_sha512",
			"rsa_pkcs1_sha256", "rsa_pkcs1_sha384", "rsa_pkcs1_sha512");

	private static final SSLContext JDK = createContext();

	/** Null if a security provider other than the JDK's has none. */
	static final @Nullable AlgorithmConstraints CONSTRAINTS = newEngine().getSSLParameters().getAlgorithmConstraints();

	private static final ClientHello HELLO = clientHello("TLSv1.2", "TLSv1.3");

	/**
	 * The standard names of the groups that BoringSSL supports and the JDK permits, in
	 * order of preference.
	 */
	static final List<String> ALLOWED_GROUPS = withHybrid(
			HELLO.groups().stream().map(GROUPS::get).filter(Objects::nonNull).toList());

	/** The standard names of the signature schemes that the JDK permits. */
	static final Set<String> ALLOWED_SIGNATURE_SCHEMES = schemes(HELLO, SIGNATURE_ALGORITHMS).map(SignatureScheme::name)
		.collect(Collectors.toUnmodifiableSet());

	/**
	 * The schemes that BoringSSL accepts from clients, although the JDK does not permit
	 * them.
	 */
	static final List<String> UNENFORCEABLE_SCHEMES = ACCEPTED_FROM_CLIENTS.stream()
		.filter((name) -> !ALLOWED_SIGNATURE_SCHEMES.contains(name))
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

	private static ClientHello clientHello(String... protocols) {
		SSLEngine client = newEngine();
		client.setUseClientMode(true);
		client.setEnabledProtocols(Arrays.stream(client.getSupportedProtocols())
			.filter(Set.of(protocols)::contains)
			.toArray(String[]::new));
		ByteBuffer hello = ByteBuffer.allocate(client.getSession().getPacketBufferSize());
		try {
			client.wrap(ByteBuffer.allocate(0), hello);
		}
		catch (SSLException ex) {
			throw new IllegalStateException("The JDK's security properties do not permit TLS", ex);
		}
		return Objects.requireNonNull(ClientHello.parse(hello.flip().position(Records.HEADER)));
	}

	private static Stream<SignatureScheme> schemes(ClientHello hello, int extension) {
		return ClientHello.numbers(hello.extensions().get(extension), 2)
			.stream()
			.flatMap((number) -> SIGNATURE_SCHEMES.stream().filter((scheme) -> scheme.number == number))
			.filter((scheme) -> isIn("jdk.tls.server.SignatureSchemes", scheme.name, true));
	}

	private static List<String> findCertificateSignatureAlgorithms(String protocol) {
		ClientHello hello = clientHello(protocol);
		return schemes(hello, hello.extensions().containsKey(SIGNATURE_ALGORITHMS_CERT) ? SIGNATURE_ALGORITHMS_CERT
				: SIGNATURE_ALGORITHMS)
			.map(SignatureScheme::algorithm)
			.distinct()
			.toList();
	}

	/**
	 * Returns the standard names of the signature algorithms that the JDK accepts in
	 * certificates of clients, for one protocol.
	 */
	static String[] certificateSignatureAlgorithms(String protocol) {
		return CertificateSignatures.ALGORITHMS.getOrDefault(protocol, List.of()).toArray(String[]::new);
	}

	/*
	 * Puts the hybrid group first if the JDK's properties permit it, even if this JDK
	 * does not support it.
	 */
	private static List<String> withHybrid(List<String> groups) {
		boolean permitted = groups.contains(HYBRID)
				|| isIn("jdk.tls.namedGroups", HYBRID, groups.contains("x25519")) && permits(HYBRID);
		return permitted ? Stream.concat(Stream.of(HYBRID), groups.stream()).distinct().toList() : groups;
	}

	/**
	 * Returns whether the JDK's properties permit a group, even if this JDK does not
	 * support it.
	 */
	static boolean permitsGroup(String name) {
		return isIn("jdk.tls.namedGroups", name, true) && permits(name);
	}

	/*
	 * Proposed for the JDK: a group with a leading asterisk also gets a key share.
	 */
	private static boolean isIn(String property, String name, boolean byDefault) {
		String names = System.getProperty(property, "");
		return names.isBlank() ? byDefault
				: Arrays.stream(names.replaceAll("[\"*]", "").split(","))
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
		return CONSTRAINTS == null || CONSTRAINTS.permits(EnumSet.of(CryptoPrimitive.KEY_AGREEMENT), name, null);
	}

	/**
	 * Computed on first use, because only servers that request client certificates need
	 * the algorithms.
	 */
	private static final class CertificateSignatures {

		static final Map<String, List<String>> ALGORITHMS = Stream.of("TLSv1.2", "TLSv1.3")
			.filter(JdkPolicy::permits)
			.collect(Collectors.toUnmodifiableMap(Function.identity(), JdkPolicy::findCertificateSignatureAlgorithms));

	}

	/**
	 * A signature scheme (RFC 9846 section 4.3.3), with its name in the JDK's properties
	 * and the standard name of its algorithm.
	 */
	private record SignatureScheme(int number, String name, String algorithm) {

	}

}
