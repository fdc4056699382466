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

import java.io.ByteArrayOutputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.security.cert.CertificateParsingException;
import java.security.cert.X509Certificate;
import java.util.Collection;
import java.util.HexFormat;
import java.util.List;
import java.util.SortedSet;
import java.util.TreeSet;

import javax.net.ssl.X509KeyManager;
import javax.net.ssl.X509TrustManager;

import io.netty.handler.ssl.ClientAuth;

/**
 * What a session is bound to: it resumes only where all of this is the same. That is the
 * host, by the name that the server is configured for and by the names in its
 * certificates, the mode of client authentication, and, if clients authenticate, the
 * certificates that are trusted.
 * <p>
 * With the keys of tickets shared, or in one store, a session would otherwise resume
 * where its client would not have been let in, without a certificate being looked at.
 * Certificates that replace others of the same names, and other nodes with the same
 * configuration, lead to the same binding.
 *
 * @see <a href="https://www.rfc-editor.org/rfc/rfc8446#appendix-C.5">RFC 8446, appendix
 * C.5</a>
 */
final class SessionBinding {

	private final String host;

	private final SortedSet<String> names = new TreeSet<>();

	private final SortedSet<String> trusted = new TreeSet<>();

	SessionBinding(String host, X509KeyManager keyManager, X509TrustManager trustManager) {
		this.host = host;
		addNames(keyManager);
		for (X509Certificate certificate : trustManager.getAcceptedIssuers()) {
			this.trusted.add(fingerprint(certificate));
		}
	}

	private void addNames(X509KeyManager manager) {
		for (String keyType : new String[] { "RSA", "EC", "EdDSA", "RSASSA-PSS" }) {
			String[] aliases = manager.getServerAliases(keyType, null);
			if (aliases != null) {
				for (String alias : aliases) {
					X509Certificate[] chain = manager.getCertificateChain(alias);
					if (chain != null && chain.length > 0) {
						addNames(chain[0]);
					}
				}
			}
		}
	}

	private void addNames(X509Certificate certificate) {
		try {
			Collection<List<?>> alternatives = certificate.getSubjectAlternativeNames();
			if (alternatives == null) {
				this.names.add(certificate.getSubjectX500Principal().getName());
				return;
			}
			for (List<?> alternative : alternatives) {
				this.names.add((alternative.get(1) instanceof String name) ? name : fingerprint(certificate));
			}
		}
		catch (CertificateParsingException ex) {
			this.names.add(fingerprint(certificate));
		}
	}

	/**
	 * Returns the id of the binding, for contexts with the given mode.
	 * @return 32 bytes, all that BoringSSL takes
	 */
	byte[] toSessionIdContext(ClientAuth clientAuth) {
		ByteArrayOutputStream bytes = new ByteArrayOutputStream();
		try (DataOutputStream out = new DataOutputStream(bytes)) {
			write(out, List.of("uncontended", this.host));
			write(out, this.names);
			write(out, List.of(clientAuth.name()));
			write(out, (clientAuth != ClientAuth.NONE) ? this.trusted : List.of());
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
		return digest(bytes.toByteArray());
	}

	private static void write(DataOutputStream out, Collection<String> values) throws IOException {
		out.writeInt(values.size());
		for (String value : values) {
			byte[] bytes = value.getBytes(StandardCharsets.UTF_8);
			out.writeInt(bytes.length);
			out.write(bytes);
		}
	}

	private static String fingerprint(X509Certificate certificate) {
		try {
			return HexFormat.of().formatHex(digest(certificate.getEncoded()));
		}
		catch (GeneralSecurityException ex) {
			throw new IllegalArgumentException("A certificate cannot be encoded", ex);
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
