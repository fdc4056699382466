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

import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.security.cert.CertificateParsingException;
import java.security.cert.X509Certificate;
import java.util.Collection;
import java.util.HexFormat;
import java.util.List;
import java.util.Set;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.UUID;
import java.util.function.Supplier;
import java.util.stream.Stream;

import javax.net.ssl.X509KeyManager;
import javax.net.ssl.X509TrustManager;

import dev.uncontended.tls.engine.KeyMaterial;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufUtil;
import io.netty.buffer.Unpooled;
import io.netty.handler.ssl.ClientAuth;

/**
 * The properties to which a session is bound: the configured name of the virtual host,
 * the names in all server certificates and in those that the key manager chooses without
 * a ClientHello, the mode of client authentication, and the trusted certificates if
 * clients authenticate. A session resumes only in a {@link BoringSslContext} with equal
 * properties, because a resumption does not verify certificates.
 * <p>
 * If clients authenticate and the trust manager is not the JDK's, sessions resume only in
 * the context that created them. PKIX parameters of the JDK's trust managers can add
 * rules, but are not compared. Renewing a server certificate keeps the binding if the
 * names are the same, and are text.
 */
final class SessionBinding {

	private static final List<String> KEY_TYPES = List.of("RSA", "EC", "EdDSA", "RSASSA-PSS");

	private final String host;

	private final SortedSet<String> names = new TreeSet<>();

	private final SortedSet<String> served = new TreeSet<>();

	private final Supplier<? extends X509TrustManager> trustManager;

	/** Stands for a trust manager that is not compared. */
	private final String unique = UUID.randomUUID().toString();

	SessionBinding(String host, X509KeyManager keyManager, Supplier<? extends X509TrustManager> trustManager) {
		this.host = host;
		this.trustManager = trustManager;
		KEY_TYPES.stream()
			.flatMap((keyType) -> ServerKeyManager.aliases(keyManager, keyType))
			.flatMap((alias) -> certificate(keyManager, alias))
			.forEach((certificate) -> addNames(certificate, this.names));
		KeyMaterial.of(keyManager).forEach((key) -> addNames(key.certificate(), this.served));
	}

	private SortedSet<String> trusted() {
		X509TrustManager manager = this.trustManager.get();
		return new TreeSet<>(decidesByIssuers(manager)
				? Stream.of(manager.getAcceptedIssuers()).map(SessionBinding::fingerprint).toList()
				: List.of(this.unique));
	}

	private static Stream<X509Certificate> certificate(X509KeyManager manager, String alias) {
		return Stream.ofNullable(manager.getCertificateChain(alias)).flatMap(Stream::of).limit(1);
	}

	/*
	 * The JDK's trust manager decides by its accepted issuers.
	 */
	private static boolean decidesByIssuers(X509TrustManager manager) {
		return manager.getClass().getClassLoader() == null
				&& manager.getClass().getName().equals("sun.security.ssl.X509TrustManagerImpl");
	}

	private static void addNames(X509Certificate certificate, Set<String> names) {
		try {
			Collection<List<?>> alternatives = certificate.getSubjectAlternativeNames();
			if (alternatives == null) {
				names.add(certificate.getSubjectX500Principal().getName());
				return;
			}
			for (List<?> alternative : alternatives) {
				names.add((alternative.get(1) instanceof String name) ? name : fingerprint(certificate));
			}
		}
		catch (CertificateParsingException ex) {
			names.add(fingerprint(certificate));
		}
	}

	/**
	 * Returns the session id context: a hash of the properties. BoringSSL resumes a
	 * session only in a native context with the same session id context.
	 * @return 32 bytes, BoringSSL's maximum
	 */
	byte[] toSessionIdContext(ClientAuth clientAuth) {
		ByteBuf bytes = Unpooled.buffer();
		for (Collection<String> values : List.of(List.of("uncontended", this.host), this.names, this.served,
				List.of(clientAuth.name()), (clientAuth != ClientAuth.NONE) ? trusted() : List.<String>of())) {
			bytes.writeInt(values.size());
			for (String value : values) {
				bytes.writeInt(ByteBufUtil.utf8Bytes(value));
				ByteBufUtil.writeUtf8(bytes, value);
			}
		}
		return digest(ByteBufUtil.getBytes(bytes));
	}

	private static String fingerprint(X509Certificate certificate) {
		try {
			return HexFormat.of().formatHex(digest(certificate.getEncoded()));
		}
		catch (GeneralSecurityException ex) {
			throw new IllegalArgumentException("Failed to encode a certificate", ex);
		}
	}

	private static byte[] digest(byte[] bytes) {
		try {
			return MessageDigest.getInstance("SHA-256").digest(bytes);
		}
		catch (GeneralSecurityException ex) {
			throw new IllegalStateException(ex);
		}
	}

}
