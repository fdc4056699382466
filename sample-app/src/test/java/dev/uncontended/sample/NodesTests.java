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
package dev.uncontended.sample;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

import dev.uncontended.sample.ReturningClients.Outcome;
import io.netty.handler.ssl.OpenSsl;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIf;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for two nodes of the sample behind a TCP proxy that sends each connection to the
 * other one: clients resume whichever they reach, whatever happens to Redis and to the
 * nodes, and no handshake fails.
 */
@EnabledIf("canRun")
@Tag("nodes")
class NodesTests {

	private static final Duration ROTATION = Duration.ofSeconds(4);

	private static final String TLS_1_2 = "TLSv1.2";

	private static final String TLS_1_3 = "TLSv1.3";

	private static final HttpClient http = HttpClient.newHttpClient();

	private final int proxyPort = Programs.freePort();

	private final int redisPort = Programs.freePort();

	private final int detourPort = Programs.freePort();

	private final List<Node> nodes = new ArrayList<>();

	@TempDir
	private Path directory;

	private Programs programs;

	static boolean canRun() {
		return OpenSsl.isAvailable() && Programs.areInstalled("redis-server", "openssl", "curl");
	}

	@BeforeEach
	void start() {
		this.programs = new Programs(this.directory);
	}

	@AfterEach
	void stop() {
		this.programs.close();
	}

	@Test
	void clientsResumeOnEveryNodeThroughEveryFault() throws Exception {
		Process redis = startRedis();
		Process detour = startDetour();
		String[] shared = { "source=redis", "redis.poll-interval=500ms" };
		startNodes(shared, new int[] { this.redisPort, this.detourPort });
		Awaitility.await().until(() -> this.nodes.stream().allMatch(Node::hasReachedRedis));
		startProxy();
		try (ReturningClients clients = new ReturningClients(this.proxyPort, 300, TLS_1_2, TLS_1_3)) {
			run(clients, "two nodes", () -> await(Duration.ofSeconds(3)));
			run(clients, "three rotations", () -> {
				awaitRotations(3);
				// The next key is in Redis, and both nodes have read it.
				await(Duration.ofSeconds(2));
			});
			run(clients, "Redis down", () -> {
				Programs.end(redis);
				awaitRotations(1);
				await(Duration.ofSeconds(4));
			});
			run(clients, "Redis back, empty", () -> {
				startRedis();
				awaitRotations(2);
			});
			run(clients, "a node restarts", () -> {
				Programs.end(this.nodes.get(1).process);
				await(Duration.ofSeconds(2));
				startNode(1, this.detourPort, shared);
				Awaitility.await().until(this.nodes.get(1)::hasReachedRedis);
				await(Duration.ofSeconds(3));
			});
			run(clients, "all sessions end", () -> {
				assertThat(this.nodes.get(0).end()).isEqualTo("ALL_NODES");
				await(Duration.ofSeconds(3));
			});
			run(clients, "a node is cut off", () -> {
				Programs.end(detour);
				awaitRotations(3);
			});
			run(clients, "and is back", () -> {
				startDetour();
				await(Duration.ofSeconds(6));
			});
			clients.stop();
			print(clients);
			assertThat(clients.connections()).noneMatch((connection) -> connection.outcome() == Outcome.FAILED);
			assertThat(this.nodes).allSatisfy((node) -> assertThat(node.failedHandshakes()).isZero());
			for (String phase : List.of("two nodes", "three rotations", "Redis down", "Redis back, empty",
					"a node restarts")) {
				assertThat(shareOfResumed(clients, phase)).as(phase).isGreaterThanOrEqualTo(0.95);
			}
			// One for each client between its two connections when the sessions ended.
			assertThat(clients.count("all sessions end", true, Outcome.FULL)).isLessThanOrEqualTo(4);
		}
	}

	@Test
	void clientsResumeWithKeysThatFollowFromSecret() throws Exception {
		startNodes(new String[] { "source=secret" }, new int[] { this.redisPort, this.redisPort });
		startProxy();
		try (ReturningClients clients = new ReturningClients(this.proxyPort, 50, TLS_1_2, TLS_1_3, TLS_1_2, TLS_1_3)) {
			run(clients, "rotations under load", () -> awaitRotations(2));
			clients.stop();
			print(clients);
			assertThat(clients.connections()).hasSizeGreaterThan(50)
				.noneMatch((connection) -> connection.outcome() == Outcome.FAILED);
			assertThat(shareOfResumed(clients, "rotations under load")).isGreaterThanOrEqualTo(0.95);
		}
	}

	@ParameterizedTest
	@CsvSource({ "-tls1_2, TLSv1.2", "-tls1_3, TLSv1.3" })
	void otherClientsResumeToo(String option, String protocol) throws Exception {
		startRedis();
		startNodes(new String[] { "source=redis", "redis.poll-interval=500ms" },
				new int[] { this.redisPort, this.redisPort });
		Awaitility.await().until(() -> this.nodes.stream().allMatch(Node::hasReachedRedis));
		startProxy();
		String session = this.directory.resolve("session.pem").toString();
		for (int i = 0; i < 4; i++) {
			assertThat(openssl(option, "-sess_out", session)).contains("New, " + protocol);
			assertThat(openssl(option, "-sess_in", session)).contains("Reused, " + protocol);
		}
		String version = protocol.replace("TLSv", "");
		String url = "https://localhost:" + this.proxyPort + "/favicon.svg";
		long before = resumed();
		String output = Programs.run("", "curl", "-sSk", "--http1.1", "--tls-max", version, "--tlsv" + version, "-H",
				"Connection: close", "-o", "/dev/null", "-o", "/dev/null", "-w", "%{http_code} ", url, url);
		assertThat(output).isEqualTo("200 200 ");
		assertThat(resumed()).isEqualTo(before + 1);
	}

	private String openssl(String... options) throws Exception {
		List<String> command = new ArrayList<>(List.of("openssl", "s_client", "-ign_eof", "-connect",
				"localhost:" + this.proxyPort, "-servername", "localhost"));
		command.addAll(List.of(options));
		return Programs.run("GET /favicon.svg HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n",
				command.toArray(String[]::new));
	}

	private long resumed() {
		return this.nodes.stream().mapToLong(Node::resumed).sum();
	}

	private Process startRedis() throws IOException {
		return this.programs.start(this.redisPort, "redis-server", "--bind", "127.0.0.1", "--port",
				Integer.toString(this.redisPort), "--save", "", "--dir", this.directory.toString());
	}

	/**
	 * The second node reaches Redis by a proxy, which can be ended.
	 */
	private Process startDetour() throws IOException {
		return this.programs.startJava(this.detourPort, "proxy/Proxy.java", Integer.toString(this.detourPort),
				Integer.toString(this.redisPort));
	}

	private void startProxy() throws IOException {
		this.programs.startJava(this.proxyPort,
				Stream
					.concat(Stream.of("proxy/Proxy.java", Integer.toString(this.proxyPort)),
							this.nodes.stream().map((node) -> Integer.toString(node.port)))
					.toArray(String[]::new));
	}

	private void startNodes(String[] tickets, int[] redisPorts) throws IOException {
		for (int redis : redisPorts) {
			this.nodes.add(new Node(Programs.freePort(), Programs.freePort()));
			startNode(this.nodes.size() - 1, redis, tickets);
		}
	}

	private void startNode(int index, int redis, String... tickets) throws IOException {
		Node node = this.nodes.get(index);
		List<String> arguments = new ArrayList<>();
		if (Runtime.version().feature() >= 24) {
			arguments.add("--enable-native-access=ALL-UNNAMED");
		}
		arguments.addAll(List.of("-Xmx256m", "-cp", System.getProperty("java.class.path"),
				SampleApplication.class.getName(), "--spring.profiles.active=node", "--server.port=" + node.port,
				"--sample.http-port=" + node.httpPort, "--spring.data.redis.host=127.0.0.1",
				"--spring.data.redis.port=" + redis, "--spring.data.redis.timeout=1s",
				"--uncontended.ssl.tickets.rotation-interval=" + ROTATION.toSeconds() + "s",
				"--uncontended.ssl.tickets.lifetime=60s"));
		for (String property : tickets) {
			arguments.add("--uncontended.ssl.tickets." + property);
		}
		node.process = this.programs.startJava(node.httpPort, arguments.toArray(String[]::new));
	}

	private static void run(ReturningClients clients, String phase, Step step) throws Exception {
		clients.enter(phase);
		step.run();
	}

	/**
	 * Lets the clients come and go for a while.
	 */
	private static void await(Duration time) {
		long start = System.nanoTime();
		Awaitility.await().atMost(time.plusSeconds(5)).until(() -> System.nanoTime() - start >= time.toNanos());
	}

	private void awaitRotations(int count) {
		long before = this.nodes.get(0).rotations();
		Awaitility.await()
			.atMost(ROTATION.multipliedBy(count + 4))
			.until(() -> this.nodes.get(0).rotations() >= before + count);
	}

	private static double shareOfResumed(ReturningClients clients, String phase) {
		double all = clients.count(phase, true, Outcome.values());
		return clients.count(phase, true, Outcome.RESUMED) / all;
	}

	private static void print(ReturningClients clients) {
		StringBuilder table = new StringBuilder("\n| phase | first: full | failed | second: resumed | full | failed |")
			.append("\n|---|---|---|---|---|---|");
		clients.connections()
			.stream()
			.map(ReturningClients.Connection::phase)
			.distinct()
			.forEach((phase) -> table
				.append("\n| %s | %d | %d | %d | %d | %d |".formatted(phase, clients.count(phase, false, Outcome.FULL),
						clients.count(phase, false, Outcome.FAILED), clients.count(phase, true, Outcome.RESUMED),
						clients.count(phase, true, Outcome.FULL), clients.count(phase, true, Outcome.FAILED))));
		System.out.println("JDK " + Runtime.version().feature() + table);
		clients.connections()
			.stream()
			.filter((connection) -> connection.outcome() == Outcome.FAILED)
			.limit(10)
			.forEach(System.out::println);
	}

	private interface Step {

		void run() throws Exception;

	}

	private static final class Node {

		private static final Pattern RESUMED = Pattern.compile("\"resumed\":(\\d+)");

		private final int port;

		private final int httpPort;

		private Process process;

		private Node(int port, int httpPort) {
			this.port = port;
			this.httpPort = httpPort;
		}

		private boolean hasReachedRedis() {
			return sslSessions().at("/tickets/lastReached").isString();
		}

		private long rotations() {
			return sslSessions().at("/tickets/rotations").asLong();
		}

		private long failedHandshakes() {
			return sslSessions().at("/failedHandshakes").size();
		}

		private long resumed() {
			Matcher matcher = RESUMED.matcher(sslSessions().at("/handshakes").toString());
			return matcher.results().mapToLong((result) -> Long.parseLong(result.group(1))).sum();
		}

		private JsonNode sslSessions() {
			return send("GET");
		}

		private String end() {
			return send("DELETE").at("/reach").asString();
		}

		private JsonNode send(String method) {
			URI uri = URI.create("http://localhost:" + this.httpPort + "/actuator/sslsessions");
			HttpRequest request = HttpRequest.newBuilder(uri)
				.method(method, HttpRequest.BodyPublishers.noBody())
				.timeout(Duration.ofSeconds(10))
				.build();
			try {
				return new JsonMapper().readTree(http.send(request, HttpResponse.BodyHandlers.ofString()).body());
			}
			catch (IOException ex) {
				throw new IllegalStateException(ex);
			}
			catch (InterruptedException ex) {
				Thread.currentThread().interrupt();
				throw new IllegalStateException(ex);
			}
		}

	}

}
