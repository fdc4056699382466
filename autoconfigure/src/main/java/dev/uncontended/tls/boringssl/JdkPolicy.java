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
import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Collectors;

import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.SSLException;

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

	private static final int SUPPORTED_GROUPS = 10;

	private static final int SIGNATURE_ALGORITHMS = 13;

	/**
	 * The hybrid group of x25519 and ML-KEM-768 (JDK 27 and later).
	 */
	private static final String HYBRID = "X25519MLKEM768";

	private static final Map<Integer, String> GROUPS = Map.of(0x001d, "x25519", 0x0017, "secp256r1", 0x0018,
			"secp384r1", 0x0019, "secp521r1", 0x11ec, HYBRID);

	private static final Map<Integer, String> SIGNATURE_SCHEMES = Map.ofEntries(
			Map.entry(0x0403, "ecdsa_secp256r1_sha256"), Map.entry(0x0503, "ecdsa_secp384r1_sha384"),
			Map.entry(0x0603, "ecdsa_secp521r1_sha512"), Map.entry(0x0203, "ecdsa_sha1"), Map.entry(0x0807, "ed25519"),
			Map.entry(0x0804, "rsa_pss_rsae_sha256"), Map.entry(0x0805, "rsa_pss_rsae_sha384"),
			Map.entry(0x0806, "rsa_pss_rsae_sha512"), Map.entry(0x0401, "rsa_pkcs1_sha256"),
			Map.entry(0x0501, "rsa_pkcs1_sha384"), Map.entry(0x0601, "rsa_pkcs1_sha512"),
			Map.entry(0x0201, "rsa_pkcs1_sha1"));

	private static final SSLContext JDK = createContext();

	static final AlgorithmConstraints CONSTRAINTS = newEngine().getSSLParameters().getAlgorithmConstraints();

	/**
	 * The standard names of the groups that BoringSSL supports and the JDK permits, in
	 * order of preference.
	 */
	static final List<String> ALLOWED_GROUPS;

	/**
	 * The standard names of the signature schemes that BoringSSL supports and the JDK
	 * permits.
	 */
	static final Set<String> ALLOWED_SIGNATURE_SCHEMES;

	static {
		ClientHello hello = clientHello();
		ALLOWED_GROUPS = withHybrid(names(hello, SUPPORTED_GROUPS, GROUPS));
		ALLOWED_SIGNATURE_SCHEMES = names(hello, SIGNATURE_ALGORITHMS, SIGNATURE_SCHEMES).stream()
			.filter((name) -> isIn("jdk.tls.server.SignatureSchemes", name, true))
			.collect(Collectors.toUnmodifiableSet());
	}

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

	private static ClientHello clientHello() {
		SSLEngine client = newEngine();
		client.setUseClientMode(true);
		client.setEnabledProtocols(Arrays.stream(client.getSupportedProtocols())
			.filter(Set.of("TLSv1.2", "TLSv1.3")::contains)
			.toArray(String[]::new));
		ByteBuffer hello = ByteBuffer.allocate(client.getSession().getPacketBufferSize());
		try {
			client.wrap(ByteBuffer.allocate(0), hello);
		}
		catch (SSLException ex) {
			throw new IllegalStateException("The JDK's security properties do not permit TLS", ex);
		}
		return ClientHello.parse(hello.flip().position(Records.HEADER));
	}

	private static List<String> names(ClientHello hello, int extension, Map<Integer, String> names) {
		return ClientHello.numbers(hello.extensions().get(extension), 2)
			.stream()
			.map(names::get)
			.filter(Objects::nonNull)
			.toList();
	}

	/*
	 * Adds the hybrid group if the JDK's properties permit it, even if this JDK does not
	 * support it.
	 */
	private static List<String> withHybrid(List<String> groups) {
		if (groups.contains(HYBRID) || !isIn("jdk.tls.namedGroups", HYBRID, groups.contains("x25519"))
				|| !permits(HYBRID)) {
			return groups;
		}
		List<String> all = new ArrayList<>(groups);
		all.add(0, HYBRID);
		return List.copyOf(all);
	}

	private static boolean isIn(String property, String name, boolean byDefault) {
		String names = System.getProperty(property, "");
		return names.isBlank() ? byDefault
				: Arrays.stream(names.replace("\"", "").split(",")).map(String::strip).anyMatch(name::equalsIgnoreCase);
	}

	static SSLEngine newEngine() {
		return JDK.createSSLEngine();
	}

	/**
	 * Returns whether the JDK's security properties permit a protocol or a named group.
	 */
	static boolean permits(String name) {
		return CONSTRAINTS.permits(EnumSet.of(CryptoPrimitive.KEY_AGREEMENT), name, null);
	}

}
