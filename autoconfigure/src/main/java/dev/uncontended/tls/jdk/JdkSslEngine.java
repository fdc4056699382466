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
import javax.net.ssl.SSLHandshakeException;
import javax.net.ssl.SSLParameters;
import javax.net.ssl.SSLSession;

import dev.uncontended.tls.engine.RenewableSslContext;
import dev.uncontended.tls.engine.ReportingSslEngine;
import dev.uncontended.tls.session.internal.StoredSession;
import org.jspecify.annotations.Nullable;

/**
 * Wraps an SSL engine of the JDK and reports its handshake. In server mode, lets a
 * {@link StoredSession} decide whether a session of the session cache resumes.
 */
final class JdkSslEngine extends ReportingSslEngine {

	private final JdkContext context;

	private final JdkGroups groups;

	/** A new object, which identifies the session of a full handshake. */
	private final String host;

	private final SSLEngine engine;

	private final @Nullable StoredSession session;

	private volatile boolean begun;

	JdkSslEngine(RenewableSslContext owner, JdkContext context, @Nullable String peerHost, int peerPort) {
		super(owner, peerHost, peerPort);
		this.context = context;
		this.groups = context.groups();
		this.host = (peerHost != null) ? new String(peerHost) : new String();
		// With a port, the JDK would also put the session into a cache by host and port,
		// which only clients read.
		this.engine = context.sslContext().createSSLEngine(this.host, -1);
		this.session = context.storedSession(this.engine, this.host);
		this.groups.limit(this.engine);
	}

	@Override
	protected SSLEngineResult wrapNow(ByteBuffer[] sources, int offset, int length, ByteBuffer destination)
			throws SSLException {
		return check(() -> this.engine.wrap(sources, offset, length, destination));
	}

	@Override
	protected SSLEngineResult unwrapNow(ByteBuffer source, ByteBuffer[] destinations, int offset, int length)
			throws SSLException {
		if (source.hasRemaining()) {
			if (!this.begun && !getUseClientMode() && this.context.canResumeEnded()) {
				throw new SSLHandshakeException("All TLS sessions have ended since the connection was accepted");
			}
			this.begun = true;
			if (this.session != null) {
				this.session.begin(source);
			}
		}
		return check(() -> this.engine.unwrap(source, destinations, offset, length));
	}

	private SSLEngineResult check(Call call) throws SSLException {
		try {
			SSLEngineResult result = call.run();
			if (this.session != null) {
				this.session.check(result);
			}
			return result;
		}
		catch (SSLException ex) {
			closing();
			throw ex;
		}
	}

	private void closing() {
		if (this.session != null) {
			this.session.closing();
		}
	}

	/*
	 * The session of a full handshake has the reference to this engine's host. Other
	 * providers may copy the host; their handshakes count as full.
	 */
	@Override
	protected boolean isResumed() {
		if (this.session != null) {
			return this.session.isResumed();
		}
		boolean sunJsse = JdkTlsEngine.SUN_JSSE.equals(this.context.sslContext().getProvider().getName());
		return sunJsse && getSession().getPeerHost() != this.host;
	}

	@Override
	protected void closeInboundNow() throws SSLException {
		closing();
		this.engine.closeInbound();
	}

	@Override
	protected void closeOutboundNow() {
		closing();
		this.engine.closeOutbound();
	}

	@Override
	public @Nullable Runnable getDelegatedTask() {
		return this.engine.getDelegatedTask();
	}

	@Override
	public boolean isInboundDone() {
		return this.engine.isInboundDone();
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

	@FunctionalInterface
	private interface Call {

		SSLEngineResult run() throws SSLException;

	}

}
