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
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.Provider;
import java.security.ProviderException;
import java.security.SecureRandom;
import java.security.SecureRandomSpi;
import java.security.Security;
import java.time.Duration;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

import dev.uncontended.sample.ReturningClients.Client;
import dev.uncontended.uuid.UuidGenerator;
import io.netty.handler.ssl.OpenSsl;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.function.Executable;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.context.ConfigurableApplicationContext;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

/**
 * Tests for what operators see when Redis, the random number generator and clients of a
 * node fail and recover: its health, and the alerts of a Prometheus that scrapes it.
 */
@Tag("integration")
@Tag("product")
class OutageTests {

	/** The durations in the examples. Each minute becomes 300 milliseconds. */
	private static final Pattern MINUTES = Pattern.compile("\\b(\\d+)m\\b");

	private static final HttpClient http = HttpClient.newHttpClient();

	private final int redisPort = Programs.freePort();

	private final int httpPort = Programs.freePort();

	private final int httpsPort = Programs.freePort();

	private final Provider provider = new TestProvider();

	private final ScheduledExecutorService load = Executors.newScheduledThreadPool(6);

	@TempDir
	private Path directory;

	private Programs programs;

	private Process redis;

	private ConfigurableApplicationContext node;

	private volatile boolean clientsFail;

	@BeforeEach
	void start() throws IOException {
		assumeTrue(OpenSsl.isAvailable(), "BoringSSL is not installed");
		assumeTrue(Programs.areInstalled("redis-server"), "redis-server is not installed");
		this.programs = new Programs(this.directory);
		this.redis = startRedis();
		Random.fault = Fault.NONE;
		Security.addProvider(this.provider);
		this.node = new SpringApplicationBuilder(SampleApplication.class).profiles("node")
			.run("--logging.level.root=warn", "--server.port=" + this.httpPort, "--sample.https-port=" + this.httpsPort,
					"--spring.data.redis.port=" + this.redisPort, "--spring.data.redis.timeout=1s",
					"--uncontended.ssl.tickets.redis.poll-interval=300ms", "--uncontended.uuid.random.algorithm=Test",
					"--uncontended.uuid.random.stripes=1", "--uncontended.uuid.random.buffer-size=64B");
	}

	@AfterEach
	void stop() throws InterruptedException {
		this.load.shutdownNow();
		this.load.awaitTermination(10, TimeUnit.SECONDS);
		if (this.node != null) {
			this.node.close();
		}
		Security.removeProvider(this.provider.getName());
		if (this.programs != null) {
			this.programs.close();
		}
	}

	@Test
	void nodeWithoutRedisIsReadyAndReportsOutage() throws Exception {
		awaitHealth("monitoring", 200);
		Programs.end(this.redis);
		awaitHealth("monitoring", 503);
		assertThat(get("/actuator/health/readiness").statusCode()).isEqualTo(200);
		assertThat(get("/actuator/health/liveness").statusCode()).isEqualTo(200);
		assertThat(new Client(this.httpsPort, "TLSv1.3").connect()).isEqualTo(ReturningClients.Outcome.FULL);
		startRedis();
		awaitHealth("monitoring", 200);
	}

	@Test
	void alertsFireDuringOutageAndResolveAfterwards() throws Exception {
		assumeTrue(Programs.areInstalled("prometheus"), "prometheus is not installed");
		int prometheus = startPrometheus();
		draw();
		connect();
		awaitAlerts(prometheus, (alerts) -> assertThat(alerts).isEmpty());
		this.clientsFail = true;
		awaitAlerts(prometheus, (alerts) -> assertThat(alerts).containsExactlyInAnyOrder("FewTlsHandshakesResume",
				"TlsHandshakesFail"));
		Random.fault = Fault.FAILS;
		Programs.end(this.redis);
		awaitAlerts(prometheus,
				(alerts) -> assertThat(alerts).contains("UuidPoolFails", "UuidRefillsFail", "TicketKeysFail"));
		Random.fault = Fault.NONE;
		this.clientsFail = false;
		startRedis();
		awaitAlerts(prometheus, (alerts) -> assertThat(alerts).isEmpty());
	}

	private Process startRedis() throws IOException {
		return this.programs.start(this.redisPort, "redis-server", "--bind", "127.0.0.1", "--port",
				Integer.toString(this.redisPort), "--save", "", "--dir", this.directory.toString());
	}

	private int startPrometheus() throws IOException {
		Path examples = Path.of("grafana");
		Files.writeString(this.directory.resolve("alerts.yml"),
				MINUTES.matcher(Files.readString(examples.resolve("alerts.yml")))
					.replaceAll((minutes) -> Integer.parseInt(minutes.group(1)) * 300 + "ms"));
		Path configuration = this.directory.resolve("prometheus.yml");
		Files.writeString(configuration,
				Files.readString(examples.resolve("prometheus.yml"))
					.replace("scrape_interval: 15s", "scrape_interval: 300ms\n  evaluation_interval: 300ms")
					.replace("localhost:8080", "localhost:" + this.httpPort));
		int port = Programs.freePort();
		this.programs.start(port, "prometheus", "--config.file=" + configuration,
				"--storage.tsdb.path=" + this.directory.resolve("data"), "--web.listen-address=127.0.0.1:" + port);
		return port;
	}

	/**
	 * Draws a few ids with four threads, a hundred times a second.
	 */
	private void draw() {
		UuidGenerator generator = this.node.getBean(UuidGenerator.class);
		for (int i = 0; i < 4; i++) {
			repeat(10, () -> generator.fill(new UUID[8]));
		}
	}

	/**
	 * Connects with new clients, some of which do not speak TLS.
	 */
	private void connect() {
		Client returning = new Client(this.httpsPort, "TLSv1.3");
		repeat(50, () -> (this.clientsFail ? new Client(this.httpsPort, "TLSv1.3") : returning).connect());
		repeat(50, () -> {
			if (this.clientsFail) {
				try (Socket socket = new Socket("localhost", this.httpsPort)) {
					socket.getOutputStream().write("This is not TLS\r\n\r\n".getBytes(StandardCharsets.US_ASCII));
					socket.getInputStream().readAllBytes();
				}
			}
		});
	}

	private void repeat(long milliseconds, Executable action) {
		this.load.scheduleWithFixedDelay(() -> {
			try {
				action.execute();
			}
			catch (Throwable ex) {
				// Expected during the outage.
			}
		}, 0, milliseconds, TimeUnit.MILLISECONDS);
	}

	private void awaitHealth(String group, int status) {
		Awaitility.await()
			.atMost(Duration.ofMinutes(3))
			.untilAsserted(() -> assertThat(get("/actuator/health/" + group).statusCode()).isEqualTo(status));
	}

	private HttpResponse<String> get(String path) throws Exception {
		return get(this.httpPort, path);
	}

	private static HttpResponse<String> get(int port, String path) throws Exception {
		return http.send(HttpRequest.newBuilder(URI.create("http://localhost:" + port + path)).build(),
				HttpResponse.BodyHandlers.ofString());
	}

	/**
	 * Waits until Prometheus has scraped the node and the expected alerts fire.
	 */
	private static void awaitAlerts(int prometheus, Consumer<Set<String>> wanted) {
		Awaitility.await().atMost(Duration.ofMinutes(3)).untilAsserted(() -> {
			assertThat(query(prometheus, "count(tls_ticket_failing)")).hasSize(1);
			wanted.accept(firing(prometheus));
		});
	}

	private static Set<String> firing(int prometheus) throws Exception {
		return query(prometheus, "ALERTS%7Balertstate=%22firing%22%7D").valueStream()
			.map((alert) -> alert.at("/metric/alertname").stringValue())
			.collect(Collectors.toSet());
	}

	private static JsonNode query(int prometheus, String query) throws Exception {
		String body = get(prometheus, "/api/v1/query?query=" + query).body();
		return new JsonMapper().readTree(body).at("/data/result");
	}

	enum Fault {

		NONE, FAILS

	}

	private static final class TestProvider extends Provider {

		private static final long serialVersionUID = 1;

		private TestProvider() {
			super("OutageTests", "1", "A random number generator that fails on demand");
			put("SecureRandom.Test", Random.class.getName());
		}

	}

	/** Created by its provider. */
	public static final class Random extends SecureRandomSpi {

		private static final long serialVersionUID = 1;

		private static volatile Fault fault = Fault.NONE;

		private final SecureRandom random = new SecureRandom();

		@Override
		protected void engineSetSeed(byte[] seed) {
			this.random.setSeed(seed);
		}

		@Override
		protected void engineNextBytes(byte[] bytes) {
			if (fault == Fault.FAILS) {
				throw new ProviderException("No entropy");
			}
			this.random.nextBytes(bytes);
		}

		@Override
		protected byte[] engineGenerateSeed(int length) {
			return this.random.generateSeed(length);
		}

	}

}
