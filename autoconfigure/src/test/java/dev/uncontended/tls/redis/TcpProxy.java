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
package dev.uncontended.tls.redis;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.IntSupplier;

/**
 * A TCP proxy on a random port of the loopback interface whose connections can stop
 * answering.
 */
public final class TcpProxy implements AutoCloseable {

	private final IntSupplier target;

	private final ServerSocket listening;

	private final Set<Socket> sockets = ConcurrentHashMap.newKeySet();

	private final Set<Socket> discarded = ConcurrentHashMap.newKeySet();

	/**
	 * Creates a proxy and starts it.
	 * @param target supplies the target port of each connection
	 */
	public TcpProxy(IntSupplier target) throws IOException {
		this.target = target;
		this.listening = new ServerSocket(0, 100, InetAddress.getLoopbackAddress());
		run(this::accept);
	}

	public int port() {
		return this.listening.getLocalPort();
	}

	/**
	 * From now on, discards all data of the connections that are open.
	 */
	public void discardOpenConnections() {
		this.discarded.addAll(this.sockets);
	}

	private void accept() throws IOException {
		while (!this.listening.isClosed()) {
			Socket client = this.listening.accept();
			run(() -> connect(client));
		}
	}

	private void connect(Socket client) throws IOException {
		this.sockets.add(client);
		try (client; Socket server = new Socket(InetAddress.getLoopbackAddress(), this.target.getAsInt())) {
			this.sockets.add(server);
			run(() -> copy(server, client));
			copy(client, server);
			this.sockets.remove(server);
		}
		finally {
			this.sockets.remove(client);
		}
	}

	private void copy(Socket from, Socket to) throws IOException {
		try {
			InputStream in = from.getInputStream();
			OutputStream out = to.getOutputStream();
			byte[] buffer = new byte[8192];
			for (int n = in.read(buffer); n != -1; n = in.read(buffer)) {
				if (!this.discarded.contains(from)) {
					out.write(buffer, 0, n);
				}
			}
		}
		finally {
			close(from);
			close(to);
		}
	}

	private static void close(Socket socket) {
		try {
			socket.close();
		}
		catch (IOException ex) {
			// The proxy is closed.
		}
	}

	private static void run(Task task) {
		Thread thread = new Thread(() -> {
			try {
				task.run();
			}
			catch (IOException ex) {
				// The connection has ended.
			}
		}, "proxy");
		thread.setDaemon(true);
		thread.start();
	}

	@Override
	public void close() throws IOException {
		this.listening.close();
		this.sockets.forEach(TcpProxy::close);
	}

	private interface Task {

		void run() throws IOException;

	}

}
