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
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.stream.Stream;

import dev.uncontended.sample.ReturningClients.Client;
import dev.uncontended.sample.ReturningClients.Connection;
import dev.uncontended.sample.ReturningClients.Outcome;
import io.netty.handler.ssl.OpenSsl;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIf;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for two nodes of the sample behind a TCP proxy that distributes connections
 * round-robin. Clients resume on each node, whatever happens to Redis and the nodes, and
 * no handshake fails. Each step waits for the reported state of the nodes.
 */
@EnabledIf("canRun")
@Tag("integration")
@Tag("product")
class NodesTests {

	private static final String TLS_1_2 = "TLSv1.2";

	private static final String TLS_1_3 = "TLSv1.3";

	private static final String SECRET = "the secret of both nodes, 32 bytes";

	private static final String NEW_SECRET = "their new secret, also of 32 bytes";

	private static final String EMPTY = "Redis comes back empty";

	private static final String END = "all sessions end";

	private static final String END_OF_ONE = "all sessions of one node end";

	private static final String CUT_OFF = "a node is cut off from Redis";

	private static final String CLOCK = "the clock of a node is 2 s ahead";

	private static final String RIGHT_CLOCK = "a node restarts with the right clock";

	/**
	 * The reasons for full handshakes of returning clients, by phase. In other phases,
	 * they must not occur.
	 */
	private static final Map<String, String> REASONS = Map.of(EMPTY, "one node reads the new key later", END,
			"the session has ended", END_OF_ONE, "that node shares no keys until it restarts", CUT_OFF,
			"that node does not know the newer keys", CLOCK, "the session begins in the future of the other node",
			// Until the node stops, its clock is ahead.
			RIGHT_CLOCK, "the session begins in the future of the other node");

	private static final HttpClient http = HttpClient.newHttpClient();

	private final int proxyPort = Programs.freePort();

	private final int redisPort = Programs.freePort();

	private final int detourPort = Programs.freePort();

	private final List<Node> nodes = List.of(new Node(this.redisPort), new Node(this.detourPort));

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
	void clientsResumeOnEveryNodeDuringFaults() throws Exception {
		Process redis = startRedis();
		Process detour = startDetour();
		startNodes("redis");
		awaitPolls();
		Process proxy = startProxy();
		opensslResumes("1.2");
		opensslResumes("1.3");
		curl("1.3", this.proxyPort, 1, 1);
		// With TLS 1.2 it does not support tickets.
		curl("1.2", this.nodes.get(0).port, 2, 0);
		try (ReturningClients clients = startClients("two nodes")) {
			awaitReturning(clients);
			clients.enter("three rotations");
			awaitRotations(3, this.nodes);
			clients.enter("Redis hangs, and a rotation");
			hang(redis);
			awaitReturning(clients);
			clients.enter("Redis is down");
			Programs.end(redis);
			awaitReturning(clients);
			clients.enter(EMPTY);
			startRedis();
			awaitPolls();
			clients.enter("Redis is back, and a rotation");
			awaitRotations(1, this.nodes);
			awaitReturning(clients);
			clients.enter("a node restarts");
			restart(this.nodes.get(1), proxy);
			awaitReturning(clients);
			List<Client> ended = connect(TLS_1_2, TLS_1_3);
			int second = this.nodes.get(1).port;
			clients.enter(END);
			for (Client straddling : List.of(new Client(second, TLS_1_2), new Client(second, TLS_1_3))) {
				assertThat(straddling.connectWhile(this::endOnFirstNode)).isEqualTo(Outcome.FULL);
				ended.add(straddling);
			}
			clients.enter("after that");
			for (Client client : ended) {
				assertThat(client.connect()).isEqualTo(Outcome.FULL);
				assertThat(client.connect()).isEqualTo(Outcome.RESUMED);
			}
			awaitReturning(clients);
			clients.enter(CUT_OFF);
			Programs.end(detour);
			awaitRotations(2, this.nodes.subList(0, 1));
			startDetour();
			awaitPolls();
			clients.enter("the node is back");
			awaitReturning(clients);
			check(clients);
		}
	}

	static boolean canSetClocks() {
		return canRun() && Programs.areInstalled("faketime");
	}

	@Test
	@EnabledIf("canSetClocks")
	void clientsResumeWithDerivedKeys() throws Exception {
		this.nodes.get(1).environment = clockAhead();
		startNodes("secret");
		Process proxy = startProxy();
		try (ReturningClients clients = startClients(CLOCK)) {
			for (String version : List.of("1.2", "1.3")) {
				resumesDespiteClockDifference(version);
			}
			awaitReturning(clients);
			clients.enter(RIGHT_CLOCK);
			this.nodes.get(1).environment = Map.of();
			restart(this.nodes.get(1), proxy);
			awaitReturning(clients);
			clients.enter("two rotations");
			awaitRotations(2, this.nodes);
			awaitReturning(clients);
			Client ended = new Client(this.nodes.get(0).port, TLS_1_3);
			assertThat(ended.connect()).isEqualTo(Outcome.FULL);
			clients.enter(END_OF_ONE);
			this.nodes.get(0).end();
			assertThat(ended.connect()).isEqualTo(Outcome.FULL);
			awaitReturning(clients);
			restart(this.nodes.get(0), proxy);
			awaitReturning(clients);
			clients.enter("after its restart");
			awaitReturning(clients);
			check(clients);
		}
	}

	@Test
	void clientsResumeWhileSecretChanges() throws Exception {
		startRedis();
		Node first = this.nodes.get(0);
		Node second = this.nodes.get(1);
		first.secrets = List.of(SECRET, NEW_SECRET);
		second.secrets = List.of(NEW_SECRET, SECRET);
		second.redisPort = this.redisPort;
		startNodes("redis");
		awaitPolls();
		Process proxy = startProxy();
		try (ReturningClients clients = startClients("the new secret comes first on one node")) {
			awaitReturning(clients);
			clients.enter("the new secret comes first on both nodes");
			first.secrets = List.of(NEW_SECRET, SECRET);
			restart(first, proxy);
			awaitReturning(clients);
			clients.enter("one node has the new secret alone");
			second.secrets = List.of(NEW_SECRET);
			restart(second, proxy);
			awaitReturning(clients);
			check(clients);
		}
	}

	/**
	 * Asserts that the node whose clock is behind resumes a session of the other once its
	 * clock has reached the session's start.
	 */
	private void resumesDespiteClockDifference(String version) throws Exception {
		int behind = this.nodes.get(0).port;
		int ahead = this.nodes.get(1).port;
		String session = this.directory.resolve("session.pem").toString();
		String option = "-tls" + version.replace('.', '_');
		openssl(behind, option, "-sess_out", session);
		assertThat(openssl(ahead, option, "-sess_in", session)).contains("Reused, TLSv" + version);
		openssl(ahead, option, "-sess_out", session);
		await(() -> openssl(behind, option, "-sess_in", session).contains("Reused, TLSv" + version));
	}

	/**
	 * Returns an environment that sets the clock of a process 2 seconds ahead. The
	 * wrapper would stay between the test and the node, so only its library is used.
	 */
	private static Map<String, String> clockAhead() throws Exception {
		String library = Programs.run("", "faketime", "-m", "-f", "+2s", "printenv", "LD_PRELOAD").strip();
		return Map.of("LD_PRELOAD", library, "FAKETIME", "+2s", "FAKETIME_DONT_FAKE_MONOTONIC", "1");
	}

	/**
	 * Ends all sessions on the first node, and waits until the second has followed.
	 */
	private void endOnFirstNode() {
		this.nodes.get(0).end();
		await(() -> this.nodes.get(0).lastEnd().endsWith("_NODES"));
		awaitPolls();
	}

	private void opensslResumes(String version) throws Exception {
		String session = this.directory.resolve("session.pem").toString();
		String option = "-tls" + version.replace('.', '_');
		for (int i = 0; i < 2; i++) {
			assertThat(openssl(this.proxyPort, option, "-sess_out", session)).contains("New, TLSv" + version);
			assertThat(openssl(this.proxyPort, option, "-sess_in", session)).contains("Reused, TLSv" + version);
		}
	}

	private static String openssl(int port, String... options) throws Exception {
		List<String> command = new ArrayList<>(List.of("openssl", "s_client", "-ign_eof", "-connect",
				"localhost:" + port, "-servername", "localhost"));
		command.addAll(List.of(options));
		return Programs.run("GET /favicon.svg HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n",
				command.toArray(String[]::new));
	}

	/**
	 * Makes two connections. The nodes report which of them resume.
	 */
	private void curl(String version, int port, long full, long resumed) throws Exception {
		List<Long> before = handshakes();
		String url = "https://localhost:" + port + "/favicon.svg";
		String output = Programs.run("", "curl", "-sSk", "--http1.1", "--tls-max", version, "--tlsv" + version, "-H",
				"Connection: close", "-o", "/dev/null", "-o", "/dev/null", "-w", "%{http_code} ", url, url);
		assertThat(output).isEqualTo("200 200 ");
		assertThat(handshakes()).containsExactly(before.get(0) + full, before.get(1) + resumed);
	}

	private List<Long> handshakes() {
		return Stream.of("full", "resumed")
			.map((kind) -> this.nodes.stream().mapToLong((node) -> node.handshakes(kind)).sum())
			.toList();
	}

	private Process startRedis() throws IOException {
		return this.programs.start(this.redisPort, "redis-server", "--bind", "127.0.0.1", "--port",
				Integer.toString(this.redisPort), "--save", "", "--dir", this.directory.toString());
	}

	/**
	 * Starts a proxy between the second node and Redis, which can be killed.
	 */
	private Process startDetour() throws IOException {
		return this.programs.startJava(this.detourPort, "proxy/Proxy.java", Integer.toString(this.detourPort),
				Integer.toString(this.redisPort));
	}

	private Process startProxy() throws IOException {
		return this.programs.startJava(this.proxyPort, "proxy/Proxy.java", Integer.toString(this.proxyPort),
				Integer.toString(this.nodes.get(0).port), Integer.toString(this.nodes.get(1).port));
	}

	private void startNodes(String source) throws IOException {
		for (Node node : this.nodes) {
			node.source = source;
			node.launch(this.programs);
		}
		for (Node node : this.nodes) {
			node.await(this.programs);
		}
	}

	private ReturningClients startClients(String phase) {
		return new ReturningClients(this.proxyPort, phase, TLS_1_2, TLS_1_3, TLS_1_2, TLS_1_3);
	}

	private List<Client> connect(String... protocols) throws IOException {
		List<Client> clients = new ArrayList<>();
		Stream.of(protocols).forEach((protocol) -> clients.add(new Client(this.proxyPort, protocol)));
		for (Client client : clients) {
			assertThat(client.connect()).isEqualTo(Outcome.FULL);
		}
		return clients;
	}

	/**
	 * Suspends Redis when both nodes have read the next key, and waits for its
	 * activation.
	 */
	private void hang(Process redis) throws Exception {
		List<Long> rotations;
		do {
			signal(redis, "CONT");
			awaitPolls();
			signal(redis, "STOP");
			rotations = rotations(this.nodes);
		}
		while (!this.nodes.stream().allMatch(Node::knowsNextKey));
		awaitRotations(1, this.nodes, rotations);
	}

	private static void signal(Process process, String signal) throws Exception {
		assertThat(Programs.run("", "sh", "-c", "kill -" + signal + " " + process.pid())).isEmpty();
	}

	/**
	 * Restarts a node like a load balancer: removes it, stops it, and adds it once it is
	 * ready.
	 */
	private void restart(Node node, Process proxy) throws Exception {
		this.programs.tell(proxy, "drain " + node.port, node.port + " is drained");
		Process process = node.process;
		process.destroy();
		await(() -> !process.isAlive());
		node.launch(this.programs);
		node.await(this.programs);
		if (node.source.equals("redis")) {
			awaitPolls();
		}
		this.programs.tell(proxy, "ready " + node.port, node.port + " is ready");
	}

	/**
	 * Waits until each node has completed a read of Redis and uses the shared keys.
	 */
	private void awaitPolls() {
		for (int i = 0; i < 2; i++) {
			long start = System.nanoTime();
			await(() -> {
				long elapsed = System.nanoTime() - start;
				return this.nodes.stream().allMatch((node) -> node.age().toNanos() < elapsed);
			});
		}
		await(() -> this.nodes.stream().allMatch(Node::knowsNextKey));
	}

	private void awaitRotations(int count, List<Node> nodes) {
		awaitRotations(count, nodes, rotations(nodes));
	}

	private static void awaitRotations(int count, List<Node> nodes, List<Long> before) {
		for (int i = 0; i < nodes.size(); i++) {
			Node node = nodes.get(i);
			long wanted = before.get(i) + count;
			await(() -> node.rotations() >= wanted);
		}
	}

	private static List<Long> rotations(List<Node> nodes) {
		return nodes.stream().map(Node::rotations).toList();
	}

	/**
	 * Waits until clients have returned in the current phase.
	 */
	private static void awaitReturning(ReturningClients clients) {
		long before = clients.returned();
		await(() -> clients.returned() >= before + 20);
	}

	private static void await(Callable<Boolean> condition) {
		Awaitility.await().atMost(Duration.ofMinutes(2)).until(condition);
	}

	private void check(ReturningClients clients) {
		clients.stop();
		StringBuilder table = new StringBuilder(
				"\n| phase | first: full | second: resumed | full | why full | failed |")
			.append("\n|---|---|---|---|---|---|");
		for (String phase : clients.phases()) {
			table.append("\n| %s | %d | %d | %d | %s | %d |".formatted(phase, clients.count(phase, false, Outcome.FULL),
					clients.count(phase, true, Outcome.RESUMED), clients.count(phase, true, Outcome.FULL),
					REASONS.getOrDefault(phase, ""),
					clients.count(phase, false, Outcome.FAILED) + clients.count(phase, true, Outcome.FAILED)));
		}
		System.out.println("\nJDK " + Runtime.version().feature() + table);
		assertThat(clients.connections()).noneMatch((connection) -> connection.outcome() == Outcome.FAILED);
		assertThat(this.nodes).allSatisfy((node) -> assertThat(node.failedHandshakes()).isZero());
		assertThat(clients.connections()).filteredOn(Connection::returning)
			.noneMatch((connection) -> connection.outcome() == Outcome.FULL && clients.phases()
				.subList(connection.session(), connection.end() + 1)
				.stream()
				.noneMatch(REASONS::containsKey));
	}

	private static final class Node {

		private final int port = Programs.freePort();

		private final int httpPort = Programs.freePort();

		private int redisPort;

		private Map<String, String> environment = Map.of();

		private String source = "redis";

		private List<String> secrets = List.of(SECRET);

		private Process process;

		private Node(int redisPort) {
			this.redisPort = redisPort;
		}

		private void launch(Programs programs) throws IOException {
			List<String> arguments = new ArrayList<>();
			if (Runtime.version().feature() >= 24) {
				arguments.add("--enable-native-access=ALL-UNNAMED");
			}
			arguments.addAll(List.of("-Xmx256m", "-XX:TieredStopAtLevel=1", "-Dspring.devtools.restart.enabled=false",
					"-cp", System.getProperty("java.class.path"), SampleApplication.class.getName(),
					"--spring.profiles.active=node", "--sample.https-port=" + this.port,
					"--server.port=" + this.httpPort, "--spring.data.redis.host=127.0.0.1",
					"--spring.data.redis.port=" + this.redisPort, "--spring.data.redis.timeout=1s",
					"--uncontended.ssl.tickets.source=" + this.source,
					"--uncontended.ssl.tickets.redis.poll-interval=500ms",
					"--uncontended.ssl.tickets.rotation-interval=3s", "--uncontended.ssl.tickets.lifetime=60s"));
			for (int i = 0; i < this.secrets.size(); i++) {
				arguments.add("--uncontended.ssl.tickets.secrets[" + i + "]=" + this.secrets.get(i));
			}
			this.process = programs.launchJava(this.httpPort, this.environment, arguments.toArray(String[]::new));
		}

		private void await(Programs programs) {
			programs.await(this.process, this.httpPort);
		}

		private Duration age() {
			return Duration.parse(sslSessions().at("/tickets/age").asString());
		}

		private boolean knowsNextKey() {
			return sslSessions().at("/tickets/nextRotation").isString();
		}

		private long rotations() {
			return sslSessions().at("/tickets/rotations").asLong();
		}

		private long failedHandshakes() {
			return sslSessions().at("/failedHandshakes").size();
		}

		private long handshakes(String kind) {
			return sslSessions().at("/handshakes").valueStream().mapToLong((each) -> each.get(kind).asLong()).sum();
		}

		private JsonNode sslSessions() {
			return send("GET");
		}

		private String lastEnd() {
			return sslSessions().at("/tickets/lastEnd").asString("");
		}

		private void end() {
			send("DELETE");
		}

		private JsonNode send(String method) {
			URI uri = URI.create("http://localhost:" + this.httpPort + "/actuator/sslsessions");
			HttpRequest request = HttpRequest.newBuilder(uri)
				.method(method, HttpRequest.BodyPublishers.noBody())
				.timeout(Duration.ofMinutes(1))
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
