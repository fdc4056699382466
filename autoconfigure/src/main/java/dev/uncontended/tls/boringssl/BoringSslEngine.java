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
import java.util.List;
import java.util.function.BiFunction;
import java.util.function.LongPredicate;

import javax.net.ssl.SSLEngine;
import javax.net.ssl.SSLEngineResult;
import javax.net.ssl.SSLEngineResult.HandshakeStatus;
import javax.net.ssl.SSLEngineResult.Status;
import javax.net.ssl.SSLException;
import javax.net.ssl.SSLHandshakeException;
import javax.net.ssl.SSLParameters;
import javax.net.ssl.SSLSession;

import io.netty.handler.ssl.ClientAuth;
import io.netty.handler.ssl.ReferenceCountedOpenSslEngine;
import io.netty.internal.tcnative.SSL;
import org.jspecify.annotations.Nullable;

/**
 * Netty's engine, behind the contract that servers rely on. The differences are:
 * <ul>
 * <li>Netty's takes its application protocol and the mode of client authentication from
 * its context, servers choose them for each connection. So the native engine is made as
 * the client's first message is there, from the context that fits.</li>
 * <li>Netty's takes no application protocols in {@link SSLParameters}, no selector of
 * them, no constraints, and no group that it does not know.</li>
 * <li>Netty's tells that the handshake has finished only with the call that follows the
 * client's last message, when a server may not look any more.</li>
 * <li>Netty's has to be released. Servers do not know that, and some do not even close an
 * engine. So it is released as it is closed, and else with this object.</li>
 * </ul>
 */
final class BoringSslEngine extends SSLEngine {

	private static final Cleaner cleaner = Cleaner.create();

	private static final ByteBuffer NOTHING = ByteBuffer.allocate(0);

	/**
	 * A record with the fatal alert {@code no_application_protocol}.
	 */
	private static final byte[] NO_APPLICATION_PROTOCOL = { 21, 3, 3, 0, 2, 2, 120 };

	private final BoringSslContextSpi context;

	private final BoringSslSession session;

	private SSLParameters parameters = defaultParameters();

	private @Nullable BiFunction<SSLEngine, List<String>, String> selector;

	private volatile @Nullable Native engine;

	private volatile boolean begun;

	private volatile boolean inboundClosed;

	private volatile boolean outboundClosed;

	// The client's application protocols were refused: first true, then the alert is
	// out.
	private volatile boolean refused;

	private volatile boolean alerted;

	private volatile boolean finished;

	BoringSslEngine(BoringSslContextSpi context, SessionContext sessionContext, @Nullable String peerHost,
			int peerPort) {
		super(peerHost, peerPort);
		this.context = context;
		this.session = new BoringSslSession(sessionContext, peerHost, peerPort);
	}

	private static SSLParameters defaultParameters() {
		SSLParameters parameters = new SSLParameters(Suites.cipherSuites().enabled(), Suites.protocols().enabled());
		parameters.setUseCipherSuitesOrder(true);
		return parameters;
	}

	/**
	 * Returns whether the completed handshake took up an earlier session.
	 */
	boolean isResumed() {
		Native engine = this.engine;
		return engine != null && engine.isResumed();
	}

	boolean isReleased() {
		Native engine = this.engine;
		return engine != null && engine.delegate.refCnt() == 0;
	}

	@Override
	public SSLEngineResult unwrap(ByteBuffer source, ByteBuffer[] destinations, int offset, int length)
			throws SSLException {
		Native engine = this.engine;
		if (engine == null) {
			if (this.inboundClosed) {
				return new SSLEngineResult(Status.CLOSED, HandshakeStatus.NOT_HANDSHAKING, 0, 0);
			}
			if (this.refused) {
				throw refusal();
			}
			this.begun = true;
			if (!source.hasRemaining() || (negotiatesApplicationProtocol() && ClientHello.isIncomplete(source))) {
				return new SSLEngineResult(Status.BUFFER_UNDERFLOW, HandshakeStatus.NEED_UNWRAP, 0, 0);
			}
			List<String> protocols = selectApplicationProtocol(source);
			if (protocols == null) {
				this.refused = true;
				return new SSLEngineResult(Status.OK, HandshakeStatus.NEED_WRAP, 0, 0);
			}
			engine = createEngine(protocols);
		}
		try {
			SSLEngineResult result = engine.delegate.unwrap(source, destinations, offset, length);
			return noteFinished(finish(engine.delegate, result, destinations, offset, length));
		}
		finally {
			engine.releaseIfClosed();
		}
	}

	private SSLEngineResult finish(SSLEngine engine, SSLEngineResult result, ByteBuffer[] destinations, int offset,
			int length) throws SSLException {
		if (this.finished || result.getStatus() != Status.OK
				|| result.getHandshakeStatus() != HandshakeStatus.NEED_UNWRAP) {
			return result;
		}
		SSLEngineResult next = engine.unwrap(NOTHING, destinations, offset, length);
		return new SSLEngineResult((next.getStatus() != Status.BUFFER_UNDERFLOW) ? next.getStatus() : Status.OK,
				next.getHandshakeStatus(), result.bytesConsumed(), result.bytesProduced() + next.bytesProduced());
	}

	@Override
	public SSLEngineResult wrap(ByteBuffer[] sources, int offset, int length, ByteBuffer destination)
			throws SSLException {
		Native engine = this.engine;
		if (engine == null) {
			return wrapBefore(destination);
		}
		try {
			SSLEngineResult result = engine.delegate.wrap(sources, offset, length, destination);
			if (result.getStatus() == Status.CLOSED) {
				// A server that has said goodbye does not wait for the client's.
				engine.closeInbound();
			}
			return noteFinished(result);
		}
		finally {
			engine.releaseIfClosed();
		}
	}

	private SSLEngineResult wrapBefore(ByteBuffer destination) throws SSLException {
		if (this.refused) {
			if (this.alerted) {
				throw refusal();
			}
			if (destination.remaining() < NO_APPLICATION_PROTOCOL.length) {
				return new SSLEngineResult(Status.BUFFER_OVERFLOW, HandshakeStatus.NEED_WRAP, 0, 0);
			}
			destination.put(NO_APPLICATION_PROTOCOL);
			this.alerted = true;
			return new SSLEngineResult(Status.OK, HandshakeStatus.NEED_WRAP, 0, NO_APPLICATION_PROTOCOL.length);
		}
		if (this.outboundClosed) {
			return new SSLEngineResult(Status.CLOSED, HandshakeStatus.NOT_HANDSHAKING, 0, 0);
		}
		this.begun = true;
		return new SSLEngineResult(Status.OK, HandshakeStatus.NEED_UNWRAP, 0, 0);
	}

	private SSLHandshakeException refusal() {
		this.inboundClosed = true;
		this.outboundClosed = true;
		return new SSLHandshakeException("No application protocol that the client offers is supported");
	}

	private SSLEngineResult noteFinished(SSLEngineResult result) {
		if (result.getHandshakeStatus() == HandshakeStatus.FINISHED) {
			this.finished = true;
		}
		return result;
	}

	private boolean negotiatesApplicationProtocol() {
		return this.selector != null || this.parameters.getApplicationProtocols().length > 0;
	}

	/**
	 * Returns the protocol to agree on, none if the client or this side offers none, or
	 * {@code null} if they have none in common.
	 */
	private @Nullable List<String> selectApplicationProtocol(ByteBuffer source) {
		if (!negotiatesApplicationProtocol()) {
			return List.of();
		}
		ClientHello hello = ClientHello.parse(source);
		List<String> offered = hello.applicationProtocols();
		if (offered.isEmpty()) {
			return List.of();
		}
		if (this.selector == null) {
			for (String supported : this.parameters.getApplicationProtocols()) {
				if (offered.contains(supported)) {
					return List.of(supported);
				}
			}
			return null;
		}
		foresee(hello);
		String selected = this.selector.apply(this, offered);
		if (selected != null && selected.isEmpty()) {
			return List.of();
		}
		return (selected != null && offered.contains(selected)) ? List.of(selected) : null;
	}

	/*
	 * A selector may ask for the cipher suite: with TLS 1.2, HTTP/2 allows few. BoringSSL
	 * has not chosen yet.
	 */
	private void foresee(ClientHello hello) {
		if (hello.offersTls13() && List.of(getEnabledProtocols()).contains("TLSv1.3")) {
			this.session.foresee("TLSv1.3", BoringSslSession.NO_CIPHER_SUITE);
			return;
		}
		for (String suite : getEnabledCipherSuites()) {
			Integer number = Suites.number(suite);
			if (number != null && hello.cipherSuites().contains(number) && this.context.canAuthenticate(suite)) {
				this.session.foresee("TLSv1.2", suite);
				return;
			}
		}
	}

	private Native createEngine(List<String> applicationProtocols) {
		EngineSettings settings = new EngineSettings(List.of(getEnabledProtocols()), List.of(getEnabledCipherSuites()),
				applicationProtocols, clientAuth());
		ReferenceCountedOpenSslEngine delegate = this.context.createEngine(settings, getPeerHost(), getPeerPort());
		Native engine = new Native(delegate);
		engine.cleanable = cleaner.register(this, engine::release);
		this.engine = engine;
		this.session.setEngine(delegate);
		SSLParameters supported = new SSLParameters();
		copyOptions(this.parameters, supported);
		delegate.setSSLParameters(supported);
		if (this.outboundClosed) {
			delegate.closeOutbound();
		}
		return engine;
	}

	private ClientAuth clientAuth() {
		if (this.parameters.getNeedClientAuth()) {
			return ClientAuth.REQUIRE;
		}
		return this.parameters.getWantClientAuth() ? ClientAuth.OPTIONAL : ClientAuth.NONE;
	}

	@Override
	public @Nullable Runnable getDelegatedTask() {
		Native engine = this.engine;
		return (engine != null) ? engine.delegate.getDelegatedTask() : null;
	}

	@Override
	public void closeInbound() throws SSLException {
		this.inboundClosed = true;
		Native engine = this.engine;
		if (engine != null) {
			try {
				engine.delegate.closeInbound();
			}
			finally {
				engine.releaseIfClosed();
			}
		}
	}

	@Override
	public boolean isInboundDone() {
		Native engine = this.engine;
		return (engine != null) ? engine.delegate.isInboundDone() : this.inboundClosed;
	}

	@Override
	public void closeOutbound() {
		this.outboundClosed = true;
		Native engine = this.engine;
		if (engine != null) {
			engine.delegate.closeOutbound();
			engine.releaseIfClosed();
		}
	}

	@Override
	public boolean isOutboundDone() {
		Native engine = this.engine;
		return (engine != null) ? engine.delegate.isOutboundDone() : this.outboundClosed;
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
	 * @throws SSLException if it has been done already: BoringSSL does not renegotiate
	 */
	@Override
	public void beginHandshake() throws SSLException {
		this.begun = true;
		Native engine = this.engine;
		if (engine != null) {
			engine.delegate.beginHandshake();
		}
		else if (this.inboundClosed || this.outboundClosed) {
			throw new SSLException("The engine has been closed");
		}
	}

	@Override
	public HandshakeStatus getHandshakeStatus() {
		Native engine = this.engine;
		if (engine != null) {
			HandshakeStatus status = engine.delegate.getHandshakeStatus();
			// A task may have completed the handshake: the next wrap will say so.
			return (status == HandshakeStatus.NEED_UNWRAP && !this.finished && engine.isComplete())
					? HandshakeStatus.NEED_WRAP : status;
		}
		if (this.refused && !this.outboundClosed) {
			return HandshakeStatus.NEED_WRAP;
		}
		return (this.begun && !this.outboundClosed) ? HandshakeStatus.NEED_UNWRAP : HandshakeStatus.NOT_HANDSHAKING;
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
		copyOptions(this.parameters, copy);
		copy.setApplicationProtocols(this.parameters.getApplicationProtocols());
		return copy;
	}

	/**
	 * Takes over the protocols, the cipher suites and their order, the groups that
	 * BoringSSL knows, client authentication, the matchers of server names, and the
	 * application protocols. The rest does not concern a server, or goes by the JDK's
	 * security properties alone.
	 */
	@Override
	public void setSSLParameters(SSLParameters parameters) {
		SSLParameters previous = this.parameters;
		String[] cipherSuites = parameters.getCipherSuites();
		String[] protocols = parameters.getProtocols();
		SSLParameters next = new SSLParameters(
				(cipherSuites != null) ? Suites.cipherSuites().retain(cipherSuites) : previous.getCipherSuites(),
				(protocols != null) ? Suites.protocols().retain(protocols) : previous.getProtocols());
		copyOptions(parameters, next);
		next.setApplicationProtocols(parameters.getApplicationProtocols());
		this.parameters = next;
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
		target.setSNIMatchers(source.getSNIMatchers());
		NamedGroups.copySupported(source, target);
	}

	@Override
	public @Nullable String getApplicationProtocol() {
		Native engine = this.engine;
		String protocol = (engine != null) ? engine.delegate.getApplicationProtocol() : null;
		return (protocol == null && this.finished) ? "" : protocol;
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
	 * Netty's engine, to be released once.
	 */
	private static final class Native {

		private final ReferenceCountedOpenSslEngine delegate;

		private Cleaner.@Nullable Cleanable cleanable;

		Native(ReferenceCountedOpenSslEngine delegate) {
			this.delegate = delegate;
		}

		void closeInbound() {
			try {
				this.delegate.closeInbound();
			}
			catch (SSLException ex) {
				// The client has not said goodbye.
			}
		}

		void releaseIfClosed() {
			if (this.delegate.isOutboundDone() && this.delegate.isInboundDone() && this.cleanable != null) {
				this.cleanable.clean();
			}
		}

		void release() {
			this.delegate.release();
		}

		boolean isComplete() {
			return test((ssl) -> SSL.isInInit(ssl) == 0);
		}

		boolean isResumed() {
			return test(SSL::isSessionReused);
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
