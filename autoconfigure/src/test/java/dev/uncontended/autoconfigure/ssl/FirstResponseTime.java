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

import java.nio.file.Files;
import java.util.Locale;

import dev.uncontended.tls.TestKeyStore;

import org.springframework.boot.web.server.context.WebServerApplicationContext;
import org.springframework.context.ConfigurableApplicationContext;

/**
 * Prints the time from a client's connect to the first byte of the response, for each
 * server and engine, with and without {@code TCP_NODELAY} at the client. Each connection
 * makes a full TLS 1.3 handshake. The client is Python's, because the JDK's sends its
 * part of the handshake in two segments and therefore always waits.
 */
final class FirstResponseTime {

	private static final String CLIENT = """
			import socket, ssl, statistics, sys, time
			context = ssl.create_default_context()
			context.check_hostname = False
			context.verify_mode = ssl.CERT_NONE
			context.minimum_version = ssl.TLSVersion.TLSv1_3
			times = []
			for i in range(2 * int(sys.argv[3])):
			    start = time.perf_counter()
			    with socket.create_connection(("127.0.0.1", int(sys.argv[1]))) as plain:
			        plain.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, int(sys.argv[2]))
			        with context.wrap_socket(plain) as secure:
			            secure.sendall(b"GET / HTTP/1.1\\r\\nHost: localhost\\r\\nConnection: close\\r\\n\\r\\n")
			            assert secure.recv(1)
			            times.append(time.perf_counter() - start)
			print(1000 * statistics.median(times[len(times) // 2:]))
			""";

	private FirstResponseTime() {
	}

	/**
	 * Runs the measurement.
	 * @param args the number of connections per median; the same number precedes as a
	 * warm-up
	 */
	public static void main(String[] args) throws Exception {
		int connections = Integer.parseInt(args[0]);
		TestKeyStore keyStore = TestKeyStore.create(Files.createTempDirectory("first-response").resolve("key.p12"),
				"load.test");
		System.out.println("server\tengine\tTCP_NODELAY, ms\twithout, ms");
		for (TestServer server : TestServer.values()) {
			for (String engine : new String[] { "jdk", "boringssl" }) {
				try (ConfigurableApplicationContext context = TlsLoad.start(server.name(), engine, keyStore)) {
					int port = ((WebServerApplicationContext) context).getWebServer().getPort();
					System.out.printf(Locale.ROOT, "%s\t%s\t%.1f\t%.1f%n", server, engine, median(port, 1, connections),
							median(port, 0, connections));
				}
			}
		}
	}

	private static double median(int port, int noDelay, int connections) throws Exception {
		Process process = new ProcessBuilder("python3", "-c", CLIENT, String.valueOf(port), String.valueOf(noDelay),
				String.valueOf(connections))
			.redirectError(ProcessBuilder.Redirect.INHERIT)
			.start();
		return Double.parseDouble(new String(process.getInputStream().readAllBytes()).trim());
	}

}
