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
import java.io.ByteArrayOutputStream;
import java.security.Principal;
import java.security.cert.Certificate;
import java.security.cert.CertificateException;
import java.security.cert.CertificateFactory;
import java.security.cert.X509Certificate;
import java.util.stream.Stream;

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
 * native session, and frees it after the cache has removed this object. The monitor
 * prevents a lookup from using a freed session.
 */
final class NativeSession implements HeldSession {

	/** The result of {@link SessionStore#getSession} if there is no session. */
	static final long NONE = -1;

	private final SessionStore store;

	// Guarded by this object's monitor; 0 if the reference has been freed.
	private long pointer;

	private final byte[] id;

	private final String protocol;

	private final String cipherSuite;

	private final byte[] peerCertificates;

	private final long createdAt = System.currentTimeMillis();

	private volatile long lastAccessedAt = this.createdAt;

	private volatile boolean valid = true;

	/**
	 * Takes over the caller's reference to a native session.
	 * @param ssl the native connection that created the session
	 */
	NativeSession(SessionStore store, long ssl, long pointer) {
		this.store = store;
		this.pointer = pointer;
		this.id = SSLSession.getSessionId(pointer);
		this.protocol = SSL.getVersion(ssl);
		this.cipherSuite = CipherSuiteConverter.toJava(SSL.getCipherForSSL(ssl), "TLS");
		this.peerCertificates = peerCertificates(ssl);
	}

	/*
	 * On a server, getPeerCertChain does not return the client's own certificate.
	 */
	private static byte[] peerCertificates(long ssl) {
		ByteArrayOutputStream certificates = new ByteArrayOutputStream();
		Stream
			.concat(Stream.ofNullable(SSL.getPeerCertificate(ssl)),
					Stream.ofNullable(SSL.getPeerCertChain(ssl)).flatMap(Stream::of))
			.forEach(certificates::writeBytes);
		return certificates.toByteArray();
	}

	/**
	 * Adds a reference that BoringSSL will free.
	 * @return the pointer to the native session; {@link #NONE} if it is invalid
	 */
	synchronized long share() {
		if (this.pointer == 0 || !isValid()) {
			return NONE;
		}
		this.lastAccessedAt = System.currentTimeMillis();
		return SSLSession.upRef(this.pointer) ? this.pointer : NONE;
	}

	@Override
	public boolean isObsolete() {
		return !this.store.current().getAsBoolean();
	}

	@Override
	public synchronized void released() {
		this.valid = false;
		if (this.pointer != 0) {
			SSLSession.free(this.pointer);
			this.pointer = 0;
		}
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
		this.store.cache().remove(this.id);
	}

	@Override
	public boolean isValid() {
		return this.valid && !isObsolete();
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
		return new String[0];
	}

	@Override
	public Certificate[] getPeerCertificates() throws SSLPeerUnverifiedException {
		if (this.peerCertificates.length == 0) {
			throw new SSLPeerUnverifiedException("The client has not authenticated");
		}
		try {
			return CertificateFactory.getInstance("X.509")
				.generateCertificates(new ByteArrayInputStream(this.peerCertificates))
				.toArray(new Certificate[0]);
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
