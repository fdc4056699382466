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

import java.lang.ref.Cleaner;
import java.lang.ref.WeakReference;
import java.nio.ByteBuffer;
import java.security.cert.X509Certificate;
import java.util.List;
import java.util.Objects;
import java.util.function.BiFunction;

import javax.net.ssl.SSLEngine;
import javax.net.ssl.SSLEngineResult;
import javax.net.ssl.SSLEngineResult.HandshakeStatus;
import javax.net.ssl.SSLEngineResult.Status;
import javax.net.ssl.SSLException;
import javax.net.ssl.SSLHandshakeException;
import javax.net.ssl.SSLParameters;
import javax.net.ssl.SSLSession;

import dev.uncontended.tls.boringssl.BoringSslContext.EngineSettings;
import dev.uncontended.tls.engine.RenewableSslContext;
import dev.uncontended.tls.engine.ReportingSslEngine;
import io.netty.handler.ssl.ReferenceCountedOpenSslEngine;
import io.netty.internal.tcnative.Buffer;
import io.netty.internal.tcnative.SSL;
import org.jspecify.annotations.Nullable;

/**
 * Delegates to Netty's engine, which uses BoringSSL, and differs from it as follows:
 * <ul>
 * <li>Netty's engine is created when the client's first bytes arrive, with the current
 * context. It is released when a side closes, when the connection fails, or after this
 * engine has become unreachable, because servers do not release engines.</li>
 * <li>The call that completes the handshake returns FINISHED. Netty's engine returns it
 * one call later, with BUFFER_UNDERFLOW, which Jetty ignores.</li>
 * <li>TLS 1.3 tickets are sent when the handshake has completed. BoringSSL would send
 * them with the first application data.</li>
 * <li>After the handshake, unwrap throws an exception for a bad record, and the next wrap
 * sends the alert. Netty's engine throws no exception before the next call, which Tomcat
 * does not make. For data that is not TLS, it sends no alert at all.</li>
 * </ul>
 * Thread-safe. Locks are taken in this order: this engine's monitor, then that of Netty's
 * engine. Trust managers and key managers run in the thread that unwraps and holds both.
 * They can call this engine. The session takes only the second monitor.
 */
final class BoringSslEngine extends ReportingSslEngine {

	/** One for this package, because each cleaner has a thread. */
	static final Cleaner cleaner = Cleaner.create();

	private static final String OWNER = BoringSslEngine.class.getName();

	private static final ByteBuffer NOTHING = ByteBuffer.allocateDirect(0);

	/** Application data that cannot be decrypted. */
	private static final byte[] BAD_RECORD = { 23, 3, 3, 0, 1, 0 };

	/** The record of a fatal alert handshake_failure. */
	private static final byte[] HANDSHAKE_FAILURE = { 21, 3, 3, 0, 2, 2, 40 };

	private static final int CHUNK = 4_096;

	private final BoringSslSession session = new BoringSslSession();

	/** The server's application protocols; empty if they depend on the parameters. */
	private final List<String> applicationProtocols;

	// All fields below are guarded by this engine's monitor.

	private BoringSslContext context;

	private EngineParameters parameters;

	private @Nullable ReferenceCountedOpenSslEngine delegate;

	private Cleaner.@Nullable Cleanable cleanable;

	/** Records to send before all others, also after the release of Netty's engine. */
	private ByteBuffer pending = NOTHING;

	private boolean begun;

	private boolean established;

	/** Whether the handshake has completed, but no result has been FINISHED. */
	private boolean unreported;

	private boolean resumed;

	private boolean closed;

	/** Whether BoringSSL runs, which can call trust managers and key managers. */
	private boolean running;

	private @Nullable X509Certificate clientCertificate;

	BoringSslEngine(RenewableSslContext owner, BoringSslContext context, @Nullable String peerHost, int peerPort) {
		super(owner, peerHost, peerPort);
		this.context = context;
		this.parameters = context.defaults().copy();
		this.applicationProtocols = owner.applicationProtocols();
	}

	/**
	 * Returns the engine that delegates to the given engine of Netty.
	 */
	static BoringSslEngine of(SSLEngine delegate) {
		WeakReference<?> owner = (WeakReference<?>) delegate.getSession().getValue(OWNER);
		return (BoringSslEngine) Objects.requireNonNull(owner.get());
	}

	private ReferenceCountedOpenSslEngine createDelegate() throws SSLException {
		EngineSettings settings = settings();
		if (this.parameters.usableGroups().isEmpty()) {
			this.pending = ByteBuffer.wrap(HANDSHAKE_FAILURE);
			throw new SSLHandshakeException("BoringSSL supports none of the groups of the server");
		}
		this.context = (BoringSslContext) currentContext();
		ReferenceCountedOpenSslEngine delegate = this.context.createEngine(settings, getPeerHost(), getPeerPort());
		this.delegate = delegate;
		this.cleanable = cleaner.register(this, delegate::release);
		delegate.setSSLParameters(this.parameters.forNetty());
		// The start of the handshake clears the values of Netty's session.
		delegate.beginHandshake();
		// The reference is weak, so that this engine can become unreachable.
		delegate.getSession().putValue(OWNER, new WeakReference<>(this));
		this.session.setDelegate(delegate.getSession());
		return delegate;
	}

	private EngineSettings settings() throws SSLException {
		SSLParameters values = this.parameters.values();
		return new EngineSettings(this.parameters.usableProtocols(), List.of(values.getCipherSuites()),
				this.applicationProtocols.isEmpty() ? List.of(values.getApplicationProtocols())
						: this.applicationProtocols,
				this.parameters.clientAuth());
	}

	@Override
	protected synchronized SSLEngineResult unwrapNow(ByteBuffer source, ByteBuffer[] destinations, int offset,
			int length) throws SSLException {
		if (this.closed) {
			return new SSLEngineResult(Status.CLOSED, getHandshakeStatus(), 0, 0);
		}
		this.begun = true;
		if (this.delegate == null && !source.hasRemaining()) {
			return new SSLEngineResult(Status.BUFFER_UNDERFLOW, getHandshakeStatus(), 0, 0);
		}
		return run(() -> unwrapNative(source, destinations, offset, length));
	}

	private SSLEngineResult unwrapNative(ByteBuffer source, ByteBuffer[] destinations, int offset, int length)
			throws SSLException {
		ReferenceCountedOpenSslEngine delegate = (this.delegate != null) ? this.delegate : createDelegate();
		if (!this.established) {
			this.context.limitSession(delegate.sslPointer(), this.clientCertificate);
		}
		SSLEngineResult result;
		try {
			result = delegate.unwrap(source, destinations, offset, length);
		}
		catch (SSLException ex) {
			rejectBadRecord(delegate);
			throw ex;
		}
		if (this.established) {
			if (result.getHandshakeStatus() == HandshakeStatus.NEED_WRAP) {
				collect(delegate);
			}
		}
		else if (result.getHandshakeStatus() == HandshakeStatus.NEED_UNWRAP && result.bytesConsumed() > 0) {
			HandshakeStatus status = delegate.unwrap(NOTHING, NOTHING).getHandshakeStatus();
			result = new SSLEngineResult(result.getStatus(), status, result.bytesConsumed(), result.bytesProduced());
		}
		// If so, the client has sent close_notify, and BoringSSL has replied.
		this.closed |= delegate.isInboundDone();
		return result;
	}

	/*
	 * If Netty's engine has rejected the data itself, BoringSSL still has to send an
	 * alert. A bad record makes it do so.
	 */
	private static void rejectBadRecord(ReferenceCountedOpenSslEngine delegate) throws SSLException {
		if (delegate.sslPointer() != 0) {
			delegate.unwrap(ByteBuffer.wrap(BAD_RECORD), ByteBuffer.allocate(BAD_RECORD.length));
		}
	}

	@Override
	protected synchronized SSLEngineResult wrapNow(ByteBuffer[] sources, int offset, int length, ByteBuffer destination)
			throws SSLException {
		if (this.pending.hasRemaining()) {
			return sendPending(destination);
		}
		if (this.closed) {
			return new SSLEngineResult(Status.CLOSED, HandshakeStatus.NOT_HANDSHAKING, 0, 0);
		}
		this.begun = true;
		ReferenceCountedOpenSslEngine delegate = this.delegate;
		return (delegate != null) ? run(() -> delegate.wrap(sources, offset, length, destination))
				: new SSLEngineResult(Status.OK, HandshakeStatus.NEED_UNWRAP, 0, 0);
	}

	private SSLEngineResult sendPending(ByteBuffer destination) {
		int count = Math.min(this.pending.remaining(), destination.remaining());
		if (count == 0) {
			return new SSLEngineResult(Status.BUFFER_OVERFLOW, HandshakeStatus.NEED_WRAP, 0, 0);
		}
		destination.put(this.pending.slice().limit(count));
		this.pending.position(this.pending.position() + count);
		if (!this.pending.hasRemaining()) {
			this.pending = NOTHING;
		}
		return new SSLEngineResult(isOutboundDone() ? Status.CLOSED : Status.OK, nextStatus(getHandshakeStatus()), 0,
				count);
	}

	private SSLEngineResult run(Call call) throws SSLException {
		SSLEngineResult result;
		this.running = true;
		try {
			result = call.run();
			if (result.getHandshakeStatus() == HandshakeStatus.FINISHED) {
				complete();
			}
		}
		catch (Throwable ex) {
			this.closed = true;
			throw ex;
		}
		finally {
			this.running = false;
			releaseIfClosed();
		}
		return new SSLEngineResult(this.closed ? Status.CLOSED : result.getStatus(),
				nextStatus(result.getHandshakeStatus()), result.bytesConsumed(), result.bytesProduced());
	}

	private void complete() throws SSLException {
		ReferenceCountedOpenSslEngine delegate = Objects.requireNonNull(this.delegate);
		this.established = true;
		this.unreported = true;
		this.resumed = SSL.isSessionReused(delegate.sslPointer());
		if (this.session.getProtocol().equals("TLSv1.3")) {
			// Makes BoringSSL write the tickets.
			SSL.writeToSSL(delegate.sslPointer(), Buffer.address(NOTHING), 0);
			collect(delegate);
		}
	}

	private HandshakeStatus nextStatus(HandshakeStatus status) {
		if (this.closed || this.pending.hasRemaining()) {
			return getHandshakeStatus();
		}
		if (this.unreported) {
			this.unreported = false;
			return HandshakeStatus.FINISHED;
		}
		return status;
	}

	/**
	 * Moves the records that BoringSSL has written to {@link #pending}.
	 * @throws SSLException if the last one is an alert because the connection has failed
	 */
	private void collect(ReferenceCountedOpenSslEngine delegate) throws SSLException {
		ByteBuffer chunk = ByteBuffer.allocate(CHUNK);
		while (delegate.wrap(NOTHING, chunk).bytesProduced() > 0) {
			chunk.flip();
			this.pending = ByteBuffer.allocate(this.pending.remaining() + chunk.remaining())
				.put(this.pending)
				.put(chunk)
				.flip();
			chunk.clear();
		}
	}

	/*
	 * While BoringSSL runs, a trust manager or a key manager may have closed this engine.
	 */
	private void releaseIfClosed() {
		if (!this.closed || this.running || this.delegate == null || this.cleanable == null) {
			return;
		}
		try {
			// closeOutbound would discard an alert.
			collect(this.delegate);
			this.delegate.closeOutbound();
			collect(this.delegate);
		}
		catch (SSLException ex) {
			// The connection has failed, and its alert is pending.
		}
		finally {
			this.cleanable.clean();
		}
	}

	/**
	 * Limits the session to the validity of the client's certificate. Called during the
	 * verification, because the same record may contain the client's Finished message.
	 */
	synchronized void onClientCertificate(X509Certificate certificate) {
		this.clientCertificate = certificate;
		this.context.limitSession(Objects.requireNonNull(this.delegate).sslPointer(), certificate);
	}

	@Override
	protected synchronized boolean isResumed() {
		return this.resumed;
	}

	@Override
	protected synchronized void closeInboundNow() throws SSLException {
		boolean truncated = !this.closed && this.begun;
		closeOutboundNow();
		if (truncated) {
			throw new SSLException("The client has not sent close_notify");
		}
	}

	/*
	 * Also closes the inbound side: servers do not wait for the client's close_notify.
	 */
	@Override
	protected synchronized void closeOutboundNow() {
		this.closed = true;
		releaseIfClosed();
	}

	@Override
	public synchronized boolean isInboundDone() {
		return this.closed;
	}

	@Override
	public synchronized boolean isOutboundDone() {
		return this.closed && !this.pending.hasRemaining();
	}

	@Override
	public synchronized void beginHandshake() throws SSLException {
		if (this.closed || this.established) {
			throw new SSLException("The engine has been closed, or does not support renegotiation");
		}
		// Fails if no handshake is possible.
		((BoringSslContext) currentContext()).prepare(settings());
		this.begun = true;
	}

	@Override
	public synchronized HandshakeStatus getHandshakeStatus() {
		if (this.pending.hasRemaining()) {
			return HandshakeStatus.NEED_WRAP;
		}
		if (this.closed || !this.begun) {
			return HandshakeStatus.NOT_HANDSHAKING;
		}
		return (this.delegate != null) ? this.delegate.getHandshakeStatus() : HandshakeStatus.NEED_UNWRAP;
	}

	@Override
	public @Nullable Runnable getDelegatedTask() {
		return null; // Unwrap runs all tasks.
	}

	@Override
	public SSLSession getSession() {
		return this.session;
	}

	@Override
	public synchronized @Nullable SSLSession getHandshakeSession() {
		return (this.delegate != null && this.delegate.getHandshakeSession() != null) ? this.session : null;
	}

	@Override
	public synchronized @Nullable String getApplicationProtocol() {
		return (this.established && this.delegate != null)
				? Objects.requireNonNullElse(this.delegate.getApplicationProtocol(), "") : null;
	}

	@Override
	public @Nullable String getHandshakeApplicationProtocol() {
		return getApplicationProtocol();
	}

	@Override
	public boolean callsProtocolSelector() {
		return false;
	}

	@Override
	public void setHandshakeApplicationProtocolSelector(
			@Nullable BiFunction<SSLEngine, List<String>, String> selector) {
		// Never called, because BoringSSL selects one of the server's protocols.
	}

	@Override
	public synchronized SSLParameters getSSLParameters() {
		return this.parameters.copy().values();
	}

	@Override
	public synchronized void setSSLParameters(SSLParameters parameters) {
		this.parameters = this.parameters.with(parameters);
	}

	@Override
	public String[] getSupportedCipherSuites() {
		return Suites.CIPHER_SUITES.supported();
	}

	@Override
	public synchronized String[] getEnabledCipherSuites() {
		return this.parameters.values().getCipherSuites();
	}

	@Override
	public synchronized void setEnabledCipherSuites(String[] suites) {
		this.parameters.values().setCipherSuites(Suites.CIPHER_SUITES.retain(suites));
	}

	@Override
	public String[] getSupportedProtocols() {
		return Suites.PROTOCOLS.supported();
	}

	@Override
	public synchronized String[] getEnabledProtocols() {
		return this.parameters.values().getProtocols();
	}

	@Override
	public synchronized void setEnabledProtocols(String[] protocols) {
		this.parameters.values().setProtocols(Suites.PROTOCOLS.retain(protocols));
	}

	@Override
	public synchronized void setNeedClientAuth(boolean need) {
		this.parameters.values().setNeedClientAuth(need);
	}

	@Override
	public synchronized boolean getNeedClientAuth() {
		return this.parameters.values().getNeedClientAuth();
	}

	@Override
	public synchronized void setWantClientAuth(boolean want) {
		this.parameters.values().setWantClientAuth(want);
	}

	@Override
	public synchronized boolean getWantClientAuth() {
		return this.parameters.values().getWantClientAuth();
	}

	@Override
	public void setUseClientMode(boolean mode) {
		if (mode) {
			throw new UnsupportedOperationException("This engine supports server mode only");
		}
	}

	@Override
	public boolean getUseClientMode() {
		return false;
	}

	@Override
	public void setEnableSessionCreation(boolean flag) {
		if (!flag) {
			throw new UnsupportedOperationException("This engine does not support disabling session creation");
		}
	}

	@Override
	public boolean getEnableSessionCreation() {
		return true;
	}

	@FunctionalInterface
	private interface Call {

		SSLEngineResult run() throws SSLException;

	}

}
