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
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.function.BiFunction;
import java.util.function.LongConsumer;
import java.util.function.LongPredicate;
import java.util.stream.Stream;

import javax.net.ssl.SSLEngine;
import javax.net.ssl.SSLEngineResult;
import javax.net.ssl.SSLEngineResult.HandshakeStatus;
import javax.net.ssl.SSLEngineResult.Status;
import javax.net.ssl.SSLException;
import javax.net.ssl.SSLHandshakeException;
import javax.net.ssl.SSLParameters;
import javax.net.ssl.SSLProtocolException;
import javax.net.ssl.SSLSession;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.handler.ssl.ClientAuth;
import io.netty.handler.ssl.ReferenceCountedOpenSslEngine;
import io.netty.internal.tcnative.Buffer;
import io.netty.internal.tcnative.SSL;
import org.jspecify.annotations.Nullable;

/**
 * Netty's engine, behind the contract that servers rely on: the JDK's engine.
 * <ul>
 * <li>Netty's takes its application protocol and the mode of client authentication from
 * its context, servers choose them for each connection. So this engine collects the
 * client's first message, and creates the native engine from the context that fits.</li>
 * <li>Everything that BoringSSL sends except application data passes through a buffer of
 * this engine. So the handshake status follows from what is in the buffer, records are
 * not torn apart, and the alert of a failure is sent after the exception, whichever call
 * of Netty's engine threw it.</li>
 * <li>BoringSSL keeps the tickets of TLS 1.3 until its server writes. This engine has
 * them sent at once.</li>
 * <li>Netty's has to be released, which servers do not know. So it is released when both
 * directions are closed, or with this object.</li>
 * </ul>
 * As with the JDK's engine, methods may be called by several threads.
 */
final class BoringSslEngine extends SSLEngine {

	private static final Cleaner cleaner = Cleaner.create();

	private static final ByteBuffer NOTHING = ByteBuffer.allocateDirect(0);

	/*
	 * BoringSSL rejects it with an alert, whatever it expects. Netty rejects some records
	 * before BoringSSL sees them, which would end a connection without an alert.
	 */
	private static final byte[] ILLEGAL_RECORD = { 24, 3, 3, 0, 1, 0 };

	private static final int RECORD_HEADER = 5;

	private static final int CHANGE_CIPHER_SPEC_RECORD = 20;

	private static final int APPLICATION_DATA_RECORD = 23;

	private static final int HANDSHAKE_RECORD = 22;

	private static final int MAXIMUM_FRAGMENT = 16_384;

	/** BoringSSL's limit, and the size of the smallest buffer to decrypt into. */
	static final int MAXIMUM_ENCRYPTED_FRAGMENT = MAXIMUM_FRAGMENT + 320;

	// More than most flights of a handshake.
	private static final int CHUNK = 4_096;

	private static final int WARNING = 1;

	private static final int FATAL = 2;

	private static final int CLOSE_NOTIFY = 0;

	private static final int UNEXPECTED_MESSAGE = 10;

	private static final int HANDSHAKE_FAILURE = 40;

	private static final int DECODE_ERROR = 50;

	private static final int USER_CANCELED = 90;

	private static final int NO_APPLICATION_PROTOCOL = 120;

	private final BoringSslContextSpi context;

	private final BoringSslSession session;

	// All of this is guarded by this engine's monitor, in which nothing waits.

	private SSLParameters parameters = defaultParameters();

	private @Nullable BiFunction<SSLEngine, List<String>, String> selector;

	private volatile State state = State.NEW;

	private boolean inboundClosed;

	private boolean outboundClosed;

	private final ByteBuf hello = Unpooled.buffer(0);

	private final ByteBuf outbound = Unpooled.buffer(0);

	private volatile @Nullable Native engine;

	// Found by a task, and thrown by the next wrap or unwrap.
	private @Nullable SSLException failure;

	private boolean resumed;

	BoringSslEngine(BoringSslContextSpi context, SessionContext sessionContext, @Nullable String peerHost,
			int peerPort) {
		super(peerHost, peerPort);
		this.context = context;
		this.session = new BoringSslSession(sessionContext, peerHost, peerPort);
	}

	private static SSLParameters defaultParameters() {
		return new SSLParameters(Suites.cipherSuites().enabled(), Suites.protocols().enabled());
	}

	/**
	 * Returns whether the completed handshake took up an earlier session.
	 */
	boolean isResumed() {
		return this.resumed;
	}

	boolean isReleased() {
		Native engine = this.engine;
		return engine != null && engine.delegate.refCnt() == 0;
	}

	@Override
	public synchronized SSLEngineResult unwrap(ByteBuffer source, ByteBuffer[] destinations, int offset, int length)
			throws SSLException {
		try {
			throwFailure();
			if (this.inboundClosed) {
				return result(Status.CLOSED, 0, 0);
			}
			if (this.state == State.HANDSHAKING && this.outbound.isReadable()) {
				return result(Status.OK, 0, 0);
			}
			Native engine = this.engine;
			return (engine != null) ? unwrap(engine, source, destinations, offset, length)
					: unwrapHello(source, destinations, offset, length);
		}
		catch (SSLException ex) {
			close();
			throw ex;
		}
	}

	/*
	 * A record that does not continue the client's first message is for BoringSSL, which
	 * rejects it if the message is not complete.
	 */
	private SSLEngineResult unwrapHello(ByteBuffer source, ByteBuffer[] destinations, int offset, int length)
			throws SSLException {
		this.state = State.AWAITING_HELLO;
		if (!source.hasRemaining()) {
			return result(Status.BUFFER_UNDERFLOW, 0, 0);
		}
		int consumed = 0;
		if (negotiatesApplicationProtocol() && source.get(source.position()) == HANDSHAKE_RECORD
				&& !isIllegalRecord(source)) {
			int fragment = (source.remaining() < RECORD_HEADER) ? 0 : length(source);
			consumed = RECORD_HEADER + fragment;
			if (source.remaining() < consumed) {
				return result(Status.BUFFER_UNDERFLOW, 0, 0);
			}
			if (fragment == 0) {
				throw refusal(UNEXPECTED_MESSAGE, "The client has sent an empty handshake record");
			}
			this.hello.writeBytes(source.slice(source.position() + RECORD_HEADER, fragment));
			source.position(source.position() + consumed);
			if (ClientHello.isIncomplete(this.hello.nioBuffer())) {
				return result(Status.OK, consumed, 0);
			}
		}
		Native engine = createEngine(selectApplicationProtocol());
		this.state = State.HANDSHAKING;
		while (this.hello.isReadable()) {
			ByteBuffer record = nextRecordOfHello();
			unwrap(engine, record, new ByteBuffer[] { ByteBuffer.allocate(record.remaining()) }, 0, 1);
		}
		return (consumed > 0) ? result(Status.OK, consumed, 0) : unwrap(engine, source, destinations, offset, length);
	}

	private ByteBuffer nextRecordOfHello() {
		int length = Math.min(this.hello.readableBytes(), MAXIMUM_FRAGMENT);
		ByteBuffer record = ByteBuffer.allocate(RECORD_HEADER + length)
			.put((byte) HANDSHAKE_RECORD)
			.putShort((short) 0x301)
			.putShort((short) length);
		this.hello.readBytes(record);
		return record.flip();
	}

	private SSLEngineResult unwrap(Native engine, ByteBuffer source, ByteBuffer[] destinations, int offset, int length)
			throws SSLException {
		if (isIllegalRecord(source)) {
			engine.delegate.unwrap(ByteBuffer.wrap(ILLEGAL_RECORD), ByteBuffer.allocate(ILLEGAL_RECORD.length));
			collectOutbound(engine);
			throw new SSLException("The client has sent bytes that are no TLS record");
		}
		if (this.state == State.HANDSHAKING) {
			engine.run(this.context::limitSession);
		}
		SSLEngineResult result = engine.delegate.unwrap(source, destinations, offset, length);
		if (this.state == State.HANDSHAKING || result.getHandshakeStatus() == HandshakeStatus.NEED_WRAP) {
			collectOutbound(engine);
		}
		if (engine.delegate.isInboundDone()) {
			// BoringSSL has answered with close_notify.
			this.inboundClosed = true;
			this.outboundClosed = true;
		}
		Status status = result.getStatus();
		if (status == Status.CLOSED && !this.inboundClosed) {
			status = Status.OK;
		}
		return result(status, result.bytesConsumed(), result.bytesProduced());
	}

	private static boolean isIllegalRecord(ByteBuffer source) {
		if (source.remaining() < RECORD_HEADER) {
			return false;
		}
		int type = source.get(source.position());
		return type < CHANGE_CIPHER_SPEC_RECORD || type > APPLICATION_DATA_RECORD
				|| length(source) > MAXIMUM_ENCRYPTED_FRAGMENT;
	}

	private static int length(ByteBuffer record) {
		return record.getShort(record.position() + RECORD_HEADER - 2) & 0xffff;
	}

	/*
	 * Takes over what BoringSSL has to send. In a handshake this is also the call that
	 * reports its end.
	 */
	private void collectOutbound(Native engine) throws SSLException {
		boolean again;
		do {
			if (this.state == State.COMPLETED) {
				engine.flushTickets();
			}
			this.outbound.ensureWritable(CHUNK);
			ByteBuffer chunk = this.outbound.nioBuffer(this.outbound.writerIndex(), CHUNK);
			try {
				SSLEngineResult result = engine.delegate.wrap(NOTHING, chunk);
				again = result.bytesProduced() > 0;
				if (result.getHandshakeStatus() == HandshakeStatus.FINISHED) {
					this.state = State.COMPLETED;
					this.resumed = engine.isResumed();
					again = true;
				}
			}
			finally {
				this.outbound.writerIndex(this.outbound.writerIndex() + chunk.position());
			}
		}
		while (again);
	}

	@Override
	public synchronized SSLEngineResult wrap(ByteBuffer[] sources, int offset, int length, ByteBuffer destination)
			throws SSLException {
		try {
			throwFailure();
			if (this.outbound.isReadable()) {
				int sent = send(destination);
				return (sent > 0) ? result(isOutboundDone() ? Status.CLOSED : Status.OK, 0, sent)
						: result(Status.BUFFER_OVERFLOW, 0, 0);
			}
			if (this.outboundClosed) {
				return result(Status.CLOSED, 0, 0);
			}
			if (this.state == State.NEW && !this.inboundClosed) {
				this.state = State.AWAITING_HELLO;
			}
			Native engine = this.engine;
			if (engine == null || this.state != State.ESTABLISHED) {
				return result(Status.OK, 0, 0);
			}
			SSLEngineResult result = engine.delegate.wrap(sources, offset, length, destination);
			return result(result.getStatus(), result.bytesConsumed(), result.bytesProduced());
		}
		catch (SSLException ex) {
			close();
			throw ex;
		}
	}

	/*
	 * Sends as many whole records as there is space for.
	 */
	private int send(ByteBuffer destination) {
		int before = destination.remaining();
		while (this.outbound.isReadable()) {
			int record = RECORD_HEADER
					+ this.outbound.getUnsignedShort(this.outbound.readerIndex() + RECORD_HEADER - 2);
			if (destination.remaining() < record) {
				break;
			}
			destination.put(this.outbound.nioBuffer(this.outbound.readerIndex(), record));
			this.outbound.skipBytes(record);
		}
		if (!this.outbound.isReadable()) {
			this.outbound.clear().capacity(0);
		}
		return before - destination.remaining();
	}

	private SSLEngineResult result(Status status, int consumed, int produced) {
		if (isOutboundDone()) {
			// A server that has sent close_notify does not wait for the client's.
			close();
		}
		HandshakeStatus handshakeStatus = getHandshakeStatus();
		if (this.state == State.COMPLETED && !this.outbound.isReadable()) {
			this.state = State.ESTABLISHED;
			handshakeStatus = HandshakeStatus.FINISHED;
		}
		return new SSLEngineResult(status, handshakeStatus, consumed, produced);
	}

	private void throwFailure() throws SSLException {
		SSLException failure = this.failure;
		if (failure != null) {
			this.failure = null;
			throw failure;
		}
	}

	private SSLException refusal(int alert, String message) {
		writeAlert(FATAL, alert);
		return new SSLHandshakeException(message);
	}

	/*
	 * Only before the native engine exists: it encrypts.
	 */
	private void writeAlert(int level, int description) {
		this.outbound.writeBytes(new byte[] { 21, 3, 3, 0, 2, (byte) level, (byte) description });
	}

	private void close() {
		this.inboundClosed = true;
		this.outboundClosed = true;
		if (this.engine != null) {
			this.engine.close();
		}
	}

	private boolean negotiatesApplicationProtocol() {
		return this.selector != null || this.parameters.getApplicationProtocols().length > 0;
	}

	/**
	 * Returns the protocol to agree on, none if the client or this side offers none.
	 * @throws SSLException if they have none in common
	 */
	private List<String> selectApplicationProtocol() throws SSLException {
		if (!this.hello.isReadable()) {
			return List.of();
		}
		ClientHello hello = parseHello();
		List<String> offered = hello.applicationProtocols();
		if (offered.isEmpty()) {
			return List.of();
		}
		String selected = (this.selector != null) ? select(this.selector, hello)
				: Stream.of(this.parameters.getApplicationProtocols())
					.filter(offered::contains)
					.findFirst()
					.orElse(null);
		if (selected != null && selected.isEmpty()) {
			return List.of();
		}
		if (selected == null || !offered.contains(selected)) {
			throw refusal(NO_APPLICATION_PROTOCOL, "No application protocol that the client offers is supported");
		}
		return List.of(selected);
	}

	private ClientHello parseHello() throws SSLException {
		try {
			return ClientHello.parse(this.hello.nioBuffer());
		}
		catch (SSLProtocolException ex) {
			writeAlert(FATAL, DECODE_ERROR);
			throw ex;
		}
	}

	private @Nullable String select(BiFunction<SSLEngine, List<String>, String> selector, ClientHello hello)
			throws SSLException {
		foresee(hello);
		return selector.apply(this, hello.applicationProtocols());
	}

	/*
	 * A selector may ask for the cipher suite: with TLS 1.2, HTTP/2 allows few. BoringSSL
	 * has not chosen yet.
	 */
	private void foresee(ClientHello hello) throws SSLException {
		if (hello.offersTls13() && usableProtocols().contains("TLSv1.3")) {
			this.session.foresee("TLSv1.3", BoringSslSession.NO_CIPHER_SUITE);
			return;
		}
		List<Integer> offered = new ArrayList<>(hello.cipherSuites());
		Stream<String> common = Arrays.stream(getEnabledCipherSuites())
			.filter((suite) -> offered.contains(Suites.number(suite)) && this.context.canAuthenticate(suite));
		if (!this.parameters.getUseCipherSuitesOrder()) {
			common = common.sorted(Comparator.comparing((suite) -> offered.indexOf(Suites.number(suite))));
		}
		common.findFirst().ifPresent((suite) -> this.session.foresee("TLSv1.2", suite));
	}

	private Native createEngine(List<String> applicationProtocols) throws SSLException {
		List<String> groups = NamedGroups.of(this.parameters);
		if (groups != null && NamedGroups.supported(groups).isEmpty()) {
			throw refusal(HANDSHAKE_FAILURE, "BoringSSL supports none of the groups " + groups);
		}
		EngineSettings settings = new EngineSettings(usableProtocols(), List.of(getEnabledCipherSuites()),
				applicationProtocols, clientAuth());
		ReferenceCountedOpenSslEngine delegate = this.context.createEngine(settings, getPeerHost(), getPeerPort());
		Native engine = new Native(delegate, cleaner.register(this, delegate::release));
		this.engine = engine;
		this.session.setEngine(delegate);
		SSLParameters supported = new SSLParameters();
		copyOptions(this.parameters, supported);
		if (groups != null) {
			NamedGroups.set(supported, NamedGroups.supported(groups));
		}
		delegate.setSSLParameters(supported);
		return engine;
	}

	private List<String> usableProtocols() throws SSLHandshakeException {
		return Suites.usableProtocols(getEnabledProtocols(), getEnabledCipherSuites());
	}

	private ClientAuth clientAuth() {
		if (this.parameters.getNeedClientAuth()) {
			return ClientAuth.REQUIRE;
		}
		return this.parameters.getWantClientAuth() ? ClientAuth.OPTIONAL : ClientAuth.NONE;
	}

	@Override
	public synchronized @Nullable Runnable getDelegatedTask() {
		Native engine = this.engine;
		Runnable task = (engine != null) ? engine.delegate.getDelegatedTask() : null;
		return (engine != null && task != null) ? () -> run(task, engine) : null;
	}

	private void run(Runnable task, Native engine) {
		task.run();
		collectOutboundOfTask(engine);
	}

	private synchronized void collectOutboundOfTask(Native engine) {
		try {
			collectOutbound(engine);
		}
		catch (SSLException ex) {
			this.failure = ex;
			close();
		}
	}

	@Override
	public synchronized void closeInbound() throws SSLException {
		if (this.inboundClosed) {
			return;
		}
		this.inboundClosed = true;
		if (this.state == State.AWAITING_HELLO || this.state == State.HANDSHAKING) {
			close();
		}
		if (this.state != State.NEW) {
			throw new SSLException("The client has not sent close_notify");
		}
	}

	@Override
	public synchronized boolean isInboundDone() {
		return this.inboundClosed;
	}

	@Override
	public synchronized void closeOutbound() {
		try {
			if (this.outboundClosed) {
				return;
			}
			this.outboundClosed = true;
			Native engine = this.engine;
			if (engine != null && isComplete()) {
				engine.delegate.closeOutbound();
				collectOutbound(engine);
				return;
			}
			if (this.state == State.AWAITING_HELLO) {
				writeAlert(WARNING, USER_CANCELED);
				writeAlert(WARNING, CLOSE_NOTIFY);
			}
			close();
		}
		catch (SSLException ex) {
			close();
		}
	}

	@Override
	public synchronized boolean isOutboundDone() {
		return this.outboundClosed && !this.outbound.isReadable();
	}

	@Override
	public String[] getSupportedCipherSuites() {
		return Suites.cipherSuites().supported();
	}

	@Override
	public String[] getEnabledCipherSuites() {
		return this.parameters.getCipherSuites();
	}

	@Override
	public void setEnabledCipherSuites(String[] suites) {
		this.parameters.setCipherSuites(Suites.cipherSuites().retain(suites));
	}

	@Override
	public String[] getSupportedProtocols() {
		return Suites.protocols().supported();
	}

	@Override
	public String[] getEnabledProtocols() {
		return this.parameters.getProtocols();
	}

	@Override
	public void setEnabledProtocols(String[] protocols) {
		this.parameters.setProtocols(Suites.protocols().retain(protocols));
	}

	@Override
	public SSLSession getSession() {
		return this.session;
	}

	@Override
	public @Nullable SSLSession getHandshakeSession() {
		Native engine = this.engine;
		return (engine == null && this.session.isForeseen()
				|| engine != null && engine.delegate.getHandshakeSession() != null) ? this.session : null;
	}

	/**
	 * Begins the handshake.
	 * @throws SSLException if it has completed already, since BoringSSL does not
	 * renegotiate, if this engine is closed, or if no enabled protocol has an enabled
	 * cipher suite
	 */
	@Override
	public synchronized void beginHandshake() throws SSLException {
		if (this.inboundClosed || this.outboundClosed) {
			close();
			throw new SSLException("The engine has been closed");
		}
		if (isComplete()) {
			throw new SSLException("BoringSSL does not renegotiate");
		}
		if (this.state == State.NEW) {
			usableProtocols();
			this.state = State.AWAITING_HELLO;
		}
	}

	private boolean isComplete() {
		return this.state == State.COMPLETED || this.state == State.ESTABLISHED;
	}

	@Override
	public synchronized HandshakeStatus getHandshakeStatus() {
		if (this.outbound.isReadable() || this.failure != null) {
			return HandshakeStatus.NEED_WRAP;
		}
		if (this.inboundClosed && this.outboundClosed) {
			return HandshakeStatus.NOT_HANDSHAKING;
		}
		return switch (this.state) {
			case NEW, ESTABLISHED -> HandshakeStatus.NOT_HANDSHAKING;
			case AWAITING_HELLO -> HandshakeStatus.NEED_UNWRAP;
			case HANDSHAKING -> needsTask() ? HandshakeStatus.NEED_TASK : HandshakeStatus.NEED_UNWRAP;
			// A task has completed the handshake: the next wrap reports it.
			case COMPLETED -> HandshakeStatus.NEED_WRAP;
		};
	}

	private boolean needsTask() {
		return this.engine != null && this.engine.delegate.getHandshakeStatus() == HandshakeStatus.NEED_TASK;
	}

	/**
	 * Accepts the server's mode only.
	 * @throws UnsupportedOperationException if the mode is that of a client
	 */
	@Override
	public void setUseClientMode(boolean mode) {
		if (mode) {
			throw new UnsupportedOperationException("This engine is for servers only");
		}
	}

	@Override
	public boolean getUseClientMode() {
		return false;
	}

	@Override
	public void setNeedClientAuth(boolean need) {
		this.parameters.setNeedClientAuth(need);
	}

	@Override
	public boolean getNeedClientAuth() {
		return this.parameters.getNeedClientAuth();
	}

	@Override
	public void setWantClientAuth(boolean want) {
		this.parameters.setWantClientAuth(want);
	}

	@Override
	public boolean getWantClientAuth() {
		return this.parameters.getWantClientAuth();
	}

	@Override
	public void setEnableSessionCreation(boolean flag) {
		if (!flag) {
			throw new UnsupportedOperationException("This engine can always create sessions");
		}
	}

	@Override
	public boolean getEnableSessionCreation() {
		return true;
	}

	@Override
	public SSLParameters getSSLParameters() {
		SSLParameters copy = new SSLParameters(getEnabledCipherSuites(), getEnabledProtocols());
		copyAll(this.parameters, copy);
		return copy;
	}

	/**
	 * Takes over the protocols, the cipher suites and their order, the groups, client
	 * authentication and how clients are identified, the matchers of server names, and
	 * the application protocols. The rest does not concern a server with TLS.
	 * @throws IllegalArgumentException if the parameters have algorithm constraints or
	 * signature schemes: for BoringSSL the JDK's security properties alone decide
	 */
	@Override
	public void setSSLParameters(SSLParameters parameters) {
		if (parameters.getAlgorithmConstraints() != null) {
			throw new IllegalArgumentException("The algorithm constraints of an engine must be null with BoringSSL");
		}
		NamedGroups.requireNoSignatureSchemes(parameters);
		SSLParameters previous = this.parameters;
		String[] cipherSuites = parameters.getCipherSuites();
		String[] protocols = parameters.getProtocols();
		SSLParameters next = new SSLParameters(
				(cipherSuites != null) ? Suites.cipherSuites().retain(cipherSuites) : previous.getCipherSuites(),
				(protocols != null) ? Suites.protocols().retain(protocols) : previous.getProtocols());
		copyAll(parameters, next);
		this.parameters = next;
	}

	private static void copyAll(SSLParameters source, SSLParameters target) {
		copyOptions(source, target);
		target.setApplicationProtocols(source.getApplicationProtocols());
		List<String> groups = NamedGroups.of(source);
		if (groups != null) {
			NamedGroups.set(target, groups);
		}
	}

	/*
	 * Netty's engine takes over the mode of client authentication with every call, too.
	 */
	private static void copyOptions(SSLParameters source, SSLParameters target) {
		if (source.getNeedClientAuth()) {
			target.setNeedClientAuth(true);
		}
		else {
			target.setWantClientAuth(source.getWantClientAuth());
		}
		target.setUseCipherSuitesOrder(source.getUseCipherSuitesOrder());
		target.setEndpointIdentificationAlgorithm(source.getEndpointIdentificationAlgorithm());
		target.setSNIMatchers(source.getSNIMatchers());
	}

	@Override
	public @Nullable String getApplicationProtocol() {
		Native engine = this.engine;
		String protocol = (engine != null) ? engine.delegate.getApplicationProtocol() : null;
		return (protocol == null && isComplete()) ? "" : protocol;
	}

	@Override
	public @Nullable String getHandshakeApplicationProtocol() {
		Native engine = this.engine;
		return (engine != null) ? engine.delegate.getHandshakeApplicationProtocol() : null;
	}

	@Override
	public void setHandshakeApplicationProtocolSelector(
			@Nullable BiFunction<SSLEngine, List<String>, String> selector) {
		this.selector = selector;
	}

	@Override
	public @Nullable BiFunction<SSLEngine, List<String>, String> getHandshakeApplicationProtocolSelector() {
		return this.selector;
	}

	/**
	 * The part of the connection that is open.
	 */
	private enum State {

		NEW,

		AWAITING_HELLO,

		HANDSHAKING,

		/**
		 * The handshake has completed, which no call has reported yet.
		 */
		COMPLETED,

		ESTABLISHED

	}

	/**
	 * Netty's engine, to be released once.
	 */
	private record Native(ReferenceCountedOpenSslEngine delegate, Cleaner.Cleanable cleanable) {

		void close() {
			this.cleanable.clean();
		}

		boolean isResumed() {
			return test(SSL::isSessionReused);
		}

		/*
		 * To write nothing makes BoringSSL send what it has kept.
		 */
		void flushTickets() {
			run((ssl) -> SSL.writeToSSL(ssl, Buffer.address(NOTHING), 0));
		}

		void run(LongConsumer action) {
			test((ssl) -> {
				action.accept(ssl);
				return true;
			});
		}

		/*
		 * Another thread may close the engine, which frees what the pointer points to.
		 */
		private boolean test(LongPredicate predicate) {
			synchronized (this.delegate) {
				long ssl = this.delegate.sslPointer();
				return ssl != 0 && predicate.test(ssl);
			}
		}

	}

}
