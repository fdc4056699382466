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

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.security.cert.Certificate;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Supplier;

import javax.net.ssl.SSLEngine;
import javax.net.ssl.SSLEngineResult;
import javax.net.ssl.SSLEngineResult.HandshakeStatus;
import javax.net.ssl.SSLEngineResult.Status;
import javax.net.ssl.SSLException;

import org.jspecify.annotations.Nullable;

/**
 * A socket server that answers the first read with {@code ok}, sends close_notify, and
 * counts its handshakes.
 */
final class SslServer implements AutoCloseable {

	private final ServerSocketChannel acceptor;

	private final Supplier<SSLEngine> engines;

	private final ExecutorService executor = Executors.newCachedThreadPool();

	private final AtomicLong full = new AtomicLong();

	private final AtomicLong resumed = new AtomicLong();

	private final AtomicLong failed = new AtomicLong();

	private volatile Certificate @Nullable [] localCertificates;

	SslServer(Supplier<SSLEngine> engines) throws IOException {
		this.engines = engines;
		this.acceptor = ServerSocketChannel.open().bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
		this.executor.execute(this::accept);
	}

	int port() {
		return this.acceptor.socket().getLocalPort();
	}

	/**
	 * Returns the server's certificates in the session of the last handshake.
	 */
	Certificate @Nullable [] localCertificates() {
		return this.localCertificates;
	}

	long full() {
		return this.full.get();
	}

	long resumed() {
		return this.resumed.get();
	}

	long failed() {
		return this.failed.get();
	}

	private void accept() {
		try {
			while (true) {
				SocketChannel channel = this.acceptor.accept();
				this.executor.execute(() -> serve(channel));
			}
		}
		catch (IOException ex) {
			// Closed.
		}
	}

	private void serve(SocketChannel channel) {
		SSLEngine engine = this.engines.get();
		ByteBuffer in = ByteBuffer.allocate(engine.getSession().getPacketBufferSize());
		ByteBuffer out = ByteBuffer.allocate(in.capacity());
		ByteBuffer text = ByteBuffer.allocate(in.capacity());
		try (channel) {
			engine.setUseClientMode(false);
			engine.beginHandshake();
			while (!engine.isInboundDone()) {
				in.flip();
				SSLEngineResult result = engine.unwrap(in, text);
				in.compact();
				HandshakeStatus status = note(engine, result);
				while (status == HandshakeStatus.NEED_TASK || status == HandshakeStatus.NEED_WRAP) {
					if (status == HandshakeStatus.NEED_TASK) {
						Runnable task = engine.getDelegatedTask();
						if (task != null) {
							task.run();
						}
						status = engine.getHandshakeStatus();
					}
					else {
						status = write(channel, engine, ByteBuffer.allocate(0), out);
					}
				}
				if (text.position() > 0) {
					text.clear();
					write(channel, engine, ByteBuffer.wrap(new byte[] { 'o', 'k' }), out);
					break;
				}
				if (result.getStatus() == Status.BUFFER_UNDERFLOW && channel.read(in) < 0) {
					return;
				}
			}
			engine.closeOutbound();
			write(channel, engine, ByteBuffer.allocate(0), out);
		}
		catch (SSLException ex) {
			this.failed.incrementAndGet();
		}
		catch (IOException ex) {
			// Closed.
		}
	}

	private HandshakeStatus write(SocketChannel channel, SSLEngine engine, ByteBuffer source, ByteBuffer out)
			throws IOException {
		SSLEngineResult result = engine.wrap(source, out);
		HandshakeStatus status = note(engine, result);
		out.flip();
		while (out.hasRemaining()) {
			channel.write(out);
		}
		out.clear();
		return status;
	}

	private HandshakeStatus note(SSLEngine engine, SSLEngineResult result) {
		if (result.getHandshakeStatus() == HandshakeStatus.FINISHED) {
			this.localCertificates = engine.getSession().getLocalCertificates();
			((engine instanceof BoringSslEngine own && own.isResumed()) ? this.resumed : this.full).incrementAndGet();
		}
		return result.getHandshakeStatus();
	}

	@Override
	public void close() throws IOException {
		this.acceptor.close();
		this.executor.shutdownNow();
	}

}
