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
import java.util.List;
import java.util.function.BiFunction;

import javax.net.ssl.SSLEngine;
import javax.net.ssl.SSLEngineResult;
import javax.net.ssl.SSLEngineResult.HandshakeStatus;
import javax.net.ssl.SSLException;
import javax.net.ssl.SSLParameters;
import javax.net.ssl.SSLSession;

import dev.uncontended.tls.engine.RenewableSslContext;
import dev.uncontended.tls.engine.ReportingSslEngine;
import dev.uncontended.tls.engine.TlsEngine;
import org.jspecify.annotations.Nullable;

/**
 * Wraps an SSL engine of the JDK and reports its handshake.
 * <p>
 * The {@link RenewableSslContext} can replace its {@link TlsEngine.Context} before the
 * handshake starts. In this case, an SSL engine of the new context replaces the wrapped
 * engine when the client's first bytes arrive. The new SSL engine has the same settings.
 */
final class JdkSslEngine extends ReportingSslEngine {

	private final RenewableSslContext owner;

	/** A new object, which identifies this handshake's session and its descendants. */
	private final String host;

	private final JdkGroups groups;

	private TlsEngine.Context context;

	// Replaced at most once, by the first unwrap with data.
	private volatile SSLEngine engine;

	// True after the first unwrap with data or the first close; prevents a replacement. A
	// closing thread writes this field, then reads "engine". A replacing thread writes
	// "engine", then reads this field. At least one of them therefore closes the new
	// engine.
	private volatile boolean settled;

	// The session of the last handshake.
	private volatile @Nullable SSLSession finished;

	JdkSslEngine(RenewableSslContext owner, TlsEngine.Context context, JdkGroups groups, @Nullable String peerHost,
			int peerPort) {
		super(owner, peerHost, peerPort);
		this.owner = owner;
		this.host = (peerHost != null) ? new String(peerHost) : new String();
		this.groups = groups;
		this.context = context;
		this.engine = create(context);
		groups.limit(this.engine);
	}

	/*
	 * With a port, the JDK would also put the session into a cache by host and port,
	 * which only clients read.
	 */
	private SSLEngine create(TlsEngine.Context context) {
		return context.sslContext().createSSLEngine(this.host, -1);
	}

	@Override
	protected SSLEngineResult wrapNow(ByteBuffer[] sources, int offset, int length, ByteBuffer destination)
			throws SSLException {
		return this.engine.wrap(sources, offset, length, destination);
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
		return this.engine.unwrap(source, destinations, offset, length);
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
		this.engine = replacement;
		if (this.settled) {
			replacement.closeOutbound();
		}
	}

	@Override
	protected boolean isResumed() {
		return !isFull(getSession());
	}

	/*
	 * Other providers may copy the host. Their handshakes count as full, and their
	 * sessions are not in the cache.
	 */
	private boolean isFull(SSLSession session) {
		return !isSunJsse() || session.getPeerHost() == this.host;
	}

	private boolean isSunJsse() {
		return JdkTlsEngine.SUN_JSSE.equals(this.context.sslContext().getProvider().getName());
	}

	@Override
	protected void finished(SSLEngineResult result) {
		SSLSession session = getSession();
		// Key updates and further tickets do not change the session.
		if (session != this.finished && isSunJsse()) {
			this.finished = session;
			JdkStoredSession.finished(this.owner, this.context, session, isFull(session), result);
		}
	}

	/*
	 * The JDK stores a TLS 1.2 session before the server's last message is wrapped. If
	 * the client disappears then, the session has no entry in the cache. A fatal alert,
	 * the application or a failed resumption can also have invalidated the session.
	 */
	@Override
	protected void ended() {
		if (isSunJsse()) {
			SSLSession session = getSession();
			if (session != this.finished) {
				session.invalidate();
			}
			if (!session.isValid()) {
				JdkStoredSession.invalidated(this.owner, session);
			}
		}
	}

	@Override
	public @Nullable Runnable getDelegatedTask() {
		return this.engine.getDelegatedTask();
	}

	@Override
	protected void closeInboundNow() throws SSLException {
		this.settled = true;
		this.engine.closeInbound();
	}

	@Override
	public boolean isInboundDone() {
		return this.engine.isInboundDone();
	}

	@Override
	protected void closeOutboundNow() {
		this.settled = true;
		this.engine.closeOutbound();
	}

	@Override
	public boolean isOutboundDone() {
		return this.engine.isOutboundDone();
	}

	@Override
	public String[] getSupportedCipherSuites() {
		return this.engine.getSupportedCipherSuites();
	}

	@Override
	public String[] getEnabledCipherSuites() {
		return this.engine.getEnabledCipherSuites();
	}

	@Override
	public void setEnabledCipherSuites(String[] suites) {
		this.engine.setEnabledCipherSuites(suites);
		this.groups.limit(this.engine);
	}

	@Override
	public String[] getSupportedProtocols() {
		return this.engine.getSupportedProtocols();
	}

	@Override
	public String[] getEnabledProtocols() {
		return this.engine.getEnabledProtocols();
	}

	@Override
	public void setEnabledProtocols(String[] protocols) {
		this.engine.setEnabledProtocols(protocols);
	}

	@Override
	public SSLSession getSession() {
		return this.engine.getSession();
	}

	@Override
	public @Nullable SSLSession getHandshakeSession() {
		return this.engine.getHandshakeSession();
	}

	@Override
	public void beginHandshake() throws SSLException {
		this.engine.beginHandshake();
	}

	@Override
	public HandshakeStatus getHandshakeStatus() {
		return this.engine.getHandshakeStatus();
	}

	@Override
	public void setUseClientMode(boolean mode) {
		this.engine.setUseClientMode(mode);
	}

	@Override
	public boolean getUseClientMode() {
		return this.engine.getUseClientMode();
	}

	@Override
	public void setNeedClientAuth(boolean need) {
		this.engine.setNeedClientAuth(need);
	}

	@Override
	public boolean getNeedClientAuth() {
		return this.engine.getNeedClientAuth();
	}

	@Override
	public void setWantClientAuth(boolean want) {
		this.engine.setWantClientAuth(want);
	}

	@Override
	public boolean getWantClientAuth() {
		return this.engine.getWantClientAuth();
	}

	@Override
	public void setEnableSessionCreation(boolean flag) {
		this.engine.setEnableSessionCreation(flag);
	}

	@Override
	public boolean getEnableSessionCreation() {
		return this.engine.getEnableSessionCreation();
	}

	@Override
	public SSLParameters getSSLParameters() {
		return this.engine.getSSLParameters();
	}

	@Override
	public void setSSLParameters(SSLParameters parameters) {
		this.engine.setSSLParameters(parameters);
		this.groups.limit(this.engine);
	}

	@Override
	public @Nullable String getApplicationProtocol() {
		return this.engine.getApplicationProtocol();
	}

	@Override
	public @Nullable String getHandshakeApplicationProtocol() {
		return this.engine.getHandshakeApplicationProtocol();
	}

	@Override
	public void setHandshakeApplicationProtocolSelector(BiFunction<SSLEngine, List<String>, String> selector) {
		this.engine.setHandshakeApplicationProtocolSelector(selector);
	}

	@Override
	public @Nullable BiFunction<SSLEngine, List<String>, String> getHandshakeApplicationProtocolSelector() {
		return this.engine.getHandshakeApplicationProtocolSelector();
	}

}
