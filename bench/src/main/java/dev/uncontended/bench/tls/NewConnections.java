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

package dev.uncontended.bench.tls;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

import io.netty.pkitesting.CertificateBuilder;
import io.netty.pkitesting.X509Bundle;

/**
 * Measures the cost of a new connection for nginx, and for the sample application on
 * Tomcat with the JDK's engine and with BoringSSL. The cost is the CPU time of the
 * server's process for a full TLS 1.3 handshake with a P-256 certificate and one small
 * request. The servers alternate, so that interference affects all.
 * <p>
 * Prints a table with medians:
 * {@code java -cp benchmarks.jar dev.uncontended.bench.tls.NewConnections [seconds [rounds]]}.
 * Requires {@code nginx} and {@code openssl} on the path and the jar of the sample
 * application. If one is missing, the program prints the requirements and ends.
 */
public final class NewConnections {

	/** The JIT compiler needs 20 seconds under load for the code of a handshake. */
	private static final int WARM_UP_SECONDS = 90;

	private static final Path SAMPLE = Path.of("sample-app", "target");

	private NewConnections() {
	}

	/**
	 * Prints the table.
	 * @param args the seconds per round and the number of rounds, 5 by default
	 * @throws Exception if a server does not start
	 */
	public static void main(String[] args) throws Exception {
		int seconds = (args.length > 0) ? Integer.parseInt(args[0]) : 5;
		int rounds = (args.length > 1) ? Integer.parseInt(args[1]) : 5;
		List<Path> sample = sample();
		if (!isInstalled("nginx") || !isInstalled("openssl") || sample.isEmpty()) {
			System.out.println("Skipped: needs nginx and openssl on the path, on Debian from the packages nginx and"
					+ " openssl, and the jar of the sample application in " + SAMPLE);
			return;
		}
		Path directory = Files.createTempDirectory("new-connections");
		List<Server> servers = new ArrayList<>();
		try {
			servers.add(nginx(directory));
			servers.add(tomcat(sample.get(0), "jdk"));
			servers.add(tomcat(sample.get(0), "boringssl"));
			for (Server server : servers) {
				server.load(WARM_UP_SECONDS);
			}
			for (int round = 0; round < rounds; round++) {
				for (Server server : servers) {
					server.measure(seconds);
				}
			}
			System.out.println("| server | connections a second | server's processor time for one, \u00b5s |");
			System.out.println("|---|---|---|");
			servers.forEach(Server::print);
		}
		finally {
			servers.forEach((server) -> server.process.destroy());
			delete(directory);
		}
	}

	private static boolean isInstalled(String program) {
		return Stream.of(System.getenv("PATH").split(":"))
			.anyMatch((directory) -> Files.isExecutable(Path.of(directory, program)));
	}

	private static List<Path> sample() throws IOException {
		if (!Files.isDirectory(SAMPLE)) {
			return List.of();
		}
		try (Stream<Path> files = Files.list(SAMPLE)) {
			return files.filter((file) -> file.toString().matches(".*/uncontended-sample-app-[^/]*(?<!-sources)\\.jar"))
				.toList();
		}
	}

	/*
	 * Starts nginx as a single process, so that its CPU time is complete.
	 */
	private static Server nginx(Path directory) throws Exception {
		X509Bundle certificate = new CertificateBuilder().subject("CN=localhost")
			.addSanDnsName("localhost")
			.setIsCertificateAuthority(true)
			.ecp256()
			.buildSelfSigned();
		Files.writeString(directory.resolve("certificate.pem"), certificate.getCertificatePEM());
		Files.writeString(directory.resolve("key.pem"), certificate.getPrivateKeyPEM());
		int port = freePort();
		Files.writeString(directory.resolve("nginx.conf"), """
				daemon off;
				master_process off;
				pid nginx.pid;
				events {}
				http {
					access_log off;
					client_body_temp_path body;
					fastcgi_temp_path fastcgi;
					proxy_temp_path proxy;
					scgi_temp_path scgi;
					uwsgi_temp_path uwsgi;
					server {
						listen 127.0.0.1:%d ssl;
						ssl_certificate certificate.pem;
						ssl_certificate_key key.pem;
						ssl_protocols TLSv1.3;
						location / { return 200 "ok"; }
					}
				}
				""".formatted(port));
		return Server.start("nginx", port, "/",
				List.of("nginx", "-p", directory + "/", "-c", "nginx.conf", "-e", "stderr"));
	}

	private static Server tomcat(Path jar, String engine) throws Exception {
		int port = freePort();
		List<String> command = new ArrayList<>(
				List.of(Path.of(System.getProperty("java.home"), "bin", "java").toString()));
		if (Runtime.version().feature() >= 22) {
			command.add("--enable-native-access=ALL-UNNAMED");
		}
		command.addAll(List.of("-jar", jar.toString(), "--server.port=" + port, "--sample.http-port=0",
				"--uncontended.ssl.engine=" + engine));
		return Server.start("Tomcat, " + engine, port, "/uuids?count=1", command);
	}

	private static int freePort() throws IOException {
		try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
			return socket.getLocalPort();
		}
	}

	private static void delete(Path directory) throws IOException {
		try (Stream<Path> files = Files.walk(directory)) {
			for (Path file : files.sorted((a, b) -> b.compareTo(a)).toList()) {
				Files.delete(file);
			}
		}
	}

	/**
	 * A server and its measurements.
	 */
	private static final class Server {

		private final String name;

		private final int port;

		private final String path;

		private final Process process;

		private final List<Double> rates = new ArrayList<>();

		private final List<Double> costs = new ArrayList<>();

		private Server(String name, int port, String path, Process process) {
			this.name = name;
			this.port = port;
			this.path = path;
			this.process = process;
		}

		static Server start(String name, int port, String path, List<String> command) throws Exception {
			Process process = new ProcessBuilder(command).redirectOutput(ProcessBuilder.Redirect.DISCARD)
				.redirectError(ProcessBuilder.Redirect.INHERIT)
				.start();
			Server server = new Server(name, port, path, process);
			server.awaitStart();
			return server;
		}

		private void awaitStart() throws Exception {
			for (int attempt = 1; this.process.isAlive() && attempt < 600; attempt++) {
				try (Socket socket = new Socket()) {
					socket.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), this.port));
					return;
				}
				catch (IOException ex) {
					TimeUnit.MILLISECONDS.sleep(100);
				}
			}
			this.process.destroy();
			throw new IllegalStateException(this.name + " does not start");
		}

		void measure(int seconds) throws Exception {
			Duration before = processorTime();
			long connections = load(seconds);
			this.costs.add(processorTime().minus(before).toNanos() / 1000.0 / connections);
			this.rates.add((double) connections / seconds);
		}

		private Duration processorTime() {
			return this.process.info().totalCpuDuration().orElseThrow();
		}

		/*
		 * Runs two clients, so that the server is busy while one client computes.
		 */
		long load(int seconds) throws Exception {
			List<Process> clients = List.of(client(seconds), client(seconds));
			long connections = 0;
			for (Process client : clients) {
				String output = new String(client.getInputStream().readAllBytes());
				connections += output.lines()
					.filter((line) -> line.contains("connections in") && line.contains("real seconds"))
					.mapToLong((line) -> Long.parseLong(line.trim().split(" ")[0]))
					.filter((number) -> number > 0)
					.findFirst()
					.orElseThrow(() -> new IllegalStateException("openssl s_time made no connection: " + output));
			}
			return connections;
		}

		private Process client(int seconds) throws IOException {
			return new ProcessBuilder("openssl", "s_time", "-connect", "127.0.0.1:" + this.port, "-new", "-tls1_3",
					"-www", this.path, "-time", String.valueOf(seconds))
				.redirectErrorStream(true)
				.start();
		}

		void print() {
			System.out.printf(Locale.ROOT, "| %s | %.0f | %.0f |%n", this.name, median(this.rates), median(this.costs));
		}

		private static double median(List<Double> values) {
			return values.stream().sorted().toList().get(values.size() / 2);
		}

	}

}
