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

import java.io.ByteArrayInputStream;
import java.security.Principal;
import java.security.cert.Certificate;
import java.security.cert.CertificateException;
import java.security.cert.CertificateFactory;
import java.security.cert.X509Certificate;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.function.BooleanSupplier;

import javax.net.ssl.SSLPeerUnverifiedException;
import javax.net.ssl.SSLSessionContext;

import dev.uncontended.tls.session.SslSessionCache;
import dev.uncontended.tls.session.internal.HeldSession;
import io.netty.handler.ssl.CipherSuiteConverter;
import io.netty.internal.tcnative.SSL;
import io.netty.internal.tcnative.SSLSession;
import org.jspecify.annotations.Nullable;

/**
 * A BoringSSL session in a {@link SslSessionCache}. This object owns a reference to the
 * native session. The reference is freed after the cache has removed this object.
 */
final class NativeSession implements HeldSession {

	/**
	 * The result of {@link SessionStore#getSession} if there is no session.
	 */
	static final long NONE = -1;

	private static final String[] NO_NAMES = {};

	private final SslSessionCache cache;

	private final BooleanSupplier current;

	private final long pointer;

	private final CountedReference reference;

	private final byte[] id;

	private final String protocol;

	private final String cipherSuite;

	private final List<byte[]> peerCertificates;

	private final long createdAt = System.currentTimeMillis();

	private volatile long lastAccessedAt = this.createdAt;

	private volatile boolean valid = true;

	/**
	 * Takes over the caller's reference to a native session.
	 * @param current returns {@code true} until the next end of all sessions
	 * @param ssl the native connection that created the session
	 */
	NativeSession(SslSessionCache cache, BooleanSupplier current, long ssl, long pointer) {
		this.cache = cache;
		this.current = current;
		this.pointer = pointer;
		this.id = SSLSession.getSessionId(pointer);
		this.protocol = SSL.getVersion(ssl);
		this.cipherSuite = CipherSuiteConverter.toJava(SSL.getCipherForSSL(ssl), "TLS");
		this.peerCertificates = peerCertificates(ssl);
		this.reference = new CountedReference(() -> SSLSession.free(pointer));
	}

	/*
	 * On a server, getPeerCertChain does not return the client's own certificate.
	 */
	private static List<byte[]> peerCertificates(long ssl) {
		byte[] own = SSL.getPeerCertificate(ssl);
		if (own == null || own.length == 0) {
			return List.of();
		}
		List<byte[]> certificates = new ArrayList<>(List.of(own));
		byte[][] chain = SSL.getPeerCertChain(ssl);
		if (chain != null) {
			Collections.addAll(certificates, chain);
		}
		return certificates;
	}

	/**
	 * Adds a reference that BoringSSL will free.
	 * @return the pointer to the native session; {@link #NONE} if it is invalid
	 */
	long share() {
		if (!isValid() || !this.reference.hold()) {
			return NONE;
		}
		try {
			this.lastAccessedAt = System.currentTimeMillis();
			return SSLSession.upRef(this.pointer) ? this.pointer : NONE;
		}
		finally {
			this.reference.release();
		}
	}

	@Override
	public void released() {
		this.valid = false;
		this.reference.abandon();
	}

	@Override
	public byte[] getId() {
		return this.id.clone();
	}

	@Override
	public @Nullable SSLSessionContext getSessionContext() {
		return null;
	}

	@Override
	public long getCreationTime() {
		return this.createdAt;
	}

	@Override
	public long getLastAccessedTime() {
		return this.lastAccessedAt;
	}

	@Override
	public void invalidate() {
		this.valid = false;
		this.cache.remove(this.id);
	}

	@Override
	public boolean isValid() {
		return this.valid && this.current.getAsBoolean();
	}

	@Override
	public void putValue(String name, Object value) {
		throw new UnsupportedOperationException("Cached sessions do not support values; use the connection's session");
	}

	@Override
	public @Nullable Object getValue(String name) {
		return null;
	}

	@Override
	public void removeValue(String name) {
	}

	@Override
	public String[] getValueNames() {
		return NO_NAMES;
	}

	@Override
	public Certificate[] getPeerCertificates() throws SSLPeerUnverifiedException {
		if (this.peerCertificates.isEmpty()) {
			throw new SSLPeerUnverifiedException("The client has not authenticated");
		}
		Certificate[] certificates = new Certificate[this.peerCertificates.size()];
		for (int i = 0; i < certificates.length; i++) {
			certificates[i] = parse(this.peerCertificates.get(i));
		}
		return certificates;
	}

	private static Certificate parse(byte[] certificate) throws SSLPeerUnverifiedException {
		try {
			return CertificateFactory.getInstance("X.509").generateCertificate(new ByteArrayInputStream(certificate));
		}
		catch (CertificateException ex) {
			throw new SSLPeerUnverifiedException(ex.getMessage());
		}
	}

	@Override
	public Certificate @Nullable [] getLocalCertificates() {
		return null;
	}

	@Override
	public Principal getPeerPrincipal() throws SSLPeerUnverifiedException {
		return ((X509Certificate) getPeerCertificates()[0]).getSubjectX500Principal();
	}

	@Override
	public @Nullable Principal getLocalPrincipal() {
		return null;
	}

	@Override
	public String getCipherSuite() {
		return this.cipherSuite;
	}

	@Override
	public String getProtocol() {
		return this.protocol;
	}

	@Override
	public @Nullable String getPeerHost() {
		return null;
	}

	@Override
	public int getPeerPort() {
		return -1;
	}

	@Override
	public int getPacketBufferSize() {
		return SSL.SSL_MAX_ENCRYPTED_LENGTH;
	}

	@Override
	public int getApplicationBufferSize() {
		return SSL.SSL_MAX_PLAINTEXT_LENGTH;
	}

}
