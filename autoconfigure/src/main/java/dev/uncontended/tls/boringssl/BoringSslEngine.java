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

import java.lang.ref.WeakReference;
import java.nio.ByteBuffer;
import java.security.cert.X509Certificate;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import java.util.function.BiFunction;
import java.util.stream.Stream;

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
import io.netty.handler.ssl.ClientAuth;
import io.netty.handler.ssl.ReferenceCountedOpenSslEngine;
import org.jspecify.annotations.Nullable;

/**
 * Adapts the native engine (Netty's engine, which uses BoringSSL) to servers that rely on
 * the behavior of the JDK's engine:
 * <ul>
 * <li>The application protocol and the types of server keys depend on the ClientHello,
 * but the native engine takes them from its native context. This engine therefore reads
 * the ClientHello, and then creates the native engine.</li>
 * <li>BoringSSL's output, except application data, passes through an
 * {@link OutboundBuffer}. While the buffer is not empty, the handshake status is
 * NEED_WRAP. If unwrap throws an exception, the next wrap sends the alert.</li>
 * <li>BoringSSL delays TLS 1.3 tickets until the server writes application data. This
 * engine sends the tickets as soon as the handshake has completed.</li>
 * <li>Servers do not release engines. The native engine is released when both directions
 * are closed, or after this engine has become unreachable.</li>
 * </ul>
 * Thread-safe. Locks are taken in this order: this engine's monitor, then the native
 * engine's. Trust managers, key managers and selectors of application protocols run in
 * the thread that unwraps and holds both monitors, as in the JDK's engine, which holds
 * its lock while a task runs. They can call this engine. The session has no lock.
 */
final class BoringSslEngine extends ReportingSslEngine {

	private static final String TOO_LONG = "The client sent a ClientHello that is too long";

	private static final int WARNING = 1;

	private static final int CLOSE_NOTIFY = 0;

	private static final int UNEXPECTED_MESSAGE = 10;

	private static final int RECORD_OVERFLOW = 22;

	private static final int HANDSHAKE_FAILURE = 40;

	private static final int ILLEGAL_PARAMETER = 47;

	private static final int DECODE_ERROR = 50;

	private static final int PROTOCOL_VERSION = 70;

	private static final int USER_CANCELED = 90;

	private static final int NO_APPLICATION_PROTOCOL = 120;

	private static final String OWNER = BoringSslEngine.class.getName();

	// Replaced when the handshake starts, as in the JDK's engine.
	private volatile BoringSslSession session;

	// All fields below are guarded by this engine's monitor.

	private BoringSslContext context;

	private EngineParameters parameters;

	private @Nullable BiFunction<SSLEngine, List<String>, String> selector;

	private State state = State.NEW;

	private boolean inboundClosed;

	private boolean outboundClosed;

	private final ClientHello.Buffer hello = new ClientHello.Buffer();

	private final OutboundBuffer outbound = new OutboundBuffer();

	private @Nullable NativeEngine engine;

	// The selected protocol, or an empty string; null before the ClientHello.
	private @Nullable String applicationProtocol;

	private boolean resumed;

	private @Nullable X509Certificate clientCertificate;

	// Bytes in TLS records.
	private long sent;

	private long received;

	private long keyLimit = Long.MAX_VALUE;

	BoringSslEngine(RenewableSslContext owner, BoringSslContext context, @Nullable String peerHost, int peerPort) {
		super(owner, peerHost, peerPort);
		this.context = context;
		this.parameters = new EngineParameters(context.groups());
		this.session = new BoringSslSession(context, peerHost, peerPort, BoringSslSession.NO_PROTOCOL,
				BoringSslSession.NO_CIPHER_SUITE);
	}

	@Override
	protected synchronized boolean isResumed() {
		return this.resumed;
	}

	/**
	 * Returns the engine that created the given native engine.
	 */
	static BoringSslEngine of(SSLEngine nativeEngine) {
		WeakReference<?> owner = (WeakReference<?>) nativeEngine.getSession().getValue(OWNER);
		return (BoringSslEngine) Objects.requireNonNull(owner.get());
	}

	@Override
	protected synchronized SSLEngineResult unwrapNow(ByteBuffer source, ByteBuffer[] destinations, int offset,
			int length) throws SSLException {
		try {
			if (this.inboundClosed) {
				return result(Status.CLOSED, 0, 0);
			}
			if (this.state == State.HANDSHAKING && !this.outbound.isEmpty()) {
				return result(Status.OK, 0, 0);
			}
			NativeEngine engine = this.engine;
			return (engine != null) ? unwrap(engine, source, destinations, offset, length) : unwrapHello(source);
		}
		catch (Throwable ex) {
			close();
			throw ex;
		}
	}

	/*
	 * Collects the ClientHello, and then creates the native engine. Rejects every other
	 * record, because the native engine would continue after some of them.
	 */
	private SSLEngineResult unwrapHello(ByteBuffer source) throws SSLException {
		this.state = State.AWAITING_HELLO;
		if (!Records.hasHeader(source)) {
			return result(Status.BUFFER_UNDERFLOW, 0, 0);
		}
		if (Records.isSslv2Hello(source)) {
			throw refusal(HANDSHAKE_FAILURE, "The client sent a ClientHello in the format of SSLv2");
		}
		if (Records.isUnexpected(source)) {
			throw refusal(UNEXPECTED_MESSAGE, "The client sent data that is not a TLS record");
		}
		if (Records.isOversized(source)) {
			throw refusal(RECORD_OVERFLOW, "The client sent a TLS record that is too long");
		}
		int consumed = Records.length(source);
		if (source.remaining() < consumed) {
			return result(Status.BUFFER_UNDERFLOW, 0, 0);
		}
		if (!Records.isHandshake(source)) {
			if (Records.isFatalAlert(source) && this.hello.isEmpty()) {
				throw new SSLHandshakeException("The client sent a fatal alert instead of a ClientHello");
			}
			throw refusal(UNEXPECTED_MESSAGE, "The client sent another record instead of a ClientHello");
		}
		this.hello.add(source);
		if (this.hello.isOtherMessage()) {
			throw refusal(UNEXPECTED_MESSAGE, "The client sent another handshake message instead of a ClientHello");
		}
		if (this.hello.isLongerThan(JdkLimits.CURRENT.handshakeMessage())) {
			throw refusal(UNEXPECTED_MESSAGE, TOO_LONG);
		}
		// BoringSSL's limit does not apply if the server asks for client certificates.
		if (this.hello.isLongerThan(ClientHello.BORINGSSL_MAXIMUM) && this.parameters.clientAuth() == ClientAuth.NONE) {
			throw refusal(ILLEGAL_PARAMETER, TOO_LONG);
		}
		if (!this.hello.isComplete()) {
			return result(Status.OK, consumed, 0);
		}
		ClientHello parsed = ClientHello.parse(this.hello.bytes());
		if (parsed == null) {
			throw refusal(DECODE_ERROR, "The client sent a malformed ClientHello");
		}
		NativeEngine engine = createEngine(parsed);
		this.state = State.HANDSHAKING;
		ByteBuffer record = this.hello.nextRecord();
		while (record != null) {
			unwrap(engine, record, new ByteBuffer[] { ByteBuffer.allocate(record.remaining()) }, 0, 1);
			record = this.hello.nextRecord();
		}
		return result(Status.OK, consumed, 0);
	}

	private SSLEngineResult unwrap(NativeEngine engine, ByteBuffer source, ByteBuffer[] destinations, int offset,
			int length) throws SSLException {
		if (Records.hasHeader(source)) {
			if (Records.isOversized(source)) {
				throw reject(engine, Records.oversized());
			}
			if (Records.isUnexpected(source)) {
				throw reject(engine, Records.unexpected());
			}
		}
		if (this.state == State.HANDSHAKING) {
			limitSession(engine);
		}
		SSLEngineResult result = engine.delegate().unwrap(source, destinations, offset, length);
		if (this.state == State.HANDSHAKING || result.getHandshakeStatus() == HandshakeStatus.NEED_WRAP) {
			collectOutbound(engine);
		}
		this.received += result.bytesConsumed();
		closeAtKeyLimit();
		if (engine.delegate().isInboundDone()) {
			// The client has sent close_notify, and BoringSSL has replied.
			this.inboundClosed = true;
			this.outboundClosed = true;
		}
		Status status = result.getStatus();
		if (status == Status.CLOSED && !this.inboundClosed) {
			status = Status.OK;
		}
		return result(status, result.bytesConsumed(), result.bytesProduced());
	}

	private void limitSession(NativeEngine engine) {
		engine.run((ssl) -> this.context.limitSession(ssl, this.clientCertificate));
	}

	/**
	 * Limits the session to the validity of the client's certificate. Called while
	 * BoringSSL verifies the certificate, because the same record may contain the
	 * client's Finished message.
	 */
	synchronized void onClientCertificate(X509Certificate certificate) {
		this.clientCertificate = certificate;
		if (this.engine != null) {
			limitSession(this.engine);
		}
	}

	/*
	 * Passes an illegal record to BoringSSL, so that it writes an alert.
	 */
	private SSLException reject(NativeEngine engine, ByteBuffer record) throws SSLException {
		engine.delegate().unwrap(record, ByteBuffer.allocate(record.remaining()));
		collectOutbound(engine);
		return new SSLException("The client sent data that is not a TLS record");
	}

	private void collectOutbound(NativeEngine engine) throws SSLException {
		boolean again;
		do {
			if (this.state == State.COMPLETED) {
				engine.flushTickets();
			}
			SSLEngineResult result = this.outbound.addFrom(engine);
			again = result.bytesProduced() > 0;
			if (result.getHandshakeStatus() == HandshakeStatus.FINISHED) {
				this.state = State.COMPLETED;
				this.resumed = engine.isResumed();
				if (this.session.getProtocol().equals("TLSv1.3")) {
					this.keyLimit = JdkLimits.CURRENT.bytesPerKey(this.session.getCipherSuite());
				}
				again = true;
			}
		}
		while (again);
	}

	@Override
	protected synchronized SSLEngineResult wrapNow(ByteBuffer[] sources, int offset, int length, ByteBuffer destination)
			throws SSLException {
		try {
			if (!this.outbound.isEmpty()) {
				int sent = this.outbound.send(destination);
				return (sent > 0) ? result(isOutboundDone() ? Status.CLOSED : Status.OK, 0, sent)
						: result(Status.BUFFER_OVERFLOW, 0, 0);
			}
			if (this.outboundClosed) {
				return result(Status.CLOSED, 0, 0);
			}
			if (this.state == State.NEW && !this.inboundClosed) {
				this.state = State.AWAITING_HELLO;
			}
			NativeEngine engine = this.engine;
			if (engine == null || this.state != State.ESTABLISHED) {
				return result(Status.OK, 0, 0);
			}
			SSLEngineResult result = engine.delegate().wrap(sources, offset, length, destination);
			this.sent += result.bytesProduced();
			closeAtKeyLimit();
			return result(result.getStatus(), result.bytesConsumed(), result.bytesProduced());
		}
		catch (Throwable ex) {
			close();
			throw ex;
		}
	}

	private SSLEngineResult result(Status status, int consumed, int produced) {
		if (isOutboundDone()) {
			// The server does not wait for the client's close_notify.
			close();
		}
		HandshakeStatus handshakeStatus = getHandshakeStatus();
		if (this.state == State.COMPLETED && this.outbound.isEmpty()) {
			this.state = State.ESTABLISHED;
			handshakeStatus = HandshakeStatus.FINISHED;
		}
		return new SSLEngineResult(status, handshakeStatus, consumed, produced);
	}

	private SSLException refusal(int alert, String message) {
		this.outbound.addAlert(Records.FATAL, alert);
		return new SSLHandshakeException(message);
	}

	/*
	 * The JDK's engine updates the keys. BoringSSL has no such function for servers
	 * through Netty.
	 */
	private void closeAtKeyLimit() {
		if (this.state == State.ESTABLISHED && Math.max(this.sent, this.received) >= this.keyLimit) {
			closeOutboundNow();
		}
	}

	private void close() {
		this.inboundClosed = true;
		this.outboundClosed = true;
		releaseIfClosed();
	}

	/*
	 * Servers need not wrap the remaining output, which is in the outbound buffer.
	 */
	private void releaseIfClosed() {
		if (this.inboundClosed && this.outboundClosed && this.engine != null) {
			this.engine.close();
		}
	}

	/*
	 * For TLS 1.2, predicts the cipher suite before the server selects the application
	 * protocol, because HTTP/2 prohibits most TLS 1.2 cipher suites.
	 */
	private NativeEngine createEngine(ClientHello hello) throws SSLException {
		this.context = (BoringSslContext) currentContext();
		List<String> protocols = this.parameters.usableProtocols();
		boolean tls13 = hello.offersTls13() && protocols.contains("TLSv1.3");
		if (!hello.hasLegalServerName()) {
			throw refusal(ILLEGAL_PARAMETER, "The client sent a server name that is not a host name");
		}
		if (!tls13 && !hello.offersExtendedMasterSecret() && !JdkLimits.CURRENT.allowsLegacyMasterSecret()) {
			throw refusal(HANDSHAKE_FAILURE,
					"The client does not support the extended master secret, which jdk.tls.allowLegacyMasterSecret=false requires");
		}
		List<String> common = tls13 ? List.of() : commonCipherSuites(hello);
		this.session = new BoringSslSession(this.context, getPeerHost(), getPeerPort(), tls13 ? "TLSv1.3" : "TLSv1.2",
				common.stream().findFirst().orElse(BoringSslSession.NO_CIPHER_SUITE));
		String applicationProtocol = selectApplicationProtocol(hello);
		this.applicationProtocol = applicationProtocol;
		EngineSettings settings = new EngineSettings(protocols, List.of(getEnabledCipherSuites()), applicationProtocol,
				this.parameters.clientAuth(), ServerKeyManager.keyTypes(common));
		List<String> groups = this.parameters.usableGroups();
		if (!tls13 && !protocols.contains("TLSv1.2")) {
			throw refusal(PROTOCOL_VERSION, "The client does not offer an enabled protocol version of " + protocols);
		}
		if (groups.isEmpty()) {
			throw refusal(HANDSHAKE_FAILURE, "BoringSSL supports none of the groups " + this.parameters.groups());
		}
		ReferenceCountedOpenSslEngine delegate = this.context.createEngine(settings, getPeerHost(), getPeerPort());
		NativeEngine engine = new NativeEngine(delegate, this);
		this.engine = engine;
		this.session.setEngine(engine);
		SSLParameters forNetty = this.parameters.forNetty();
		if (tls13 && this.parameters.enabledGroups().overrule(hello, groups)) {
			// BoringSSL has one order for groups and cipher suites. Its order of
			// TLS 1.3 cipher suites is fixed.
			forNetty.setUseCipherSuitesOrder(true);
		}
		delegate.setSSLParameters(forNetty);
		// The start of the handshake clears the values of Netty's session.
		delegate.beginHandshake();
		// The reference is weak, because an unreachable engine releases the native
		// engine.
		delegate.getSession().putValue(OWNER, new WeakReference<>(this));
		return engine;
	}

	/*
	 * Returns the TLS 1.2 cipher suites that the handshake can use, in order of
	 * preference.
	 */
	private List<String> commonCipherSuites(ClientHello hello) {
		List<Integer> offered = hello.cipherSuites();
		Stream<String> common = Arrays.stream(getEnabledCipherSuites())
			.filter((suite) -> offered.contains(Suites.number(suite)) && this.context.canAuthenticate(suite));
		return (this.parameters.values().getUseCipherSuitesOrder() ? common
				: common.sorted(Comparator.comparing((suite) -> offered.indexOf(Suites.number(suite)))))
			.toList();
	}

	/*
	 * Returns the selected application protocol, or an empty string.
	 */
	private String selectApplicationProtocol(ClientHello hello) throws SSLException {
		List<String> supported = List.of(this.parameters.values().getApplicationProtocols());
		if (this.selector == null && supported.isEmpty()) {
			return "";
		}
		List<String> offered = hello.applicationProtocols();
		if (offered == null) {
			throw refusal(DECODE_ERROR, "The client sent a malformed list of application protocols");
		}
		if (offered.isEmpty()) {
			return "";
		}
		String selected = (this.selector != null) ? this.selector.apply(this, offered)
				: supported.stream().filter(offered::contains).findFirst().orElse(null);
		if (selected == null || !selected.isEmpty() && !offered.contains(selected)) {
			throw refusal(NO_APPLICATION_PROTOCOL, "The server supports no application protocol offered by the client");
		}
		return selected;
	}

	/**
	 * Returns {@code null}, because unwrap runs all tasks itself.
	 */
	@Override
	public @Nullable Runnable getDelegatedTask() {
		return null;
	}

	@Override
	protected synchronized void closeInboundNow() throws SSLException {
		if (this.inboundClosed) {
			return;
		}
		this.inboundClosed = true;
		if (this.state == State.AWAITING_HELLO || this.state == State.HANDSHAKING) {
			close();
		}
		releaseIfClosed();
		if (this.state != State.NEW) {
			throw new SSLException("The client has not sent close_notify");
		}
	}

	@Override
	public synchronized boolean isInboundDone() {
		return this.inboundClosed;
	}

	@Override
	protected synchronized void closeOutboundNow() {
		try {
			if (this.outboundClosed) {
				return;
			}
			this.outboundClosed = true;
			NativeEngine engine = this.engine;
			if (engine != null && isComplete()) {
				engine.delegate().closeOutbound();
				collectOutbound(engine);
				releaseIfClosed();
				return;
			}
			if (this.state == State.AWAITING_HELLO) {
				this.outbound.addAlert(WARNING, USER_CANCELED);
				this.outbound.addAlert(WARNING, CLOSE_NOTIFY);
			}
			close();
		}
		catch (SSLException ex) {
			close();
		}
	}

	@Override
	public synchronized boolean isOutboundDone() {
		return this.outboundClosed && this.outbound.isEmpty();
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
	public SSLSession getSession() {
		return this.session;
	}

	@Override
	public synchronized @Nullable SSLSession getHandshakeSession() {
		NativeEngine engine = this.engine;
		return (engine == null && this.session.hasPredictedParameters()
				|| engine != null && engine.delegate().getHandshakeSession() != null) ? this.session : null;
	}

	@Override
	public synchronized void beginHandshake() throws SSLException {
		if (this.inboundClosed || this.outboundClosed) {
			close();
			throw new SSLException("The engine has been closed");
		}
		if (isComplete()) {
			throw new SSLException("BoringSSL does not support renegotiation");
		}
		if (this.state == State.NEW) {
			this.parameters.usableProtocols();
			this.state = State.AWAITING_HELLO;
		}
	}

	private boolean isComplete() {
		return this.state == State.COMPLETED || this.state == State.ESTABLISHED;
	}

	@Override
	public synchronized HandshakeStatus getHandshakeStatus() {
		if (!this.outbound.isEmpty()) {
			return HandshakeStatus.NEED_WRAP;
		}
		if (this.inboundClosed && this.outboundClosed) {
			return HandshakeStatus.NOT_HANDSHAKING;
		}
		return switch (this.state) {
			case NEW, ESTABLISHED -> HandshakeStatus.NOT_HANDSHAKING;
			case AWAITING_HELLO, HANDSHAKING -> HandshakeStatus.NEED_UNWRAP;
			// The next wrap returns FINISHED.
			case COMPLETED -> HandshakeStatus.NEED_WRAP;
		};
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
	public void setEnableSessionCreation(boolean flag) {
		if (!flag) {
			throw new UnsupportedOperationException("This engine does not support disabling session creation");
		}
	}

	@Override
	public boolean getEnableSessionCreation() {
		return true;
	}

	@Override
	public synchronized SSLParameters getSSLParameters() {
		return this.parameters.copy();
	}

	@Override
	public synchronized void setSSLParameters(SSLParameters parameters) {
		this.parameters = this.parameters.with(parameters);
	}

	@Override
	public synchronized @Nullable String getApplicationProtocol() {
		return isComplete() ? this.applicationProtocol : null;
	}

	@Override
	public synchronized @Nullable String getHandshakeApplicationProtocol() {
		return isComplete() ? null : this.applicationProtocol;
	}

	@Override
	public synchronized void setHandshakeApplicationProtocolSelector(
			@Nullable BiFunction<SSLEngine, List<String>, String> selector) {
		this.selector = selector;
	}

	@Override
	public synchronized @Nullable BiFunction<SSLEngine, List<String>, String> getHandshakeApplicationProtocolSelector() {
		return this.selector;
	}

	private enum State {

		NEW,

		AWAITING_HELLO,

		HANDSHAKING,

		/**
		 * The handshake has completed, but neither wrap nor unwrap has returned FINISHED.
		 */
		COMPLETED,

		ESTABLISHED

	}

}
