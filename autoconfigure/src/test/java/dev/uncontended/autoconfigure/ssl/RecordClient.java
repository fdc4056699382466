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

package dev.uncontended.autoconfigure.ssl;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.Socket;
import java.net.SocketException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;

import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.SSLEngineResult;
import javax.net.ssl.SSLEngineResult.HandshakeStatus;
import javax.net.ssl.SSLException;
import javax.net.ssl.SSLParameters;

import org.jspecify.annotations.Nullable;

/**
 * A client that sees and changes the TLS records of its connection. The JDK's engine
 * creates and reads the records.
 */
final class RecordClient implements AutoCloseable {

	private static final int ALERT = 21;

	private final Socket socket;

	private final SSLEngine engine;

	private final ByteBuffer received = ByteBuffer.allocate(1 << 17).limit(0);

	RecordClient(int port, SSLContext context, String protocol, String... applicationProtocols) throws IOException {
		this.socket = new Socket("localhost", port);
		this.socket.setSoTimeout(20_000);
		this.engine = context.createSSLEngine("localhost", port);
		this.engine.setUseClientMode(true);
		this.engine.setEnabledProtocols(new String[] { protocol });
		SSLParameters parameters = this.engine.getSSLParameters();
		parameters.setApplicationProtocols(applicationProtocols);
		this.engine.setSSLParameters(parameters);
	}

	SSLEngine engine() {
		return this.engine;
	}

	void send(byte[] bytes) throws IOException {
		this.socket.getOutputStream().write(bytes);
	}

	/**
	 * Returns the next records of the client.
	 */
	byte[] wrap(String text) throws SSLException {
		ByteBuffer source = ByteBuffer.wrap(text.getBytes(StandardCharsets.US_ASCII));
		ByteBuffer records = ByteBuffer.allocate(1 << 16);
		do {
			this.engine.wrap(source, records);
			runTasks();
		}
		while (source.hasRemaining() || this.engine.getHandshakeStatus() == HandshakeStatus.NEED_WRAP);
		return Arrays.copyOf(records.array(), records.position());
	}

	RecordClient handshake() throws IOException {
		this.engine.beginHandshake();
		while (this.engine.getHandshakeStatus() != HandshakeStatus.NOT_HANDSHAKING) {
			if (this.engine.getHandshakeStatus() == HandshakeStatus.NEED_WRAP) {
				send(wrap(""));
			}
			else {
				unwrap();
			}
			runTasks();
		}
		return this;
	}

	/**
	 * Reads until the client has records to send, and returns them.
	 */
	byte[] answer() throws IOException {
		while (this.engine.getHandshakeStatus() != HandshakeStatus.NEED_WRAP) {
			unwrap();
		}
		return wrap("");
	}

	/**
	 * Reads until some data arrives, or the server closes the connection.
	 * @return the data, or {@code null} if the server has sent close_notify
	 */
	private byte @Nullable [] unwrap() throws IOException {
		ByteBuffer data = ByteBuffer.allocate(1 << 16);
		SSLEngineResult result = this.engine.unwrap(this.received, data);
		while (result.getStatus() == SSLEngineResult.Status.BUFFER_UNDERFLOW) {
			read();
			result = this.engine.unwrap(this.received, data);
		}
		runTasks();
		return (result.getStatus() != SSLEngineResult.Status.CLOSED) ? Arrays.copyOf(data.array(), data.position())
				: null;
	}

	private void read() throws IOException {
		this.received.compact();
		int count = this.socket.getInputStream()
			.read(this.received.array(), this.received.position(), this.received.remaining());
		if (count < 0) {
			throw new IOException("The server has closed the connection");
		}
		this.received.position(this.received.position() + count).flip();
	}

	/**
	 * Reads one record of the server.
	 * @return the type of the record
	 */
	int readRecord() throws IOException {
		int type = -1;
		while (type < 0) {
			if (this.received.remaining() > 5) {
				type = this.received.get(this.received.position());
			}
			else {
				read();
			}
		}
		return type;
	}

	/**
	 * Reads until the data contains the given text.
	 */
	void expect(String text) throws IOException {
		StringBuilder all = new StringBuilder();
		while (all.indexOf(text) < 0) {
			byte[] data = unwrap();
			if (data == null) {
				throw new IOException("The server has sent close_notify after " + all);
			}
			all.append(new String(data, StandardCharsets.US_ASCII));
		}
	}

	/**
	 * Reads until the server closes the connection.
	 * @return the name of the server's alert
	 */
	String readAlertAndEnd() throws IOException {
		String alert = "close_notify";
		try {
			while (unwrap() != null) {
				// The server may have sent tickets before.
			}
		}
		catch (SSLException ex) {
			alert = ex.getMessage().replaceAll(".*fatal alert: ", "");
		}
		readToEnd(this.socket.getInputStream());
		return alert;
	}

	/**
	 * Reads until the server closes the connection.
	 * @return the number of the last alert, if it is fatal and not encrypted
	 */
	int readUnencryptedAlertAndEnd() throws IOException {
		byte[] all = readToEnd(this.socket.getInputStream());
		int start = all.length - 7;
		return (start >= 0 && all[start] == ALERT && all[start + 5] == 2) ? all[start + 6] : -1;
	}

	/*
	 * A server that closes a connection with unread data resets it.
	 */
	private static byte[] readToEnd(InputStream in) throws IOException {
		ByteArrayOutputStream all = new ByteArrayOutputStream();
		try {
			in.transferTo(all);
		}
		catch (SocketException ex) {
			// Reset by the server
		}
		return all.toByteArray();
	}

	private void runTasks() {
		for (Runnable task = this.engine.getDelegatedTask(); task != null; task = this.engine.getDelegatedTask()) {
			task.run();
		}
	}

	@Override
	public void close() throws IOException {
		this.socket.close();
	}

}
