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

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.stream.Stream;

/**
 * A TCP proxy that distributes connections to several nodes round-robin, so that a
 * returning client reaches another node. Nodes that refuse a connection are skipped. Run
 * it with {@code java Proxy.java PORT NODE_PORT...}. The line {@code drain NODE_PORT} on
 * standard input removes a node, and is answered once its last connection has ended.
 * {@code ready NODE_PORT} adds the node again.
 */
public final class Proxy {

	private static final ExecutorService threads = Executors.newCachedThreadPool();

	private Proxy() {
	}

	/**
	 * Serves until the process ends.
	 * @param ports the port to listen on, and the ports of the nodes on this machine
	 * @throws IOException if listening fails
	 */
	public static void main(String[] ports) throws IOException {
		List<Node> nodes = Stream.of(ports).skip(1).map(Integer::parseInt).map(Node::new).toList();
		try (ServerSocket listening = new ServerSocket(Integer.parseInt(ports[0]), 200,
				InetAddress.getLoopbackAddress())) {
			System.out.println("Listening on " + listening.getLocalPort());
			threads.execute(() -> obey(nodes));
			for (int connections = 0;; connections++) {
				Socket client = listening.accept();
				int first = connections;
				threads.execute(() -> serve(client, first, nodes));
			}
		}
	}

	private static void obey(List<Node> nodes) {
		new BufferedReader(new InputStreamReader(System.in)).lines()
			.map((line) -> line.split(" "))
			.forEach((command) -> nodes.stream()
				.filter((node) -> command[command.length - 1].equals(Integer.toString(node.port)))
				.forEach((node) -> node.setReady(command[0].equals("ready"))));
	}

	private static void serve(Socket client, int first, List<Node> nodes) {
		try (client) {
			for (int i = 0; i < nodes.size(); i++) {
				if (nodes.get((first + i) % nodes.size()).serve(client)) {
					return;
				}
			}
		}
		catch (IOException ex) {
			// The client has disconnected.
		}
	}

	private static final class Node {

		private final int port;

		private boolean ready = true;

		private int connections;

		private Node(int port) {
			this.port = port;
		}

		private synchronized void setReady(boolean ready) {
			this.ready = ready;
			if (ready) {
				System.out.println(this.port + " is ready");
			}
			tellIfDrained();
		}

		private void tellIfDrained() {
			if (!this.ready && this.connections == 0) {
				System.out.println(this.port + " is drained");
			}
		}

		private synchronized boolean enter() {
			this.connections += this.ready ? 1 : 0;
			return this.ready;
		}

		private synchronized void leave() {
			this.connections--;
			tellIfDrained();
		}

		private boolean serve(Socket client) {
			if (!enter()) {
				return false;
			}
			try (Socket node = new Socket(InetAddress.getLoopbackAddress(), this.port)) {
				Thread back = new Thread(() -> copy(node, client));
				back.start();
				copy(client, node);
				back.join();
				return true;
			}
			catch (IOException ex) {
				System.err.println("Nothing on port " + this.port);
				return false;
			}
			catch (InterruptedException ex) {
				return true;
			}
			finally {
				leave();
			}
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
				// Already closed.
			}
		}

	}

}
