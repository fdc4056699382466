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
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicReference;

import javax.net.ssl.ExtendedSSLSession;
import javax.net.ssl.SNIServerName;
import javax.net.ssl.SSLPeerUnverifiedException;
import javax.net.ssl.SSLSession;
import javax.net.ssl.SSLSessionContext;

import io.netty.internal.tcnative.SSL;
import org.jspecify.annotations.Nullable;

/**
 * The session of a {@link BoringSslEngine}. Delegates to Netty's session, which stays
 * usable after the release of Netty's engine.
 */
final class BoringSslSession extends ExtendedSSLSession {

	/** The session before the handshake, whose values are not used. */
	private static final ExtendedSSLSession NONE = (ExtendedSSLSession) JdkPolicy.newEngine().getSession();

	private static final int LONGEST_FRAGMENT = SSL.SSL_MAX_PLAINTEXT_LENGTH + 320;

	private static final SecureRandom random = new SecureRandom();

	private final AtomicReference<byte @Nullable []> id = new AtomicReference<>();

	private final Map<String, Object> values = new ConcurrentHashMap<>();

	private volatile ExtendedSSLSession delegate = NONE;

	/**
	 * Replaces the session before the handshake, whose values are removed.
	 */
	void setDelegate(SSLSession delegate) {
		this.values.clear();
		this.delegate = (ExtendedSSLSession) delegate;
	}

	/**
	 * Returns a random id, because BoringSSL has none for sessions in tickets. Returns an
	 * empty array until the handshake has completed, as the JDK's sessions do.
	 */
	@Override
	public byte[] getId() {
		return this.delegate.getCipherSuite().equals(NONE.getCipherSuite()) ? new byte[0]
				: this.id.updateAndGet((known) -> (known != null) ? known : newId()).clone();
	}

	private static byte[] newId() {
		byte[] id = new byte[32];
		random.nextBytes(id);
		return id;
	}

	/**
	 * Returns {@code null}, because no context stores this session.
	 */
	@Override
	public @Nullable SSLSessionContext getSessionContext() {
		return null;
	}

	@Override
	public long getCreationTime() {
		return this.delegate.getCreationTime();
	}

	@Override
	public long getLastAccessedTime() {
		return this.delegate.getLastAccessedTime();
	}

	@Override
	public void invalidate() {
		this.delegate.invalidate();
	}

	@Override
	public boolean isValid() {
		return this.delegate.isValid();
	}

	@Override
	public void putValue(String name, Object value) {
		this.values.put(name, value);
	}

	@Override
	public @Nullable Object getValue(String name) {
		return this.values.get(name);
	}

	@Override
	public void removeValue(String name) {
		this.values.remove(name);
	}

	@Override
	public String[] getValueNames() {
		return this.values.keySet().toArray(new String[0]);
	}

	@Override
	public Certificate[] getPeerCertificates() throws SSLPeerUnverifiedException {
		return this.delegate.getPeerCertificates();
	}

	@Override
	public Certificate @Nullable [] getLocalCertificates() {
		return this.delegate.getLocalCertificates();
	}

	@Override
	public Principal getPeerPrincipal() throws SSLPeerUnverifiedException {
		return this.delegate.getPeerPrincipal();
	}

	@Override
	public @Nullable Principal getLocalPrincipal() {
		return this.delegate.getLocalPrincipal();
	}

	@Override
	public String getCipherSuite() {
		return this.delegate.getCipherSuite();
	}

	@Override
	public String getProtocol() {
		return this.delegate.getProtocol();
	}

	@Override
	public @Nullable String getPeerHost() {
		return this.delegate.getPeerHost();
	}

	@Override
	public int getPeerPort() {
		return this.delegate.getPeerPort();
	}

	@Override
	public int getPacketBufferSize() {
		return SSL.SSL_MAX_ENCRYPTED_LENGTH;
	}

	/**
	 * Returns the size of a buffer for plaintext, in bytes. The size exceeds the maximum
	 * length of plaintext, because Tomcat would lose data if it enlarged a smaller buffer
	 * during a request. With more than 16,921 bytes, Tomcat would log a message for each
	 * connection.
	 */
	@Override
	public int getApplicationBufferSize() {
		return LONGEST_FRAGMENT;
	}

	/**
	 * Returns the algorithms that the JDK accepts in client certificates. The JDK's trust
	 * managers accept no others.
	 */
	@Override
	public String[] getLocalSupportedSignatureAlgorithms() {
		return JdkPolicy.signatureAlgorithms();
	}

	@Override
	public String[] getPeerSupportedSignatureAlgorithms() {
		return this.delegate.getPeerSupportedSignatureAlgorithms();
	}

	@Override
	public List<SNIServerName> getRequestedServerNames() {
		return this.delegate.getRequestedServerNames();
	}

}
