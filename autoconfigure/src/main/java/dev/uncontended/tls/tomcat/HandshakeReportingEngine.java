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

package dev.uncontended.tls.tomcat;

import java.nio.ByteBuffer;
import java.util.List;
import java.util.function.BiFunction;

import javax.net.ssl.SSLEngine;
import javax.net.ssl.SSLEngineResult;
import javax.net.ssl.SSLEngineResult.HandshakeStatus;
import javax.net.ssl.SSLException;
import javax.net.ssl.SSLParameters;
import javax.net.ssl.SSLSession;

import dev.uncontended.tls.TlsHandshakes;
import org.jspecify.annotations.Nullable;

/**
 * An {@link SSLEngine} that reports its handshake as it completes, and else is what it
 * wraps. JSSE has no listener for this on an engine.
 * <p>
 * As with any engine, one thread at a time wraps and one at a time unwraps. Either may be
 * the one that completes the handshake, never both.
 */
final class HandshakeReportingEngine extends SSLEngine {

	private final SSLEngine engine;

	private final TlsHandshakes handshakes;

	private final long createdAt = System.currentTimeMillis();

	private boolean reported;

	HandshakeReportingEngine(SSLEngine engine, TlsHandshakes handshakes) {
		this.engine = engine;
		this.handshakes = handshakes;
	}

	@Override
	public SSLEngineResult wrap(ByteBuffer[] sources, int offset, int length, ByteBuffer destination)
			throws SSLException {
		return reportIfFinished(this.engine.wrap(sources, offset, length, destination));
	}

	@Override
	public SSLEngineResult unwrap(ByteBuffer source, ByteBuffer[] destinations, int offset, int length)
			throws SSLException {
		return reportIfFinished(this.engine.unwrap(source, destinations, offset, length));
	}

	/*
	 * An engine may say FINISHED again, after a key update or a renegotiation: that is
	 * the connection's business, not a client that comes or comes back.
	 */
	private SSLEngineResult reportIfFinished(SSLEngineResult result) {
		if (result.getHandshakeStatus() == HandshakeStatus.FINISHED && !this.reported) {
			this.reported = true;
			this.handshakes.completed(TomcatTlsAdapter.SERVER, this.engine.getSession(), this.createdAt);
		}
		return result;
	}

	@Override
	public String getPeerHost() {
		return this.engine.getPeerHost();
	}

	@Override
	public int getPeerPort() {
		return this.engine.getPeerPort();
	}

	@Override
	public @Nullable Runnable getDelegatedTask() {
		return this.engine.getDelegatedTask();
	}

	@Override
	public void closeInbound() throws SSLException {
		this.engine.closeInbound();
	}

	@Override
	public boolean isInboundDone() {
		return this.engine.isInboundDone();
	}

	@Override
	public void closeOutbound() {
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
