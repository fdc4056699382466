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

import java.io.IOException;
import java.io.InputStream;
import java.lang.management.ManagementFactory;
import java.net.Socket;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLEngine;

import com.sun.management.OperatingSystemMXBean;
import dev.uncontended.tls.TestKeyStore;
import dev.uncontended.tls.handshake.TlsHandshakes;

import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.boot.web.server.context.WebServerApplicationContext;
import org.springframework.context.ConfigurableApplicationContext;

/**
 * Loads a server set up by Boot with new connections, from {@code openssl s_time} or, for
 * aborted connections, from this process. Prints for each chunk the handshakes counted by
 * client and server, handshakes per second, the server's CPU time per handshake, and its
 * resident memory.
 */
final class TlsLoad {

	private TlsLoad() {
	}

	/**
	 * Runs the load.
	 * @param args the server ({@code tomcat}, {@code jetty} or {@code netty}), the engine
	 * ({@code jdk} or {@code boringssl}), the kind of connection ({@code new},
	 * {@code reuse} or {@code aborted}), the protocol option of {@code openssl}, the
	 * number of chunks, and the seconds or the aborted connections per chunk
	 */
	public static void main(String[] args) throws Exception {
		Path directory = Files.createTempDirectory("tls-load");
		TestKeyStore keyStore = TestKeyStore.create(directory.resolve("key.p12"), "load.test");
		try (ConfigurableApplicationContext context = start(args[0], args[1], keyStore)) {
			int port = ((WebServerApplicationContext) context).getWebServer().getPort();
			TlsHandshakes handshakes = context.getBean(TlsHandshakes.class);
			System.out.println("server\tengine\tkind\tprotocol\tclient\tserver\tper second\tCPU us\tRSS MiB");
			for (int i = 0; i < Integer.parseInt(args[4]); i++) {
				long completedBefore = completed(handshakes);
				long cpuBefore = cpu();
				long start = System.nanoTime();
				int size = Integer.parseInt(args[5]);
				long client = args[2].equals("aborted") ? abort(port, size, keyStore.sslContext(keyStore))
						: time(port, args[2], args[3], size);
				double seconds = (System.nanoTime() - start) / 1e9;
				long cpu = cpu() - cpuBefore;
				long completed = completed(handshakes) - completedBefore;
				long failed = handshakes.failedCounts().values().stream().mapToLong(Long::longValue).sum();
				System.out.printf(Locale.ROOT, "%s\t%s\t%s\t%s\t%d\t%d completed, %d failed in all\t%.0f\t%.0f\t%d%n",
						args[0], args[1], args[2], args[3], client, completed, failed, client / seconds,
						cpu / 1000.0 / client, residentMemory() >> 20);
			}
		}
	}

	static ConfigurableApplicationContext start(String server, String engine, TestKeyStore keyStore) {
		List<String> arguments = new ArrayList<>(AbstractTlsServerTests.bundle("web", keyStore));
		arguments.addAll(List.of("--server.address=127.0.0.1", "--server.port=0", "--server.ssl.bundle=web",
				"--logging.level.root=warn", "--uncontended.ssl.engine=" + engine));
		TestServer testServer = TestServer.valueOf(server.toUpperCase(Locale.ROOT));
		return new SpringApplicationBuilder(testServer.application(), AbstractTlsServerTests.BoringSsl.class)
			.web(testServer.type())
			.run(arguments.toArray(String[]::new));
	}

	private static long completed(TlsHandshakes handshakes) {
		return handshakes.counts().values().stream().mapToLong((count) -> count.full() + count.resumed()).sum();
	}

	/*
	 * The program prints the number of connections with one session, or with one session
	 * each.
	 */
	private static long time(int port, String kind, String protocol, int seconds) throws Exception {
		Process process = new ProcessBuilder("openssl", "s_time", "-connect", "localhost:" + port, "-" + kind, "-www",
				"/", "-time", String.valueOf(seconds), protocol)
			.redirectErrorStream(true)
			.start();
		String output = new String(process.getInputStream().readAllBytes());
		process.waitFor();
		return output.lines()
			.filter((line) -> line.contains("connections in") && line.contains("real seconds"))
			.mapToLong((line) -> Long.parseLong(line.trim().split(" ")[0]))
			.sum() + (kind.equals("reuse") ? 1 : 0);
	}

	static long abort(int port, int connections, SSLContext client) throws IOException {
		for (int i = 0; i < connections; i++) {
			SSLEngine engine = client.createSSLEngine();
			engine.setUseClientMode(true);
			ByteBuffer hello = ByteBuffer.allocate(20_000);
			engine.wrap(ByteBuffer.allocate(0), hello);
			try (Socket socket = new Socket("localhost", port)) {
				socket.setSoLinger(true, 0);
				socket.getOutputStream().write(hello.array(), 0, hello.position());
				InputStream in = socket.getInputStream();
				if (in.read() < 0) {
					throw new IOException("closed");
				}
			}
		}
		return connections;
	}

	private static long cpu() {
		return ((OperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean()).getProcessCpuTime();
	}

	static long residentMemory() throws IOException {
		return Files.readAllLines(Path.of("/proc/self/status"))
			.stream()
			.filter((line) -> line.startsWith("VmRSS:"))
			.mapToLong((line) -> Long.parseLong(line.replaceAll("\\D", "")) * 1024)
			.sum();
	}

}
