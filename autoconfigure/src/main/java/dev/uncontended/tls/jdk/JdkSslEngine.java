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
import java.util.Objects;
import java.util.function.BiFunction;

import javax.net.ssl.SSLEngine;
import javax.net.ssl.SSLEngineResult;
import javax.net.ssl.SSLEngineResult.HandshakeStatus;
import javax.net.ssl.SSLException;
import javax.net.ssl.SSLParameters;
import javax.net.ssl.SSLSession;

import dev.uncontended.tls.engine.RenewableSslContext;
import dev.uncontended.tls.engine.ReportingSslEngine;
import org.jspecify.annotations.Nullable;

/**
 * Wraps an SSL engine of the JDK and reports its handshake. In server mode, a
 * {@link TokenHandshake} decides whether the connection resumes a session.
 */
final class JdkSslEngine extends ReportingSslEngine {

	private final JdkContext context;

	private final JdkGroups groups;

	private volatile @Nullable TokenHandshake handshake;

	/** The SSL engine without a token. */
	private volatile @Nullable SSLEngine plain;

	JdkSslEngine(RenewableSslContext owner, JdkContext context, @Nullable String peerHost, int peerPort) {
		super(owner, peerHost, peerPort);
		this.context = context;
		this.groups = context.groups();
		if (context.usesTokens()) {
			this.handshake = TokenHandshake.of(context);
		}
		else {
			this.plain = context.sslContext().createSSLEngine(peerHost, peerPort);
		}
		this.groups.limit(engine());
	}

	private SSLEngine engine() {
		TokenHandshake handshake = this.handshake;
		return (handshake != null) ? handshake.engine() : Objects.requireNonNull(this.plain);
	}

	/*
	 * Clients find their sessions by the server's host, and send it. Servers with an
	 * endpoint identification algorithm compare the client's certificate with its host.
	 */
	private void removeToken() {
		TokenHandshake handshake = this.handshake;
		if (handshake != null && !handshake.isBegun()) {
			this.plain = this.context.copy(handshake.engine(), getPeerHost(), getPeerPort());
			this.handshake = null;
		}
	}

	@Override
	protected SSLEngineResult wrapNow(ByteBuffer[] sources, int offset, int length, ByteBuffer destination)
			throws SSLException {
		TokenHandshake handshake = this.handshake;
		if (handshake == null) {
			return engine().wrap(sources, offset, length, destination);
		}
		try {
			return handshake.wrap(sources, offset, length, destination);
		}
		catch (SSLException ex) {
			handshake.failed();
			throw ex;
		}
	}

	@Override
	protected SSLEngineResult unwrapNow(ByteBuffer source, ByteBuffer[] destinations, int offset, int length)
			throws SSLException {
		TokenHandshake handshake = this.handshake;
		if (handshake == null) {
			if (!getUseClientMode()) {
				this.context.foundSessionWithoutToken();
			}
			return engine().unwrap(source, destinations, offset, length);
		}
		try {
			return handshake.unwrap(source, destinations, offset, length);
		}
		catch (SSLException ex) {
			handshake.failed();
			throw ex;
		}
	}

	/*
	 * Without tokens, handshakes count as full.
	 */
	@Override
	protected boolean isResumed() {
		TokenHandshake handshake = this.handshake;
		return handshake != null && handshake.isResumed();
	}

	private void closing() {
		TokenHandshake handshake = this.handshake;
		if (handshake != null) {
			handshake.closing();
		}
	}

	@Override
	protected void closeInboundNow() throws SSLException {
		closing();
		engine().closeInbound();
	}

	@Override
	protected void closeOutboundNow() {
		closing();
		engine().closeOutbound();
	}

	@Override
	public @Nullable Runnable getDelegatedTask() {
		return engine().getDelegatedTask();
	}

	@Override
	public boolean isInboundDone() {
		return engine().isInboundDone();
	}

	@Override
	public boolean isOutboundDone() {
		return engine().isOutboundDone();
	}

	@Override
	public String[] getSupportedCipherSuites() {
		return engine().getSupportedCipherSuites();
	}

	@Override
	public String[] getEnabledCipherSuites() {
		return engine().getEnabledCipherSuites();
	}

	@Override
	public void setEnabledCipherSuites(String[] suites) {
		engine().setEnabledCipherSuites(suites);
		this.groups.limit(engine());
	}

	@Override
	public String[] getSupportedProtocols() {
		return engine().getSupportedProtocols();
	}

	@Override
	public String[] getEnabledProtocols() {
		return engine().getEnabledProtocols();
	}

	@Override
	public void setEnabledProtocols(String[] protocols) {
		engine().setEnabledProtocols(protocols);
	}

	@Override
	public SSLSession getSession() {
		return engine().getSession();
	}

	@Override
	public @Nullable SSLSession getHandshakeSession() {
		return engine().getHandshakeSession();
	}

	@Override
	public void beginHandshake() throws SSLException {
		engine().beginHandshake();
	}

	@Override
	public HandshakeStatus getHandshakeStatus() {
		return engine().getHandshakeStatus();
	}

	@Override
	public void setUseClientMode(boolean mode) {
		engine().setUseClientMode(mode);
		SSLEngine plain = this.plain;
		if (mode) {
			removeToken();
		}
		else if (plain != null && this.context.usesTokens() && !identifiesPeer(plain.getSSLParameters())) {
			this.handshake = TokenHandshake.of(this.context, plain);
			this.plain = null;
		}
	}

	@Override
	public boolean getUseClientMode() {
		return engine().getUseClientMode();
	}

	@Override
	public void setNeedClientAuth(boolean need) {
		engine().setNeedClientAuth(need);
	}

	@Override
	public boolean getNeedClientAuth() {
		return engine().getNeedClientAuth();
	}

	@Override
	public void setWantClientAuth(boolean want) {
		engine().setWantClientAuth(want);
	}

	@Override
	public boolean getWantClientAuth() {
		return engine().getWantClientAuth();
	}

	@Override
	public void setEnableSessionCreation(boolean flag) {
		engine().setEnableSessionCreation(flag);
	}

	@Override
	public boolean getEnableSessionCreation() {
		return engine().getEnableSessionCreation();
	}

	@Override
	public SSLParameters getSSLParameters() {
		return engine().getSSLParameters();
	}

	@Override
	public void setSSLParameters(SSLParameters parameters) {
		engine().setSSLParameters(parameters);
		this.groups.limit(engine());
		if (identifiesPeer(parameters)) {
			removeToken();
		}
	}

	private static boolean identifiesPeer(SSLParameters parameters) {
		String algorithm = parameters.getEndpointIdentificationAlgorithm();
		return algorithm != null && !algorithm.isEmpty();
	}

	@Override
	public @Nullable String getApplicationProtocol() {
		return engine().getApplicationProtocol();
	}

	@Override
	public @Nullable String getHandshakeApplicationProtocol() {
		return engine().getHandshakeApplicationProtocol();
	}

	@Override
	public void setHandshakeApplicationProtocolSelector(BiFunction<SSLEngine, List<String>, String> selector) {
		engine().setHandshakeApplicationProtocolSelector(selector);
	}

	@Override
	public @Nullable BiFunction<SSLEngine, List<String>, String> getHandshakeApplicationProtocolSelector() {
		return engine().getHandshakeApplicationProtocolSelector();
	}

}
