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

package dev.uncontended.sample.demo;

import java.io.IOException;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.stream.Stream;

import org.apache.catalina.connector.Connector;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.boot.tomcat.TomcatWebServer;
import org.springframework.boot.web.server.servlet.context.ServletWebServerApplicationContext;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for what the page requests: loads, the comparison of engines, and clients.
 */
@SpringBootTest(webEnvironment = SpringBootTest.WebEnvironment.RANDOM_PORT,
		properties = { "sample.https-port=0", "sample.handshake-warm-up=0s" })
@Tag("integration")
class DemoTests {

	private final HttpClient client = HttpClient.newHttpClient();

	@Autowired
	private ServletWebServerApplicationContext context;

	@Autowired
	private JsonMapper json;

	private URI http;

	@BeforeEach
	void findPort() {
		this.http = Stream.of(((TomcatWebServer) this.context.getWebServer()).getTomcat().getService().findConnectors())
			.filter((connector) -> !connector.getSecure())
			.mapToInt(Connector::getLocalPort)
			.mapToObj((port) -> URI.create("http://localhost:" + port))
			.findFirst()
			.orElseThrow();
	}

	@Test
	void loadReturnsSamplesAndResult() throws Exception {
		long before = drawn();
		List<JsonNode> lines = post("/load?source=pool&threads=32&seconds=1&warmup=1").body()
			.lines()
			.map(this.json::readTree)
			.toList();
		long generated = lines.stream().mapToLong((line) -> line.at("/sample/generated").asLong(0)).sum();
		assertThat(drawn() - before).isEqualTo(generated).isPositive();
		JsonNode result = lines.get(lines.size() - 1).path("result");
		assertThat(result.path("generated").longValue()).isPositive().isLessThan(generated);
		assertThat(result.at("/machine/processors").intValue()).isEqualTo(Runtime.getRuntime().availableProcessors());
	}

	@Test
	void loadOnJdkDoesNotDrawFromPool() throws Exception {
		long before = drawn();
		assertThat(post("/load?source=jdk&threads=1&seconds=1&warmup=0").body()).contains("\"UUID.randomUUID()\"");
		assertThat(drawn()).isEqualTo(before);
	}

	@ParameterizedTest
	@CsvSource({ "time-ordered, /generators/uuidGenerator/generated/timeOrdered",
			"names, /names/md5NameUuidFactory/generated" })
	void loadDrawsFromBean(String source, String count) throws Exception {
		long before = count(count);
		List<JsonNode> lines = post("/load?source=" + source + "&threads=2&seconds=1&warmup=0").body()
			.lines()
			.map(this.json::readTree)
			.toList();
		assertThat(count(count) - before).isPositive()
			.isEqualTo(lines.get(lines.size() - 1).at("/result/generated").longValue());
	}

	@Test
	void loadOnNamesOfJdkDoesNotUseFactory() throws Exception {
		long before = count("/names/md5NameUuidFactory/generated");
		assertThat(post("/load?source=jdk-names&threads=1&seconds=1&warmup=0").body())
			.contains("\"UUID.nameUUIDFromBytes()\"");
		assertThat(count("/names/md5NameUuidFactory/generated")).isEqualTo(before);
	}

	@ParameterizedTest
	@ValueSource(strings = { "source=dice", "source=pool&threads=0", "source=pool&threads=301",
			"source=pool&seconds=31", "source=pool&warmup=61", "threads=1" })
	void rejectsLoadOutOfBounds(String query) throws Exception {
		assertThat(post("/load?" + query).statusCode()).isEqualTo(400);
	}

	@Test
	void runsOneLoadUntilClientDisconnects() throws Exception {
		try (Socket socket = new Socket(this.http.getHost(), this.http.getPort())) {
			socket.setSoLinger(true, 0);
			socket.getOutputStream()
				.write(("POST /load?source=pool&threads=2&seconds=30 HTTP/1.1\r\nHost: localhost\r\n\r\n")
					.getBytes(StandardCharsets.US_ASCII));
			assertThat(socket.getInputStream().read()).isEqualTo('H');
			assertThat(post("/load?source=pool&threads=1&seconds=1&warmup=0").statusCode()).isEqualTo(409);
		}
		Awaitility.await()
			.atMost(Duration.ofSeconds(25))
			.until(() -> post("/load?source=pool&threads=1&seconds=1&warmup=0").statusCode() == 200);
	}

	@Test
	@Tag("product")
	void comparesCostOfFullAndResumedHandshakes() throws Exception {
		JsonNode report = this.json.readTree(post("/comparison").body());
		assertThat(report.path("engines").valueStream().map((engine) -> engine.path("engine").stringValue()))
			.containsExactly("jdk", "boringssl");
		assertThat(report.path("engines")).allSatisfy((engine) -> {
			assertThat(engine.at("/full/count").intValue()).isEqualTo(250);
			assertThat(engine.at("/resumed/count").intValue()).isEqualTo(250);
			assertThat(engine.at("/full/micros/median").doubleValue()).isPositive();
			assertThat(engine.at("/resumed/micros/median").doubleValue()).isPositive();
		});
	}

	@Test
	void sessionsOfClientsComeAndAreFound() throws Exception {
		JsonNode before = cache();
		assertThat(post("/clients").body()).isEqualTo("{\"full\":25,\"resumed\":0,\"failed\":0,\"failure\":null}");
		for (int i = 0; i < 2; i++) {
			assertThat(post("/clients/return").body())
				.isEqualTo("{\"full\":0,\"resumed\":25,\"failed\":0,\"failure\":null}");
		}
		JsonNode after = cache();
		assertThat(after.path("size").longValue() - before.path("size").longValue()).isEqualTo(25);
		assertThat(after.at("/stats/puts").longValue() - before.at("/stats/puts").longValue()).isEqualTo(25);
		assertThat(after.at("/stats/misses")).isEqualTo(before.at("/stats/misses"));
		assertThat(after.at("/stats/hits").longValue() - before.at("/stats/hits").longValue()).isEqualTo(50);
	}

	@Test
	void browsersRevalidatePage() throws Exception {
		HttpResponse<String> response = send("GET", "/");
		assertThat(response.headers().firstValue("Cache-Control")).hasValue("no-cache");
		assertThat(response.headers().firstValue("Last-Modified")).isEmpty();
	}

	private long drawn() throws IOException, InterruptedException {
		return count("/generators/uuidGenerator/generated/random");
	}

	private long count(String pointer) throws IOException, InterruptedException {
		return this.json.readTree(send("GET", "/actuator/uuid").body()).at(pointer).asLong(0);
	}

	private JsonNode cache() throws IOException, InterruptedException {
		return this.json.readTree(send("GET", "/actuator/sslsessions").body()).at("/caches/sslSessionCache");
	}

	private HttpResponse<String> post(String path) throws IOException, InterruptedException {
		return send("POST", path);
	}

	private HttpResponse<String> send(String method, String path) throws IOException, InterruptedException {
		HttpRequest request = HttpRequest.newBuilder(this.http.resolve(path))
			.timeout(Duration.ofSeconds(90))
			.method(method, HttpRequest.BodyPublishers.noBody())
			.build();
		return this.client.send(request, HttpResponse.BodyHandlers.ofString());
	}

}
