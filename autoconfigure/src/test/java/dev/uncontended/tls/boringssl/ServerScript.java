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
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;

import javax.net.ssl.SSLEngine;
import javax.net.ssl.SSLEngineResult;
import javax.net.ssl.SSLEngineResult.HandshakeStatus;
import javax.net.ssl.SSLEngineResult.Status;
import javax.net.ssl.SSLException;

/**
 * Calls methods of a server's engine in sequence and records the results. The client is
 * the JDK's engine.
 */
final class ServerScript {

	private static final ByteBuffer NOTHING = ByteBuffer.allocate(0);

	private static final String CLIENT = "  the client";

	private static final int LARGE = 1 << 16;

	private final SSLEngine server;

	private final SSLEngine client;

	private final List<String> lines = new ArrayList<>();

	private byte[] sent = new byte[0];

	private boolean alerted;

	ServerScript(SSLEngine server, SSLEngine client) {
		this.server = server;
		this.client = client;
		server.setUseClientMode(false);
		client.setUseClientMode(true);
	}

	SSLEngine server() {
		return this.server;
	}

	SSLEngine client() {
		return this.client;
	}

	List<String> lines() {
		return this.lines;
	}

	/**
	 * Returns the client's view and the last status.
	 */
	List<String> outcome() {
		return Stream
			.concat(this.lines.stream().filter((line) -> line.startsWith(CLIENT)),
					Stream.of(this.lines.get(this.lines.size() - 1)))
			.toList();
	}

	/**
	 * Returns whether a call threw an exception, an alert was sent, and both directions
	 * are closed.
	 */
	boolean isRefused() {
		return this.lines.contains("an exception") && this.alerted && this.server.isInboundDone()
				&& this.server.isOutboundDone();
	}

	/**
	 * Returns the client's next records.
	 */
	byte[] clientSends(String text) {
		ByteBuffer wire = ByteBuffer.allocate(LARGE);
		ByteBuffer source = ByteBuffer.wrap(text.getBytes());
		try {
			for (int i = 0; i < 20; i++) {
				runTasks(this.client);
				this.client.wrap(source, wire);
				deliver();
				if (!source.hasRemaining() && this.client.getHandshakeStatus() != HandshakeStatus.NEED_WRAP) {
					break;
				}
			}
		}
		catch (SSLException ex) {
			throw new IllegalStateException(ex);
		}
		return Arrays.copyOf(wire.array(), wire.position());
	}

	/**
	 * Completes the handshake and records the call that reported it.
	 */
	ServerScript handshake() {
		boolean finished = false;
		byte[] wire = clientSends("");
		for (int i = 0; i < 50 && !finished; i++) {
			runTasks(this.server);
			if (this.server.getHandshakeStatus() == HandshakeStatus.NEED_WRAP) {
				SSLEngineResult result = answer(LARGE);
				finished = note(result, "wrap");
				deliver();
			}
			else {
				if (wire.length == 0) {
					wire = clientSends("");
				}
				ByteBuffer source = ByteBuffer.wrap(wire);
				try {
					finished = note(this.server.unwrap(source, ByteBuffer.allocate(LARGE)), "unwrap");
				}
				catch (SSLException ex) {
					throw new IllegalStateException(ex);
				}
				wire = Arrays.copyOfRange(wire, source.position(), wire.length);
			}
		}
		return status();
	}

	private boolean note(SSLEngineResult result, String call) {
		if (result.getHandshakeStatus() == HandshakeStatus.FINISHED) {
			this.lines.add("finished by " + call);
			return true;
		}
		return false;
	}

	private SSLEngineResult answer(int space) {
		ByteBuffer destination = ByteBuffer.allocate(space);
		try {
			return this.server.wrap(NOTHING, destination);
		}
		catch (SSLException ex) {
			throw new IllegalStateException(ex);
		}
		finally {
			note(destination);
		}
	}

	private void note(ByteBuffer destination) {
		byte[] all = Arrays.copyOf(this.sent, this.sent.length + destination.position());
		System.arraycopy(destination.array(), 0, all, this.sent.length, destination.position());
		this.sent = all;
		this.alerted |= destination.position() > 0;
	}

	/**
	 * Unwraps the given bytes once.
	 */
	ServerScript unwrap(byte[] bytes) {
		return unwrap(bytes, LARGE);
	}

	ServerScript unwrap(byte[] bytes, int space) {
		ByteBuffer source = ByteBuffer.wrap(bytes);
		ByteBuffer destination = ByteBuffer.allocate(space);
		String line;
		try {
			SSLEngineResult result = this.server.unwrap(source, destination);
			line = describe(afterTasks(result)) + " consumed "
					+ ((result.bytesConsumed() == bytes.length) ? "all" : result.bytesConsumed()) + ", produced "
					+ result.bytesProduced();
			if (result.bytesConsumed() != source.position() || result.bytesProduced() != destination.position()) {
				line += ", and counted wrong";
			}
		}
		catch (SSLException ex) {
			line = "an exception";
		}
		this.lines.add("unwrap: " + line);
		return tasks().status();
	}

	/**
	 * Unwraps the given bytes, and wraps and unwraps while the engine needs it.
	 */
	ServerScript exchange(byte[] bytes) {
		byte[] rest = bytes;
		for (int i = 0; i < 20; i++) {
			HandshakeStatus status = tasks().server.getHandshakeStatus();
			try {
				if (status == HandshakeStatus.NEED_WRAP) {
					SSLEngineResult result = answer(LARGE);
					if (result.getStatus() == Status.CLOSED) {
						this.lines.add("closed");
						deliver();
						return status();
					}
					deliver();
				}
				else if (rest.length > 0) {
					ByteBuffer source = ByteBuffer.wrap(rest);
					SSLEngineResult result = this.server.unwrap(source, ByteBuffer.allocate(LARGE));
					rest = Arrays.copyOfRange(rest, source.position(), rest.length);
					if (result.getStatus() != Status.OK) {
						this.lines.add(describe(result));
						return status();
					}
				}
				else {
					return status();
				}
			}
			catch (SSLException | IllegalStateException ex) {
				this.lines.add("an exception");
			}
		}
		this.lines.add("no end");
		return this;
	}

	ServerScript tasks() {
		runTasks(this.server);
		return this;
	}

	ServerScript wrap(String text) {
		return wrap(text, LARGE);
	}

	ServerScript wrap(String text, int space) {
		ByteBuffer destination = ByteBuffer.allocate(space);
		String line;
		try {
			SSLEngineResult result = this.server.wrap(ByteBuffer.wrap(text.getBytes()), destination);
			line = describe(result) + " consumed " + result.bytesConsumed() + ", produced "
					+ ((result.bytesProduced() > 0) ? "something" : "nothing");
		}
		catch (SSLException ex) {
			line = "an exception" + ((destination.position() > 0) ? " and bytes" : "");
		}
		this.lines.add("wrap: " + line);
		note(destination);
		return deliver().status();
	}

	ServerScript wrap() {
		return wrap("", LARGE);
	}

	ServerScript closeOutbound() {
		this.server.closeOutbound();
		this.lines.add("closeOutbound");
		return status();
	}

	ServerScript closeInbound() {
		try {
			this.server.closeInbound();
			this.lines.add("closeInbound");
		}
		catch (SSLException ex) {
			this.lines.add("closeInbound: an exception");
		}
		return status();
	}

	ServerScript begin() {
		try {
			this.server.beginHandshake();
			this.lines.add("beginHandshake");
		}
		catch (SSLException | IllegalStateException ex) {
			this.lines.add("beginHandshake: an exception");
		}
		return status();
	}

	ServerScript status() {
		this.lines.add("  " + this.server.getHandshakeStatus() + (this.server.isInboundDone() ? ", inbound done" : "")
				+ (this.server.isOutboundDone() ? ", outbound done" : ""));
		return this;
	}

	/*
	 * Passes the server's bytes to the client.
	 */
	private ServerScript deliver() {
		ByteBuffer wire = ByteBuffer.wrap(this.sent);
		try {
			while (wire.hasRemaining()) {
				runTasks(this.client);
				ByteBuffer destination = ByteBuffer.allocate(LARGE);
				SSLEngineResult result = this.client.unwrap(wire, destination);
				runTasks(this.client);
				if (result.bytesProduced() > 0) {
					this.lines.add(CLIENT + " reads " + result.bytesProduced());
				}
				else if (result.getStatus() != Status.OK) {
					this.lines.add(CLIENT + " is " + result.getStatus());
					break;
				}
				else if (result.bytesConsumed() == 0) {
					break;
				}
			}
		}
		catch (SSLException ex) {
			this.lines.add(CLIENT + ": " + ex.getMessage());
			wire.position(wire.limit());
		}
		this.sent = Arrays.copyOfRange(this.sent, wire.position(), this.sent.length);
		return this;
	}

	/*
	 * The JDK's engine returns a task, and BoringSSL runs the task in unwrap.
	 */
	private SSLEngineResult afterTasks(SSLEngineResult result) {
		if (result.getHandshakeStatus() != HandshakeStatus.NEED_TASK) {
			return result;
		}
		runTasks(this.server);
		return new SSLEngineResult(result.getStatus(), this.server.getHandshakeStatus(), result.bytesConsumed(),
				result.bytesProduced());
	}

	private static String describe(SSLEngineResult result) {
		return result.getStatus() + ", " + result.getHandshakeStatus() + ",";
	}

	private static void runTasks(SSLEngine engine) {
		Runnable task = engine.getDelegatedTask();
		while (task != null) {
			task.run();
			task = engine.getDelegatedTask();
		}
	}

}
