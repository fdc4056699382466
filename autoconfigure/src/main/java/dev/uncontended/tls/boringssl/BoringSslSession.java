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

import java.security.Principal;
import java.security.SecureRandom;
import java.security.cert.Certificate;
import java.util.List;

import javax.net.ssl.ExtendedSSLSession;
import javax.net.ssl.SNIServerName;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.SSLPeerUnverifiedException;
import javax.net.ssl.SSLSession;
import javax.net.ssl.SSLSessionContext;

import io.netty.internal.tcnative.SSL;
import org.jspecify.annotations.Nullable;

/**
 * The session of an engine: one without a cipher suite, or with the one that will be
 * agreed on, until the native engine is there, and then that one's. It holds the native
 * engine, which guards itself after its release, and not the one that releases it.
 */
final class BoringSslSession extends ExtendedSSLSession {

	private static final SecureRandom random = new SecureRandom();

	static final String NO_CIPHER_SUITE = "SSL_NULL_WITH_NULL_NULL";

	private static final String NO_PROTOCOL = "NONE";

	private final SessionContext context;

	private final @Nullable String peerHost;

	private final int peerPort;

	private final long createdAt = System.currentTimeMillis();

	private String protocol = NO_PROTOCOL;

	private String cipherSuite = NO_CIPHER_SUITE;

	private volatile @Nullable SSLEngine engine;

	private byte @Nullable [] id;

	BoringSslSession(SessionContext context, @Nullable String peerHost, int peerPort) {
		this.context = context;
		this.peerHost = peerHost;
		this.peerPort = peerPort;
	}

	void setEngine(SSLEngine engine) {
		this.engine = engine;
	}

	/**
	 * Sets what the handshake will agree on, as far as it is known, for as long as there
	 * is no native engine.
	 */
	void foresee(String protocol, String cipherSuite) {
		this.protocol = protocol;
		this.cipherSuite = cipherSuite;
	}

	boolean isForeseen() {
		return !this.protocol.equals(NO_PROTOCOL);
	}

	private @Nullable SSLSession delegate() {
		SSLEngine engine = this.engine;
		return (engine != null) ? engine.getSession() : null;
	}

	private SSLSession requiredDelegate() {
		SSLSession delegate = delegate();
		if (delegate == null) {
			throw new IllegalStateException("The handshake has not begun");
		}
		return delegate;
	}

	/**
	 * Returns the id under which the server holds the session, or, as with the JDK, a
	 * random one if the session is in a ticket.
	 */
	@Override
	public synchronized byte[] getId() {
		if (this.id == null) {
			SSLSession delegate = delegate();
			if (delegate == null || delegate.getCipherSuite().equals(NO_CIPHER_SUITE)) {
				return new byte[0];
			}
			byte[] id = delegate.getId();
			if (id.length == 0) {
				id = new byte[32];
				random.nextBytes(id);
			}
			this.id = id;
		}
		return this.id.clone();
	}

	@Override
	public SSLSessionContext getSessionContext() {
		return this.context;
	}

	@Override
	public long getCreationTime() {
		SSLSession delegate = delegate();
		return (delegate != null) ? delegate.getCreationTime() : this.createdAt;
	}

	@Override
	public long getLastAccessedTime() {
		SSLSession delegate = delegate();
		return (delegate != null) ? delegate.getLastAccessedTime() : this.createdAt;
	}

	@Override
	public void invalidate() {
		SSLSession delegate = delegate();
		if (delegate != null) {
			delegate.invalidate();
			this.context.remove(getId());
		}
	}

	@Override
	public boolean isValid() {
		SSLSession delegate = delegate();
		return delegate != null && delegate.isValid();
	}

	@Override
	public void putValue(String name, Object value) {
		requiredDelegate().putValue(name, value);
	}

	@Override
	public @Nullable Object getValue(String name) {
		SSLSession delegate = delegate();
		return (delegate != null) ? delegate.getValue(name) : null;
	}

	@Override
	public void removeValue(String name) {
		SSLSession delegate = delegate();
		if (delegate != null) {
			delegate.removeValue(name);
		}
	}

	@Override
	public String[] getValueNames() {
		SSLSession delegate = delegate();
		return (delegate != null) ? delegate.getValueNames() : new String[0];
	}

	@Override
	public Certificate[] getPeerCertificates() throws SSLPeerUnverifiedException {
		SSLSession delegate = delegate();
		if (delegate == null) {
			throw new SSLPeerUnverifiedException("The handshake has not begun");
		}
		return delegate.getPeerCertificates();
	}

	@Override
	public Certificate @Nullable [] getLocalCertificates() {
		SSLSession delegate = delegate();
		return (delegate != null) ? delegate.getLocalCertificates() : null;
	}

	@Override
	public Principal getPeerPrincipal() throws SSLPeerUnverifiedException {
		SSLSession delegate = delegate();
		if (delegate == null) {
			throw new SSLPeerUnverifiedException("The handshake has not begun");
		}
		return delegate.getPeerPrincipal();
	}

	@Override
	public @Nullable Principal getLocalPrincipal() {
		SSLSession delegate = delegate();
		return (delegate != null) ? delegate.getLocalPrincipal() : null;
	}

	@Override
	public String getCipherSuite() {
		SSLSession delegate = delegate();
		return (delegate != null) ? delegate.getCipherSuite() : this.cipherSuite;
	}

	@Override
	public String getProtocol() {
		SSLSession delegate = delegate();
		return (delegate != null) ? delegate.getProtocol() : this.protocol;
	}

	@Override
	public @Nullable String getPeerHost() {
		return this.peerHost;
	}

	@Override
	public int getPeerPort() {
		return this.peerPort;
	}

	@Override
	public int getPacketBufferSize() {
		return SSL.SSL_MAX_ENCRYPTED_LENGTH;
	}

	@Override
	public int getApplicationBufferSize() {
		SSLSession delegate = delegate();
		return (delegate != null) ? delegate.getApplicationBufferSize() : SSL.SSL_MAX_PLAINTEXT_LENGTH;
	}

	@Override
	public String[] getLocalSupportedSignatureAlgorithms() {
		return (delegate() instanceof ExtendedSSLSession session) ? session.getLocalSupportedSignatureAlgorithms()
				: new String[0];
	}

	@Override
	public String[] getPeerSupportedSignatureAlgorithms() {
		return (delegate() instanceof ExtendedSSLSession session) ? session.getPeerSupportedSignatureAlgorithms()
				: new String[0];
	}

	@Override
	public List<SNIServerName> getRequestedServerNames() {
		return (delegate() instanceof ExtendedSSLSession session) ? session.getRequestedServerNames() : List.of();
	}

}
