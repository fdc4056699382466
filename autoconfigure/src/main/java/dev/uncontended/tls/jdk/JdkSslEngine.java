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

package dev.uncontended.tls.jdk;

import java.nio.ByteBuffer;

import javax.net.ssl.SSLEngine;
import javax.net.ssl.SSLEngineResult;
import javax.net.ssl.SSLEngineResult.HandshakeStatus;
import javax.net.ssl.SSLException;
import javax.net.ssl.SSLParameters;

import dev.uncontended.tls.engine.RenewableSslContext;
import dev.uncontended.tls.engine.ReportingSslEngine;
import dev.uncontended.tls.engine.TlsEngine;
import dev.uncontended.tls.session.internal.StoredSession;
import org.jspecify.annotations.Nullable;

/**
 * Wraps an SSL engine of the JDK and reports its handshake. In server mode, lets a
 * {@link StoredSession} decide whether a session of the session cache resumes.
 * <p>
 * The {@link RenewableSslContext} can replace its {@link TlsEngine.Context} before the
 * handshake starts. In this case, an SSL engine of the new context replaces the wrapped
 * engine when the client's first bytes arrive. The new SSL engine has the same settings.
 */
final class JdkSslEngine extends ReportingSslEngine {

	/** A new object, which identifies the session of a full handshake. */
	private final String host;

	private final JdkGroups groups;

	private TlsEngine.Context context;

	// Replaced at most once, by the first unwrap with data.
	private volatile SSLEngine engine;

	// Replaced with the engine.
	private volatile @Nullable StoredSession session;

	// True after the first unwrap with data or the first close; prevents a replacement. A
	// closing thread writes this field, then reads "engine". A replacing thread writes
	// "engine", then reads this field. At least one of them therefore closes the new
	// engine.
	private volatile boolean settled;

	JdkSslEngine(RenewableSslContext owner, TlsEngine.Context context, JdkGroups groups, @Nullable String peerHost,
			int peerPort) {
		super(owner, peerHost, peerPort);
		this.host = (peerHost != null) ? new String(peerHost) : new String();
		this.groups = groups;
		this.context = context;
		this.engine = create(context);
		this.session = session(context, this.engine);
		groups.limit(this.engine);
	}

	/*
	 * With a port, the JDK would also put the session into a cache by host and port,
	 * which only clients read.
	 */
	private SSLEngine create(TlsEngine.Context context) {
		return context.sslContext().createSSLEngine(this.host, -1);
	}

	private @Nullable StoredSession session(TlsEngine.Context context, SSLEngine engine) {
		return (context instanceof JdkContext jdk) ? jdk.storedSession(engine, this.host) : null;
	}

	@Override
	protected SSLEngineResult wrapNow(ByteBuffer[] sources, int offset, int length, ByteBuffer destination)
			throws SSLException {
		return check(() -> this.engine.wrap(sources, offset, length, destination));
	}

	@Override
	protected SSLEngineResult unwrapNow(ByteBuffer source, ByteBuffer[] destinations, int offset, int length)
			throws SSLException {
		if (!this.settled && source.hasRemaining()) {
			if (!getUseClientMode()) {
				useContext(currentContext());
			}
			this.settled = true;
		}
		StoredSession session = this.session;
		if (session != null && source.hasRemaining()) {
			session.begin(source);
		}
		return check(() -> this.engine.unwrap(source, destinations, offset, length));
	}

	private SSLEngineResult check(Call call) throws SSLException {
		try {
			SSLEngineResult result = call.run();
			StoredSession session = this.session;
			if (session != null) {
				session.check(result);
			}
			return result;
		}
		catch (SSLException ex) {
			closing();
			throw ex;
		}
	}

	private void closing() {
		StoredSession session = this.session;
		if (session != null) {
			session.closing();
		}
	}

	private void useContext(TlsEngine.Context current) throws SSLException {
		if (current == this.context) {
			return;
		}
		SSLEngine old = this.engine;
		SSLEngine replacement = create(current);
		replacement.setUseClientMode(false);
		replacement.setSSLParameters(old.getSSLParameters());
		replacement.setEnableSessionCreation(old.getEnableSessionCreation());
		replacement.setHandshakeApplicationProtocolSelector(old.getHandshakeApplicationProtocolSelector());
		if (old.getHandshakeStatus() != HandshakeStatus.NOT_HANDSHAKING) {
			replacement.beginHandshake();
		}
		this.context = current;
		this.session = session(current, replacement);
		this.engine = replacement;
		if (this.settled) {
			replacement.closeOutbound();
		}
	}

	/*
	 * The session of a full handshake has the reference to this engine's host. Other
	 * providers may copy the host; their handshakes count as full.
	 */
	@Override
	protected boolean isResumed() {
		StoredSession session = this.session;
		if (session != null) {
			return session.isResumed();
		}
		boolean sunJsse = JdkTlsEngine.SUN_JSSE.equals(this.context.sslContext().getProvider().getName());
		return sunJsse && getSession().getPeerHost() != this.host;
	}

	@Override
	protected SSLEngine delegate() {
		return this.engine;
	}

	@Override
	protected void closeInboundNow() throws SSLException {
		this.settled = true;
		closing();
		this.engine.closeInbound();
	}

	@Override
	protected void closeOutboundNow() {
		this.settled = true;
		closing();
		this.engine.closeOutbound();
	}

	@Override
	public void setEnabledCipherSuites(String[] suites) {
		this.engine.setEnabledCipherSuites(suites);
		this.groups.limit(this.engine);
	}

	@Override
	public void setSSLParameters(SSLParameters parameters) {
		this.engine.setSSLParameters(parameters);
		this.groups.limit(this.engine);
	}

	@FunctionalInterface
	private interface Call {

		SSLEngineResult run() throws SSLException;

	}

}
