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
import java.io.InputStream;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;

/**
 * A client that opens a fixed number of connections, each with one request, and resumes
 * its sessions. The first connection has ended before others begin, except for curl's. A
 * client that opens parallel connections opens the number in its name at a time.
 */
enum ResumingClient {

	GO_TLS12("Go, TLS 1.2", "go", 20, (port, count) -> go(port, "TLSv1.2", count, 1)),

	GO_TLS12_PARALLEL("Go, TLS 1.2, 8 at once", "go", 81, (port, count) -> go(port, "TLSv1.2", count, 8)),

	GO_TLS13("Go, TLS 1.3", "go", 20, (port, count) -> go(port, "TLSv1.3", count, 1)),

	GO_TLS13_PARALLEL("Go, TLS 1.3, 8 at once", "go", 81, (port, count) -> go(port, "TLSv1.3", count, 8)),

	/**
	 * The server only supports the second group. The client sends a key share of the
	 * first.
	 */
	GO_RETRY("Go, TLS 1.3, with HelloRetryRequest", "go", 10,
			(port, count) -> go(port, "TLSv1.3", count, 1, "X25519MLKEM768", "P-256")),

	NODE("Node.js, TLS 1.3, 6 at once", "node", 60,
			(port, count) -> run("node", resource("client.js"), String.valueOf(port), String.valueOf(count), "6")),

	CURL("curl -Z, TLS 1.3, 8 at once", "curl", 80, ResumingClient::curl),

	JAVA_TLS12("Java's HttpClient, TLS 1.2", "", 20,
			(port, count) -> run(JavaClient.command(port, "TLSv1.2", count).toArray(String[]::new))),

	JAVA_TLS13("Java's HttpClient, TLS 1.3", "", 20,
			(port, count) -> run(JavaClient.command(port, "TLSv1.3", count).toArray(String[]::new))),

	NGINX_TLS12("nginx as a proxy, TLS 1.2", "nginx", 20, (port, count) -> nginx(port, "TLSv1.2", count, 1)),

	NGINX_TLS12_PARALLEL("nginx as a proxy, TLS 1.2, 16 at once", "nginx", 641,
			(port, count) -> nginx(port, "TLSv1.2", count, 16)),

	NGINX_TLS13("nginx as a proxy, TLS 1.3", "nginx", 20, (port, count) -> nginx(port, "TLSv1.3", count, 1)),

	NGINX_TLS13_PARALLEL("nginx as a proxy, TLS 1.3, 16 at once", "nginx", 641,
			(port, count) -> nginx(port, "TLSv1.3", count, 16)),

	OPENSSL_SHARED("OpenSSL, TLS 1.3, one ticket six times at once", "openssl", 7, ResumingClient::openSslInParallel),

	OPENSSL_NO_TICKET("OpenSSL, TLS 1.2, without tickets", "openssl", 10, ResumingClient::openSslWithoutTickets);

	private static final String REQUEST = "GET / HTTP/1.1\r\nHost: " + ServerProcess.HOST
			+ "\r\nConnection: close\r\n\r\n";

	private final String label;

	private final String tool;

	private final int count;

	@SuppressWarnings("ImmutableEnumChecker")
	private final Connections connections;

	ResumingClient(String label, String tool, int count, Connections connections) {
		this.label = label;
		this.tool = tool;
		this.count = count;
		this.connections = connections;
	}

	/**
	 * Returns whether the client is installed.
	 */
	boolean isInstalled() {
		return this.tool.isEmpty() || ServerProcess.isInstalled(this.tool);
	}

	/**
	 * Returns the number of connections.
	 */
	int count() {
		return this.count;
	}

	/**
	 * Returns whether each connection needs a HelloRetryRequest.
	 */
	boolean isRetried() {
		return this == GO_RETRY;
	}

	/**
	 * Opens the connections, and waits for the responses.
	 * @param port the port of the server
	 * @throws Exception if a request fails
	 */
	void connect(int port) throws Exception {
		this.connections.open(port, this.count);
	}

	@Override
	public String toString() {
		return this.label;
	}

	private static void go(int port, String protocol, int count, int parallel, String... groups) throws Exception {
		List<String> command = new ArrayList<>(List.of("go", "run", resource("client.go"), String.valueOf(port),
				protocol, String.valueOf(count), String.valueOf(parallel)));
		Collections.addAll(command, groups);
		run(command.toArray(String[]::new));
	}

	private static void curl(int port, int count) throws Exception {
		String server = ServerProcess.HOST + ":" + port;
		run("curl", "-Z", "--parallel-max", "8", "-sSfk", "--noproxy", "*", "--http1.1", "--tlsv1.3", "-H",
				"Connection: close", "--resolve", server + ":127.0.0.1", "https://" + server + "/?[1-" + count + "]");
	}

	/*
	 * nginx does not verify certificates unless it is configured to do so.
	 */
	private static void nginx(int port, String protocol, int count, int parallel) throws Exception {
		ExecutorService threads = Executors.newFixedThreadPool(parallel);
		try (ServerProcess proxy = ServerProcess.nginxProxy(port, protocol)) {
			HttpClient client = HttpClient.newHttpClient();
			HttpRequest request = HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + proxy.port() + "/")).build();
			Callable<String> send = () -> client.send(request, HttpResponse.BodyHandlers.ofString()).body();
			Set<String> bodies = new HashSet<>(Set.of(send.call()));
			for (Future<String> response : threads.invokeAll(Collections.nCopies(count - 1, send))) {
				bodies.add(response.get());
			}
			if (!bodies.equals(Set.of(MeasuredApplication.BODY))) {
				throw new IOException("Unexpected responses: " + bodies);
			}
		}
		finally {
			threads.shutdown();
		}
	}

	private static void openSslInParallel(int port, int count) throws Exception {
		Path session = Files.createTempFile(ServerProcess.DIRECTORY, "session", ".pem");
		await(openSsl(port, "-tls1_3", "-sess_out", session.toString()));
		List<Process> processes = new ArrayList<>();
		for (int i = 1; i < count; i++) {
			processes.add(openSsl(port, "-tls1_3", "-sess_in", session.toString()));
		}
		for (Process process : processes) {
			await(process);
		}
	}

	private static void openSslWithoutTickets(int port, int count) throws Exception {
		String session = Files.createTempFile(ServerProcess.DIRECTORY, "session", ".pem").toString();
		await(openSsl(port, "-tls1_2", "-no_ticket", "-sess_out", session));
		for (int i = 1; i < count; i++) {
			await(openSsl(port, "-tls1_2", "-no_ticket", "-sess_in", session));
		}
	}

	private static Process openSsl(int port, String... options) throws IOException {
		List<String> command = new ArrayList<>(List.of("openssl", "s_client", "-connect", "127.0.0.1:" + port,
				"-servername", ServerProcess.HOST, "-quiet"));
		Collections.addAll(command, options);
		Process process = start(command.toArray(String[]::new));
		process.outputWriter().append(REQUEST).flush();
		return process;
	}

	private static void run(String... command) throws Exception {
		await(start(command));
	}

	private static Process start(String... command) throws IOException {
		return new ProcessBuilder(command).redirectErrorStream(true).start();
	}

	private static void await(Process process) throws Exception {
		if (!process.waitFor(5, TimeUnit.MINUTES)) {
			process.destroyForcibly();
			throw new IOException("The client does not end");
		}
		if (process.exitValue() != 0) {
			throw new IOException("The client has failed: "
					+ new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8));
		}
	}

	/*
	 * Copies a program of the jar to a file.
	 */
	private static String resource(String name) throws IOException {
		try (InputStream content = Objects.requireNonNull(ResumingClient.class.getResourceAsStream(name))) {
			Path file = ServerProcess.DIRECTORY.resolve(name);
			Files.copy(content, file, StandardCopyOption.REPLACE_EXISTING);
			return file.toString();
		}
	}

	/**
	 * Opens connections.
	 */
	private interface Connections {

		void open(int port, int count) throws Exception;

	}

}
