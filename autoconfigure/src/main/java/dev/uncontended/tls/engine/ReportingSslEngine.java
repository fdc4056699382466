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

package dev.uncontended.tls.engine;

import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.BiFunction;
import java.util.function.Function;

import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.SSLEngineResult;
import javax.net.ssl.SSLEngineResult.HandshakeStatus;
import javax.net.ssl.SSLException;
import javax.net.ssl.SSLParameters;
import javax.net.ssl.SSLSession;

import dev.uncontended.tls.handshake.FailedTlsHandshake;
import dev.uncontended.tls.handshake.FailedTlsHandshake.Reason;
import dev.uncontended.tls.handshake.HandshakeKind;
import dev.uncontended.tls.handshake.TlsHandshake;
import org.jspecify.annotations.Nullable;

/**
 * An {@link SSLEngine} that reports its handshake and otherwise delegates to the wrapped
 * engine. JSSE has no handshake listener for engines.
 * <p>
 * A server may create its engine long before the client sends data. If the context has
 * been replaced when the handshake starts, the wrapped engine is recreated with all its
 * settings.
 * <p>
 * As with any engine, one thread at a time wraps, one at a time unwraps, and a third may
 * close. The first thread that knows the outcome reports it.
 */
final class ReportingSslEngine extends SSLEngine {

	private final RenewableSslContext owner;

	private final Function<SSLContext, SSLEngine> factory;

	private final AtomicBoolean reported = new AtomicBoolean();

	private TlsEngine.Context context;

	// Replaced only before the first unwrap, when no other thread uses it.
	private volatile SSLEngine engine;

	private volatile boolean begun;

	private long begunAt;

	ReportingSslEngine(RenewableSslContext owner, Function<SSLContext, SSLEngine> factory) {
		this.owner = owner;
		this.factory = factory;
		this.context = owner.current();
		this.engine = factory.apply(this.context.sslContext());
	}

	@Override
	public SSLEngineResult wrap(ByteBuffer[] sources, int offset, int length, ByteBuffer destination)
			throws SSLException {
		try {
			return reportIfFinished(this.engine.wrap(sources, offset, length, destination));
		}
		catch (SSLException ex) {
			reportFailure(ex);
			throw ex;
		}
	}

	@Override
	public SSLEngineResult unwrap(ByteBuffer source, ByteBuffer[] destinations, int offset, int length)
			throws SSLException {
		if (!this.begun && source.hasRemaining()) {
			begin();
		}
		try {
			return reportIfFinished(this.engine.unwrap(source, destinations, offset, length));
		}
		catch (SSLException ex) {
			reportFailure(ex);
			throw ex;
		}
	}

	private void begin() throws SSLException {
		this.begunAt = System.nanoTime();
		if (!getUseClientMode()) {
			try {
				useCurrentContext();
			}
			catch (IllegalStateException ex) {
				throw new SSLException(ex.getMessage(), ex);
			}
		}
		this.begun = true;
	}

	private void useCurrentContext() throws SSLException {
		TlsEngine.Context current = this.owner.current();
		if (current == this.context) {
			return;
		}
		SSLEngine old = this.engine;
		SSLEngine replacement = this.factory.apply(current.sslContext());
		replacement.setUseClientMode(false);
		replacement.setSSLParameters(old.getSSLParameters());
		replacement.setEnableSessionCreation(old.getEnableSessionCreation());
		replacement.setHandshakeApplicationProtocolSelector(old.getHandshakeApplicationProtocolSelector());
		if (old.getHandshakeStatus() != HandshakeStatus.NOT_HANDSHAKING) {
			replacement.beginHandshake();
		}
		this.context = current;
		this.engine = replacement;
	}

	/*
	 * Reports the first FINISHED only. Engines may return it again after a key update or
	 * a renegotiation, which are not new handshakes of a client.
	 */
	private SSLEngineResult reportIfFinished(SSLEngineResult result) {
		if (result.getHandshakeStatus() == HandshakeStatus.FINISHED && isFirstReport()) {
			try {
				SSLSession session = this.engine.getSession();
				HandshakeKind kind = new HandshakeKind(this.owner.server(), session.getProtocol(),
						session.getCipherSuite());
				this.owner.handshakes()
					.completed(new TlsHandshake(kind, this.context.isResumed(this.engine),
							Duration.ofNanos(System.nanoTime() - this.begunAt)));
			}
			catch (RuntimeException ex) {
				this.owner.handshakes().reportingFailed(ex);
			}
		}
		return result;
	}

	private void reportFailure(SSLException ex) {
		if (isFirstReport()) {
			reportFailure(Reason.of(ex));
		}
	}

	/*
	 * A connection without any data from the client, such as a load balancer's probe, is
	 * not a handshake.
	 */
	private void reportAbort() {
		if (this.begun && isFirstReport()) {
			reportFailure(Reason.ABORTED);
		}
	}

	private void reportFailure(Reason reason) {
		this.owner.handshakes().failed(new FailedTlsHandshake(this.owner.server(), reason));
	}

	private boolean isFirstReport() {
		return !this.engine.getUseClientMode() && this.reported.compareAndSet(false, true);
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
		reportAbort();
		this.engine.closeInbound();
	}

	@Override
	public boolean isInboundDone() {
		return this.engine.isInboundDone();
	}

	@Override
	public void closeOutbound() {
		reportAbort();
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
