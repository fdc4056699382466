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
import java.security.cert.X509Certificate;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Function;

import javax.net.ssl.ExtendedSSLSession;
import javax.net.ssl.SNIServerName;
import javax.net.ssl.SSLPeerUnverifiedException;
import javax.net.ssl.SSLSession;
import javax.net.ssl.SSLSessionBindingEvent;
import javax.net.ssl.SSLSessionBindingListener;
import javax.net.ssl.SSLSessionContext;

import io.netty.internal.tcnative.SSL;
import org.jspecify.annotations.Nullable;

/**
 * The session of a {@link BoringSslEngine}. Until Netty's engine has been created, the
 * protocol and the cipher suite are unknown or predicted. Afterwards, this session
 * delegates to Netty's session, which stays usable after the release of Netty's engine.
 */
final class BoringSslSession extends ExtendedSSLSession {

	private static final SecureRandom random = new SecureRandom();

	static final String NO_CIPHER_SUITE = "SSL_NULL_WITH_NULL_NULL";

	static final String NO_PROTOCOL = "NONE";

	private final BoringSslContext context;

	private final @Nullable String peerHost;

	private final int peerPort;

	private final long createdAt = System.currentTimeMillis();

	private final String protocol;

	private final String cipherSuite;

	private volatile @Nullable NativeEngine engine;

	private volatile @Nullable ExtendedSSLSession delegate;

	private final AtomicReference<byte @Nullable []> randomId = new AtomicReference<>();

	private final Map<String, Object> values = new ConcurrentHashMap<>();

	BoringSslSession(BoringSslContext context, @Nullable String peerHost, int peerPort, String protocol,
			String cipherSuite) {
		this.context = context;
		this.peerHost = peerHost;
		this.peerPort = peerPort;
		this.protocol = protocol;
		this.cipherSuite = cipherSuite;
	}

	void setEngine(NativeEngine engine) {
		this.engine = engine;
		this.delegate = (ExtendedSSLSession) engine.delegate().getSession();
	}

	boolean hasPredictedParameters() {
		return !this.protocol.equals(NO_PROTOCOL);
	}

	private <T> T get(Function<ExtendedSSLSession, T> property, T otherwise) {
		ExtendedSSLSession delegate = this.delegate;
		return (delegate != null) ? property.apply(delegate) : otherwise;
	}

	/**
	 * Returns an empty array until the handshake has completed, as the JDK's sessions do.
	 * The id is derived from the secret of a TLS 1.2 session, or random.
	 */
	@Override
	public byte[] getId() {
		ExtendedSSLSession delegate = this.delegate;
		if (delegate == null || delegate.getCipherSuite().equals(NO_CIPHER_SUITE)) {
			return new byte[0];
		}
		byte[] id = delegate.getId();
		return (id.length > 0) ? id : this.randomId.updateAndGet((known) -> (known != null) ? known : newId()).clone();
	}

	/*
	 * A resumed TLS 1.2 session has the same secret and the same id, as in the JDK.
	 */
	private byte[] newId() {
		NativeEngine engine = this.engine;
		byte[] secret = (engine != null && getProtocol().equals("TLSv1.2")) ? engine.masterSecret().orElse(null) : null;
		if (secret != null) {
			return SessionBinding.digest(secret);
		}
		byte[] id = new byte[32];
		random.nextBytes(id);
		return id;
	}

	@Override
	public SSLSessionContext getSessionContext() {
		return this.context;
	}

	@Override
	public long getCreationTime() {
		return get(SSLSession::getCreationTime, this.createdAt);
	}

	@Override
	public long getLastAccessedTime() {
		return get(SSLSession::getLastAccessedTime, this.createdAt);
	}

	@Override
	public void invalidate() {
		SSLSession delegate = this.delegate;
		if (delegate != null) {
			delegate.invalidate();
		}
	}

	@Override
	public boolean isValid() {
		return get(SSLSession::isValid, false);
	}

	@Override
	public void putValue(String name, Object value) {
		unbound(name, this.values.put(required(name), required(value)));
		if (value instanceof SSLSessionBindingListener listener) {
			listener.valueBound(new SSLSessionBindingEvent(this, name));
		}
	}

	@Override
	public @Nullable Object getValue(String name) {
		return this.values.get(required(name));
	}

	@Override
	public void removeValue(String name) {
		unbound(name, this.values.remove(required(name)));
	}

	private static <T> T required(T argument) {
		if (argument == null) {
			throw new IllegalArgumentException("name and value must not be null");
		}
		return argument;
	}

	private void unbound(String name, @Nullable Object value) {
		if (value instanceof SSLSessionBindingListener listener) {
			listener.valueUnbound(new SSLSessionBindingEvent(this, name));
		}
	}

	@Override
	public String[] getValueNames() {
		return this.values.keySet().toArray(new String[0]);
	}

	@Override
	public Certificate[] getPeerCertificates() throws SSLPeerUnverifiedException {
		SSLSession delegate = this.delegate;
		if (delegate == null) {
			throw new SSLPeerUnverifiedException("The handshake has not started");
		}
		return delegate.getPeerCertificates();
	}

	@Override
	public Certificate @Nullable [] getLocalCertificates() {
		SSLSession delegate = this.delegate;
		return (delegate != null) ? delegate.getLocalCertificates() : null;
	}

	@Override
	public Principal getPeerPrincipal() throws SSLPeerUnverifiedException {
		return ((X509Certificate) getPeerCertificates()[0]).getSubjectX500Principal();
	}

	@Override
	public @Nullable Principal getLocalPrincipal() {
		Certificate[] certificates = getLocalCertificates();
		return (certificates != null && certificates[0] instanceof X509Certificate certificate)
				? certificate.getSubjectX500Principal() : null;
	}

	@Override
	public String getCipherSuite() {
		String cipherSuite = get(SSLSession::getCipherSuite, this.cipherSuite);
		NativeEngine engine = this.engine;
		return (engine != null && cipherSuite.equals(NO_CIPHER_SUITE)) ? engine.cipherSuite() : cipherSuite;
	}

	@Override
	public String getProtocol() {
		return get(SSLSession::getProtocol, this.protocol);
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

	/**
	 * Returns the size of a buffer for plaintext, in bytes. The size exceeds the maximum
	 * length of plaintext, because Tomcat would lose data if it enlarged a smaller buffer
	 * during a request. With more than 16,921 bytes, Tomcat would log a message for each
	 * connection.
	 */
	@Override
	public int getApplicationBufferSize() {
		return Records.MAXIMUM_ENCRYPTED_FRAGMENT;
	}

	/**
	 * Returns the algorithms that the JDK accepts in client certificates. The JDK's trust
	 * managers accept no others.
	 */
	@Override
	public String[] getLocalSupportedSignatureAlgorithms() {
		return JdkPolicy.certificateSignatureAlgorithms(getProtocol());
	}

	@Override
	public String[] getPeerSupportedSignatureAlgorithms() {
		return get(ExtendedSSLSession::getPeerSupportedSignatureAlgorithms, new String[0]);
	}

	@Override
	public List<SNIServerName> getRequestedServerNames() {
		return get(ExtendedSSLSession::getRequestedServerNames, List.of());
	}

}
