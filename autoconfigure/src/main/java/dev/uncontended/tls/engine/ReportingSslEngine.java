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
import java.util.concurrent.atomic.AtomicBoolean;

import javax.net.ssl.SSLEngine;
import javax.net.ssl.SSLEngineResult;
import javax.net.ssl.SSLEngineResult.HandshakeStatus;
import javax.net.ssl.SSLException;
import javax.net.ssl.SSLSession;

import dev.uncontended.tls.handshake.FailedTlsHandshake;
import dev.uncontended.tls.handshake.FailedTlsHandshake.Reason;
import dev.uncontended.tls.handshake.HandshakeKind;
import dev.uncontended.tls.handshake.TlsHandshake;
import org.jspecify.annotations.Nullable;

/**
 * An {@link SSLEngine} that reports the outcome of its handshake.
 * <p>
 * At most one thread at a time may call {@code wrap}, and at most one may call
 * {@code unwrap}. Any thread may close the engine. The outcome is reported at most once.
 */
public abstract class ReportingSslEngine extends SSLEngine {

	private static final int ALERT = 21;

	private static final int FATAL = 2;

	/** The length of an unencrypted alert in bytes, with the header of its record. */
	private static final int ALERT_LENGTH = 7;

	private final RenewableSslContext owner;

	private final AtomicBoolean reported = new AtomicBoolean();

	private volatile boolean begun;

	private long begunAt;

	/** The reason in an unencrypted alert of the client. */
	private volatile Reason alert = Reason.OTHER;

	private final KeyExchange keyExchange = new KeyExchange();

	protected ReportingSslEngine(RenewableSslContext owner, @Nullable String peerHost, int peerPort) {
		super(peerHost, peerPort);
		this.owner = owner;
	}

	/**
	 * Returns the owner's current context. Subclasses must call this method when the
	 * handshake starts, and use the result for the handshake.
	 * @throws SSLException if creating the context fails
	 */
	protected final TlsEngine.Context currentContext() throws SSLException {
		try {
			return this.owner.current();
		}
		catch (IllegalStateException ex) {
			throw new SSLException(ex.getMessage(), ex);
		}
	}

	@Override
	public final SSLEngineResult wrap(ByteBuffer[] sources, int offset, int length, ByteBuffer destination)
			throws SSLException {
		requireBuffers(sources, destination);
		int start = destination.position();
		try {
			SSLEngineResult result = wrapNow(sources, offset, length, destination);
			if (result.bytesProduced() > 0 && !this.reported.get() && this.keyExchange.read(destination, start)) {
				this.owner.handshakes().retried(this.owner.server());
			}
			return reportIfFinished(result);
		}
		catch (SSLException ex) {
			reportFailure(Reason.of(ex));
			throw ex;
		}
	}

	/*
	 * SSLEngine specifies this exception.
	 */
	private static void requireBuffers(@Nullable ByteBuffer @Nullable [] several, @Nullable ByteBuffer single) {
		if (several == null || single == null) {
			throw new IllegalArgumentException("A source or destination buffer is null");
		}
	}

	/**
	 * Performs {@code wrap} without reporting the handshake.
	 */
	protected abstract SSLEngineResult wrapNow(ByteBuffer[] sources, int offset, int length, ByteBuffer destination)
			throws SSLException;

	@Override
	public final SSLEngineResult unwrap(ByteBuffer source, ByteBuffer[] destinations, int offset, int length)
			throws SSLException {
		requireBuffers(destinations, source);
		if (!this.begun && source.hasRemaining()) {
			this.begunAt = System.nanoTime();
			this.begun = true;
		}
		if (!this.reported.get()) {
			recordAlert(source);
		}
		try {
			return reportIfFinished(unwrapNow(source, destinations, offset, length));
		}
		catch (SSLException ex) {
			reportFailure(Reason.of(ex));
			throw ex;
		}
	}

	/*
	 * A TLS 1.3 client that rejects the server's certificate may send an unencrypted
	 * alert. TLS implementations expect encrypted records then, and report another
	 * failure.
	 */
	private void recordAlert(ByteBuffer source) {
		int start = source.position();
		if (source.remaining() >= ALERT_LENGTH && source.get(start) == ALERT && source.get(start + 3) == 0
				&& source.get(start + 4) == 2 && source.get(start + 5) == FATAL) {
			this.alert = Reason.ofAlert(source.get(start + 6));
		}
	}

	/**
	 * Performs {@code unwrap} without reporting the handshake.
	 */
	protected abstract SSLEngineResult unwrapNow(ByteBuffer source, ByteBuffer[] destinations, int offset, int length)
			throws SSLException;

	@Override
	public final void closeInbound() throws SSLException {
		reportClose();
		closeInboundNow();
	}

	/**
	 * Closes the inbound side without reporting the handshake.
	 * @throws SSLException if the client has not sent close_notify
	 */
	protected abstract void closeInboundNow() throws SSLException;

	@Override
	public final void closeOutbound() {
		reportClose();
		closeOutboundNow();
	}

	/**
	 * Closes the outbound side without reporting the handshake.
	 */
	protected abstract void closeOutboundNow();

	/**
	 * Returns whether this engine lets a function select the application protocol. If
	 * not, it selects one of the parameters' application protocols.
	 */
	public boolean callsProtocolSelector() {
		return true;
	}

	/**
	 * Returns whether the completed handshake resumed a session. Called at most once.
	 */
	protected abstract boolean isResumed();

	private SSLEngineResult reportIfFinished(SSLEngineResult result) {
		if (result.getHandshakeStatus() == HandshakeStatus.FINISHED && !getUseClientMode()) {
			reportFirst();
		}
		return result;
	}

	/*
	 * FINISHED statuses after the first one come from key updates and renegotiations,
	 * which are not counted.
	 */
	private void reportFirst() {
		if (isFirstReport()) {
			try {
				SSLSession session = getSession();
				String protocol = session.getProtocol();
				boolean resumed = isResumed();
				HandshakeKind kind = new HandshakeKind(this.owner.server(), protocol, session.getCipherSuite(),
						this.keyExchange.group());
				this.owner.handshakes()
					.completed(new TlsHandshake(kind, resumed, Duration.ofNanos(System.nanoTime() - this.begunAt)));
			}
			catch (RuntimeException ex) {
				this.owner.handshakes().reportingFailed(ex);
			}
		}
	}

	/*
	 * A connection without data from the client, such as a load balancer's probe, is not
	 * a handshake.
	 */
	private void reportClose() {
		if (this.begun) {
			reportFailure(Reason.ABORTED);
		}
	}

	private void reportFailure(Reason reason) {
		if (isFirstReport()) {
			Reason known = (this.alert != Reason.OTHER) ? this.alert : reason;
			this.owner.handshakes().failed(new FailedTlsHandshake(this.owner.server(), known));
		}
	}

	private boolean isFirstReport() {
		return !getUseClientMode() && this.reported.compareAndSet(false, true);
	}

}
