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

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;

/**
 * A TCP proxy in front of several nodes: each connection goes to the next of them, so a
 * client that comes back reaches another one. A node that refuses is passed over. Run by
 * {@code java Proxy.java PORT NODE_PORT...}.
 */
public final class Proxy {

	private static final ExecutorService threads = Executors.newCachedThreadPool();

	private Proxy() {
	}

	/**
	 * Serves until it is ended.
	 * @param ports the port to listen on, and those of the nodes on this machine
	 * @throws IOException if it cannot listen
	 */
	public static void main(String[] ports) throws IOException {
		try (ServerSocket listening = new ServerSocket(Integer.parseInt(ports[0]), 200,
				InetAddress.getLoopbackAddress())) {
			System.out.println("Listening on " + listening.getLocalPort());
			for (int connections = 0;; connections++) {
				Socket client = listening.accept();
				int first = connections;
				threads.execute(() -> serve(client, first, ports));
			}
		}
	}

	private static void serve(Socket client, int first, String[] ports) {
		int nodes = ports.length - 1;
		for (int i = 0; i < nodes; i++) {
			int port = Integer.parseInt(ports[1 + (first + i) % nodes]);
			try {
				Socket node = new Socket(InetAddress.getLoopbackAddress(), port);
				Thread back = new Thread(() -> copy(node, client));
				back.start();
				copy(client, node);
				back.join();
				close(node);
				close(client);
				return;
			}
			catch (InterruptedException ex) {
				return;
			}
			catch (IOException ex) {
				System.err.println("Nothing on port " + port);
			}
		}
		close(client);
	}

	private static void copy(Socket from, Socket to) {
		try {
			from.getInputStream().transferTo(to.getOutputStream());
			to.shutdownOutput();
		}
		catch (IOException ex) {
			close(from);
			close(to);
		}
	}

	private static void close(Socket socket) {
		try {
			socket.close();
		}
		catch (IOException ex) {
			// It is closed.
		}
	}

}
