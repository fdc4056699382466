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

import java.nio.ByteBuffer;
import java.security.cert.Certificate;
import java.security.cert.X509Certificate;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

import javax.net.ssl.SSLEngine;
import javax.net.ssl.SSLEngineResult;
import javax.net.ssl.SSLEngineResult.HandshakeStatus;
import javax.net.ssl.SSLException;
import javax.net.ssl.SSLPeerUnverifiedException;

/**
 * The outcome of a handshake in memory, as seen by client and server.
 *
 * @param completed whether the server accepts the client
 * @param alert the alert that the client receives, or {@code null}
 * @param protocol the protocol, if completed
 * @param cipherSuite the cipher suite, if completed
 * @param client the subject of the client's certificate, or {@code null}
 * @param server the certificate of the server, or {@code null}
 */
record HandshakeOutcome(boolean completed, String alert, String protocol, String cipherSuite, String client,
		X509Certificate server) {

	private static final Pattern ALERT = Pattern.compile("fatal alert: (\\w+)");

	static HandshakeOutcome of(SSLEngine client, SSLEngine server) throws Exception {
		client.setUseClientMode(true);
		server.setUseClientMode(false);
		return new Pump(client, server).run();
	}

	private static final class Pump {

		private static final ByteBuffer NOTHING = ByteBuffer.allocate(0);

		private final SSLEngine client;

		private final SSLEngine server;

		private final ByteBuffer toServer = ByteBuffer.allocate(1 << 17);

		private final ByteBuffer toClient = ByteBuffer.allocate(1 << 17);

		private final ByteBuffer in = ByteBuffer.allocate(1 << 16);

		private Exception clientFailure;

		private Exception serverFailure;

		private boolean serverFinished;

		Pump(SSLEngine client, SSLEngine server) {
			this.client = client;
			this.server = server;
		}

		HandshakeOutcome run() throws Exception {
			this.client.beginHandshake();
			for (int i = 0; i < 50; i++) {
				step();
			}
			if (this.serverFinished && this.clientFailure == null && this.serverFailure == null) {
				this.server.wrap(ByteBuffer.wrap(new byte[1]), this.toClient);
				step();
			}
			if (this.serverFinished && this.clientFailure == null && this.serverFailure == null) {
				return new HandshakeOutcome(true, null, this.server.getSession().getProtocol(),
						this.server.getSession().getCipherSuite(), peer(this.server),
						(X509Certificate) this.client.getSession().getPeerCertificates()[0]);
			}
			Matcher alert = ALERT.matcher(String.valueOf(this.clientFailure));
			return new HandshakeOutcome(false, alert.find() ? alert.group(1) : null, null, null, null, null);
		}

		private static String peer(SSLEngine engine) {
			try {
				Certificate[] chain = engine.getSession().getPeerCertificates();
				return ((X509Certificate) chain[0]).getSubjectX500Principal().getName();
			}
			catch (SSLPeerUnverifiedException ex) {
				return null;
			}
		}

		private void step() {
			try {
				exchange(this.client, this.toClient, this.toServer);
			}
			catch (SSLException | RuntimeException ex) {
				this.clientFailure = (this.clientFailure != null) ? this.clientFailure : ex;
			}
			try {
				exchange(this.server, this.toServer, this.toClient);
			}
			catch (SSLException | RuntimeException ex) {
				this.serverFailure = (this.serverFailure != null) ? this.serverFailure : ex;
			}
		}

		private void exchange(SSLEngine engine, ByteBuffer from, ByteBuffer to) throws SSLException {
			runTasks(engine);
			while (from.position() > 0 && !engine.isInboundDone()) {
				from.flip();
				try {
					SSLEngineResult result = engine.unwrap(from, this.in);
					note(engine, result.getHandshakeStatus());
					if (result.bytesConsumed() == 0) {
						break;
					}
				}
				finally {
					from.compact();
				}
			}
			runTasks(engine);
			if (engine.getHandshakeStatus() == HandshakeStatus.NEED_WRAP || this.serverFailure != null) {
				note(engine, engine.wrap(NOTHING, to).getHandshakeStatus());
			}
		}

		private void note(SSLEngine engine, HandshakeStatus status) {
			this.serverFinished |= engine == this.server && status == HandshakeStatus.FINISHED;
		}

		private static void runTasks(SSLEngine engine) {
			for (int i = 0; i < 20 && engine.getHandshakeStatus() == HandshakeStatus.NEED_TASK; i++) {
				Runnable task = engine.getDelegatedTask();
				if (task != null) {
					task.run();
				}
			}
		}

	}

}
