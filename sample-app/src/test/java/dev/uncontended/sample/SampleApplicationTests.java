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
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import java.util.LongSummaryStatistics;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
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
import org.springframework.boot.ssl.SslBundle;
import org.springframework.boot.ssl.SslBundles;
import org.springframework.boot.ssl.SslStoreBundle;
import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.boot.tomcat.TomcatWebServer;
import org.springframework.boot.tomcat.servlet.TomcatServletWebServerFactory;
import org.springframework.boot.web.server.WebServerFactoryCustomizer;
import org.springframework.boot.web.server.servlet.context.ServletWebServerApplicationContext;
import org.springframework.http.HttpHeaders;
import org.springframework.http.HttpOutputMessage;
import org.springframework.http.MediaType;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;
import static org.assertj.core.api.Assertions.withinPercentage;

/**
 * Tests for the sample application, over HTTP and HTTPS.
 */
@SpringBootTest(webEnvironment = SpringBootTest.WebEnvironment.RANDOM_PORT,
		properties = { "sample.https-port=0", "uncontended.ssl.tickets.rotation-interval=3600" })
@Tag("integration")
class SampleApplicationTests {

	@Autowired
	private ServletWebServerApplicationContext context;

	@Autowired
	private SslBundles bundles;

	@Autowired
	private JsonMapper json;

	@Autowired
	private LoadGenerator loadGenerator;

	private HttpClient client;

	private String http;

	private String https;

	@BeforeEach
	void findPorts() {
		SslBundle bundle = this.bundles.getBundle("self-signed");
		SslBundle trusting = SslBundle.of(SslStoreBundle.of(null, null, bundle.getStores().getKeyStore()));
		this.client = HttpClient.newBuilder().sslContext(trusting.createSslContext()).build();
		for (Connector connector : ((TomcatWebServer) this.context.getWebServer()).getTomcat()
			.getService()
			.findConnectors()) {
			String base = connector.getScheme() + "://localhost:" + connector.getLocalPort();
			if (connector.getSecure()) {
				this.https = base;
			}
			else {
				this.http = base;
			}
		}
	}

	@ParameterizedTest
	@CsvSource({ "3, 5df41881-3aed-3515-88a7-2f4a814cf09e", "5, 2ed6657d-e927-568b-95e1-2665a8aea6a2" })
	void returnsRfc9562VectorsOverHttpAndHttps(int version, String expected) throws Exception {
		String path = "/uuids/name?namespace=dns&name=www.example.com&version=" + version;
		assertThat(get(this.http + path).body()).isEqualTo(expected + "\n");
		assertThat(get(this.https + path).body()).isEqualTo(expected + "\n");
	}

	@ParameterizedTest
	@ValueSource(ints = { 4, 7 })
	void returnsOneUuidPerLine(int version) throws Exception {
		HttpResponse<String> response = get(this.https + "/uuids?count=1000&version=" + version);
		assertThat(response.headers().firstValue("Content-Type"))
			.hasValueSatisfying((type) -> assertThat(type).startsWith("text/plain"));
		assertThat(response.body().lines().map(UUID::fromString)).hasSize(1000)
			.doesNotHaveDuplicates()
			.allMatch((uuid) -> uuid.version() == version && uuid.variant() == 2);
	}

	@Test
	void exposesBillOfMaterials() throws Exception {
		HttpResponse<String> response = get(this.http + "/actuator/sbom/application");
		assertThat(this.json.readTree(response.body()).findValuesAsString("purl"))
			.anyMatch((purl) -> purl.startsWith("pkg:maven/dev.uncontended/uncontended-spring-boot-starter@"));
	}

	@Test
	void returnsJsonArrayIfRequested() throws Exception {
		HttpResponse<String> response = get(this.http + "/uuids?count=3", "Accept", "application/json");
		assertThat(response.headers().firstValue("Content-Type")).hasValue("application/json");
		assertThat(this.json.readValue(response.body(), UUID[].class)).hasSize(3).doesNotHaveDuplicates();
	}

	@ParameterizedTest
	@CsvSource(delimiter = '|', quoteCharacter = '"',
			textBlock = """
					/uuids?count=0                               | 'count' must be a whole number from 1 to 100000, but was '0'
					/uuids?count=100001                          | 'count' must be a whole number from 1 to 100000, but was '100001'
					/uuids?count=many                            | 'count' must be a whole number from 1 to 100000, but was 'many'
					/uuids?count=%2B5                            | 'count' must be a whole number from 1 to 100000, but was '+5'
					/uuids?count=%D9%A3                          | 'count' must be a whole number from 1 to 100000, but was '٣'
					/uuids?count=1&count=2                       | 'count' must be a whole number from 1 to 100000, but was '1' and '2'
					/uuids/name?namespace=dns&name=a&name=b      | 'name' must be the name to hash, but was 'a' and 'b'
					/uuids?version=1                             | 'version' must be one of [4, 7], but was '1'
					/uuids/name?namespace=dns&name=a&version=4   | 'version' must be one of [3, 5], but was '4'
					/uuids/name?namespace=home&name=a            | 'namespace' must be one of [dns, oid, url, x500], but was 'home'
					/uuids/name?name=a                           | 'namespace' must be one of [dns, oid, url, x500], but was missing
					/uuids/name?namespace=dns                    | 'name' must be the name to hash, but was missing
					""")
	void reportsAllowedValues(String path, String detail) throws Exception {
		HttpResponse<String> response = get(this.http + path);
		assertThat(response.statusCode()).isEqualTo(400);
		assertThat(response.headers().firstValue("Content-Type")).hasValue("application/problem+json");
		assertThat(this.json.readTree(response.body()).path("detail").stringValue()).isEqualTo("Parameter " + detail);
	}

	@Test
	void malformedUtf8ReturnsProblemDetail() throws Exception {
		HttpResponse<String> response = get(this.http + "/uuids/name?namespace=dns&name=%FF%FE");
		assertThat(response.statusCode()).isEqualTo(400);
		assertThat(response.headers().firstValue("Content-Type")).hasValue("application/problem+json");
		assertThat(response.body()).contains("percent-encoded UTF-8").doesNotContain("Exception", "\tat ");
	}

	@Test
	void rejectsLoadWithUnacceptableMediaType() throws Exception {
		long before = drawn();
		assertThat(post(this.http + "/load?source=pool", "Accept", "text/plain").statusCode()).isEqualTo(406);
		assertThat(drawn()).isEqualTo(before);
	}

	@Test
	void stopsLoadWhenClientDisconnects() throws Exception {
		URI uri = URI.create(this.http);
		// Threads of a load may outlive its response.
		awaitNoThreads("load-pool-");
		try (Socket socket = new Socket(uri.getHost(), uri.getPort())) {
			socket.setSoLinger(true, 0);
			socket.getOutputStream()
				.write(("POST /load?source=pool&threads=2&seconds=30 HTTP/1.1\r\nHost: localhost\r\n\r\n")
					.getBytes(StandardCharsets.US_ASCII));
			assertThat(socket.getInputStream().read()).isEqualTo('H');
			assertThat(threads("load-pool-")).hasSize(2);
		}
		awaitNoThreads("load-pool-");
	}

	/*
	 * Less time than the load of the test takes.
	 */
	private static void awaitNoThreads(String prefix) {
		Awaitility.await().atMost(Duration.ofSeconds(25)).until(() -> threads(prefix).isEmpty());
	}

	private static List<Thread> threads(String prefix) {
		return Thread.getAllStackTraces()
			.keySet()
			.stream()
			.filter((each) -> each.getName().startsWith(prefix))
			.toList();
	}

	@Test
	void drawsUuidsAsTheyAreWritten() throws IOException {
		AtomicInteger drawn = new AtomicInteger();
		AtomicInteger drawnAtFirstWrite = new AtomicInteger();
		OutputStream output = new OutputStream() {

			@Override
			public void write(int each) {
				drawnAtFirstWrite.compareAndSet(0, drawn.get());
			}

		};
		UuidList list = new UuidList((uuids) -> Arrays.setAll(uuids, (i) -> new UUID(0, drawn.incrementAndGet())),
				100_000);
		this.json.writeValue(output, list);
		assertThat(drawn).hasValue(100_000);
		assertThat(drawnAtFirstWrite).hasValueLessThan(1000);
		drawn.set(0);
		drawnAtFirstWrite.set(0);
		new UuidListTextConverter().write(list, MediaType.TEXT_PLAIN, new HttpOutputMessage() {

			@Override
			public OutputStream getBody() {
				return output;
			}

			@Override
			public HttpHeaders getHeaders() {
				return new HttpHeaders();
			}

		});
		assertThat(drawn).hasValue(100_000);
		assertThat(drawnAtFirstWrite).hasValueLessThan(1000);
	}

	@Test
	void createsCertificateThatOutlivesApplication() throws Exception {
		X509Certificate certificate = (X509Certificate) this.bundles.getBundle("self-signed")
			.getStores()
			.getKeyStore()
			.getCertificate("1");
		assertThat(certificate.getNotAfter().toInstant()).isAfter(Instant.now().plus(Duration.ofDays(3650)));
	}

	@Test
	void createsUuidsOfJdkGeneratorLikeJdk() throws Exception {
		UUID uuid = JdkUuids.randomUuid(SecureRandom.getInstance("DRBG"));
		assertThat(uuid.version()).isEqualTo(4);
		assertThat(uuid.variant()).isEqualTo(2);
	}

	@ParameterizedTest
	@ValueSource(strings = { "source=dice", "source=pool&threads=0", "source=pool&threads=301",
			"source=pool&seconds=31", "source=pool&warmup=61", "threads=1" })
	void rejectsLoadOutOfBounds(String query) throws Exception {
		assertThat(post(this.http + "/load?" + query).statusCode()).isEqualTo(400);
	}

	@Test
	void countsDrawsOfLoadExactly() throws Exception {
		long before = drawn();
		long counted = this.loadGenerator.drawn("pool");
		JsonNode result = this.json
			.readTree(post(this.http + "/load?source=pool&threads=32&seconds=1&warmup=0").body());
		assertThat(result.path("generated").longValue()).isPositive();
		assertThat(this.loadGenerator.drawn("pool") - counted).isEqualTo(drawn() - before)
			.isGreaterThanOrEqualTo(result.path("generated").longValue());
		assertThat(result.path("samples").isMissingNode()).isTrue();
		assertThat(result.path("perSecond").doubleValue())
			.isEqualTo(result.path("generated").longValue() / result.path("seconds").doubleValue());
	}

	@Test
	void doesNotMeasureWarmUp() throws Exception {
		long before = drawn();
		JsonNode result = this.json
			.readTree(post(this.http + "/load?source=pool&threads=1&seconds=1&warmup=1&samples=true").body());
		double warmUp = result.at("/warmUp/seconds").doubleValue();
		assertThat(warmUp).isPositive();
		assertThat(drawn() - before).isGreaterThan(result.path("generated").longValue());
		assertThat(result.path("samples")).anySatisfy((sample) -> assertThat(seconds(sample)).isLessThan(warmUp))
			.anySatisfy((sample) -> assertThat(seconds(sample)).isGreaterThan(warmUp));
	}

	@Test
	void loadOnJdkDoesNotDrawFromPool() throws Exception {
		long before = drawn();
		JsonNode result = this.json.readTree(post(this.http + "/load?source=jdk&threads=1&seconds=1&warmup=0").body());
		assertThat(result.path("generated").longValue()).isPositive();
		assertThat(drawn()).isEqualTo(before);
	}

	@Test
	void runsSingleLoad() throws Exception {
		CountDownLatch drawing = new CountDownLatch(1);
		CountDownLatch released = new CountDownLatch(1);
		CompletableFuture<?> running = CompletableFuture.runAsync(() -> load(() -> {
			drawing.countDown();
			awaitUninterruptibly(released);
			return UUID.randomUUID();
		}));
		drawing.await();
		JsonNode progress = this.json.readTree(get(this.http + "/load").body());
		HttpResponse<String> refused = post(this.http + "/load?source=pool&threads=1&seconds=1&warmup=0");
		released.countDown();
		running.join();
		assertThat(refused.statusCode()).isEqualTo(409);
		assertThat(progress.at("/measured/source").stringValue()).isEqualTo("test");
		assertThat(progress.at("/measured/samples").isArray()).isTrue();
		assertThat(get(this.http + "/load").statusCode()).isEqualTo(204);
		assertThat(post(this.http + "/load?source=pool&threads=1&seconds=1&warmup=0").statusCode()).isEqualTo(200);
	}

	@Test
	void warmUpEndsAtSteadyRate() throws Exception {
		JsonNode result = this.json
			.readTree(post(this.http + "/load?source=pool&threads=2&seconds=1&warmup=3&samples=true").body());
		JsonNode samples = result.path("samples");
		List<Double> rates = samples.valueStream()
			.filter((sample) -> seconds(sample) <= result.at("/warmUp/seconds").doubleValue())
			.map((sample) -> sample.path("perSecond").doubleValue())
			.toList();
		List<Double> last = rates.subList(Math.max(0, rates.size() - 4), rates.size());
		double mean = last.stream().mapToDouble(Double::doubleValue).average().orElseThrow();
		if (result.at("/warmUp/steady").booleanValue()) {
			assertThat(last).allSatisfy((rate) -> assertThat(rate).isBetween(0.75 * mean, 1.25 * mean));
		}
		assertThat(result.at("/spread/most").doubleValue()).isPositive();
		assertThat(result.at("/spread/least").doubleValue())
			.isLessThanOrEqualTo(result.at("/spread/median").doubleValue());
		assertThat(result.at("/spread/median").doubleValue())
			.isLessThanOrEqualTo(result.at("/spread/most").doubleValue());
		assertThat(result.at("/machine/processors").intValue()).isEqualTo(Runtime.getRuntime().availableProcessors());
	}

	@Test
	void runsFullAndResumedHandshakesWithBothEngines() throws Exception {
		JsonNode before = this.json.readTree(get(this.http + "/actuator/sslsessions").body());
		JsonNode report = this.json.readTree(post(this.http + "/handshakes?count=11").body());
		JsonNode after = this.json.readTree(get(this.http + "/actuator/sslsessions").body());
		assertThat(report.path("engines").valueStream().map((engine) -> engine.path("engine").stringValue()))
			.containsExactly("jdk", "boringssl");
		assertThat(report.path("engines")).allSatisfy((engine) -> {
			assertThat(engine.at("/full/count").intValue()).isEqualTo(250);
			assertThat(engine.at("/resumed/count").intValue()).isEqualTo(250);
			assertThat(engine.at("/full/micros/median").doubleValue()).isPositive();
			assertThat(engine.at("/resumed/micros/median").doubleValue()).isPositive();
		});
		JsonNode connections = report.path("connections");
		assertThat(connections.path("attempted").intValue()).isEqualTo(10);
		assertThat(connections.at("/full/count").intValue()).isEqualTo(5);
		assertThat(connections.at("/resumed/count").intValue()).isEqualTo(5);
		assertThat(connections.path("failure").isNull()).isTrue();
		assertThat(handshakes(after, "full") - handshakes(before, "full")).isEqualTo(5);
		assertThat(handshakes(after, "resumed") - handshakes(before, "resumed")).isEqualTo(5);
		assertThat(this.json.readTree(get(this.http + "/handshakes").body()).path("last")).isEqualTo(report);
	}

	@Test
	void returnsTimesOfTicketKeysWithoutUnitInSeconds() throws Exception {
		JsonNode state = this.json.readTree(get(this.http + "/handshakes").body());
		assertThat(state.path("rotationInterval").stringValue()).isEqualTo("PT1H");
		assertThat(state.path("ticketLifetime").stringValue()).isEqualTo("PT24H");
	}

	private static long handshakes(JsonNode sessions, String property) {
		return sessions.path("handshakes").valueStream().mapToLong((each) -> each.path(property).longValue()).sum();
	}

	@ParameterizedTest
	@ValueSource(strings = { "/", "/index.html", "/live.js", "/page.css", "/favicon.svg",
			"/webjars/chart.js/dist/chart.umd.min.js" })
	void browsersCachePageUntilItChanges(String path) throws Exception {
		for (String base : List.of(this.http, this.https)) {
			HttpResponse<String> response = get(base + path, "Accept-Encoding", "gzip");
			assertThat(response.headers().firstValue("Cache-Control")).hasValue("no-cache");
			assertThat(response.headers().firstValue("Last-Modified")).isEmpty();
			String tag = response.headers().firstValue("ETag").orElseThrow();
			assertThat(get(base + path, "If-None-Match", tag).statusCode()).isEqualTo(304);
			assertThat(get(base + path, "If-None-Match", "W/\"other\"").statusCode()).isEqualTo(200);
			if (!path.endsWith(".svg")) {
				assertThat(response.headers().firstValue("Content-Encoding")).hasValue("gzip");
			}
		}
	}

	@Test
	void exposesMetersToPrometheus() throws Exception {
		assertThat(get(this.http + "/actuator/prometheus").body()).contains(
				"uuid_generated_total{generator=\"uuidGenerator\",version=\"4\"}", "uuid_pool_stripes",
				"cache_gets_total{cache=\"sslSessionCache\"");
	}

	@Test
	void threadsPauseAfterEachSample() throws Exception {
		AtomicInteger pauses = new AtomicInteger();
		this.loadGenerator.run(new LoadGenerator.Source("pausing", "pausing", UUID::randomUUID),
				new LoadGenerator.Plan(4, 1, 0), () -> {
					Awaitility.await()
						.until(() -> threads("load-pausing-").stream()
							.allMatch((thread) -> thread.getState() == Thread.State.WAITING));
					pauses.incrementAndGet();
				});
		assertThat(pauses).hasValueBetween(1, 4);
	}

	@Test
	void serverPortIsHttpPort() {
		assertThat(this.context.getEnvironment().getProperty("server.port")).isEqualTo("0");
		WebServerFactoryCustomizer<TomcatServletWebServerFactory> customizer = new HttpConnectorConfiguration()
			.httpConnector(8444);
		TomcatServletWebServerFactory factory = new TomcatServletWebServerFactory(8081);
		customizer.customize(factory);
		assertThat(factory.getPort()).isEqualTo(8444);
		assertThat(factory.getAdditionalConnectors()).singleElement()
			.satisfies((connector) -> assertThat(connector.getPort()).isEqualTo(8081));
	}

	/**
	 * The page and the documents publish the same figures.
	 */
	@Test
	void publishedRatesAreFromResultsOfBenchmarks() throws Exception {
		JsonNode uuids = published().path("uuids");
		assertThat(uuids).hasSize(2).allSatisfy((race) -> {
			JsonNode results = this.json.readTree(
					Path.of("../bench/results/random-%s.json".formatted(race.path("threads").asString())).toFile());
			assertPublished(race.at("/lanes/jdk/spread"), results, "JDK");
			assertPublished(race.at("/lanes/pool/spread"), results, "UNCONTENDED");
		});
	}

	private static void assertPublished(JsonNode spread, JsonNode results, String implementation) {
		JsonNode metric = results.valueStream()
			.filter((result) -> result.at("/params/implementation").stringValue().equals(implementation))
			.findFirst()
			.orElseThrow()
			.path("primaryMetric");
		double score = metric.path("score").doubleValue();
		double error = metric.path("scoreError").doubleValue();
		assertThat(List.of("least", "median", "most")).extracting((name) -> spread.path(name).doubleValue() / 1e6)
			.satisfiesExactly((least) -> assertThat(least).isCloseTo(score - error, withinPercentage(0.1)),
					(median) -> assertThat(median).isCloseTo(score, withinPercentage(0.1)),
					(most) -> assertThat(most).isCloseTo(score + error, withinPercentage(0.1)));
	}

	@Test
	void publishedCostsOfHandshakesAreFromTheDocuments() throws Exception {
		JsonNode engines = published().at("/handshakes/engines");
		String document = Files.readString(Path.of("../docs/boringssl.md"));
		for (String kind : List.of("full", "resumed")) {
			List<Integer> costs = engines.valueStream()
				.map((engine) -> engine.path(kind).at("/micros/median").intValue())
				.toList();
			assertThat(costs).hasSize(3);
			assertThat(document).containsPattern("\\| %s \\| %d \\| %d \\| [\\d.]+ \\| %d \\|".formatted(kind,
					costs.get(0), costs.get(1), costs.get(2)));
		}
	}

	@Test
	void publishedLatencyIsFromResultsOfBenchmarks() throws Exception {
		JsonNode latency = published().path("latency");
		List<String> lines = Files.readAllLines(Path.of("../bench/results/connection-latency.tsv"));
		List<String> columns = List.of(lines.get(0).split("\t"));
		assertThat(latency.path("results")).hasSizeGreaterThan(1).allSatisfy((result) -> {
			List<String[]> rounds = lines.stream()
				.map((line) -> line.split("\t"))
				.filter((row) -> row[columns.indexOf("server")].equals(result.path("server").stringValue())
						&& row[columns.indexOf("engine")].equals(result.path("engine").stringValue())
						&& row[columns.indexOf("kind")].equals("full") && row[columns.indexOf("counts")].equals("true")
						&& row[columns.indexOf("rate")].equals(latency.path("perSecond").asString())
						&& (row[0].isEmpty() || row[0].equals(latency.at("/machine/jdk").stringValue())))
				.toList();
			for (String percentile : List.of("p50", "p99")) {
				LongSummaryStatistics micros = rounds.stream()
					.mapToLong((row) -> Long.parseLong(row[columns.indexOf(percentile + " us")]))
					.summaryStatistics();
				assertThat(result.path(percentile).path(0).doubleValue()).as(result.toString())
					.isCloseTo(micros.getMin() / 1000.0, within(0.051));
				assertThat(result.path(percentile).path(1).doubleValue()).as(result.toString())
					.isCloseTo(micros.getMax() / 1000.0, within(0.051));
			}
		});
	}

	private JsonNode published() throws Exception {
		return this.json.readTree(get(this.http + "/published.json").body());
	}

	@Test
	void usesOnlyVersionedApi() throws Exception {
		Set<String> packages = Pattern.compile("(?m)^\\| `(dev\\.uncontended\\.[a-z.]+)` \\|")
			.matcher(Files.readString(Path.of("../docs/reference.md")))
			.results()
			.map((row) -> row.group(1))
			.collect(Collectors.toSet());
		try (Stream<Path> sources = Files.walk(Path.of("src/main/java"))) {
			List<String> used = sources.filter((path) -> path.toString().endsWith(".java"))
				.flatMap(SampleApplicationTests::imports)
				.toList();
			assertThat(used).isNotEmpty().allMatch(packages::contains);
		}
	}

	/**
	 * Returns the packages of Uncontended that a source imports.
	 */
	private static Stream<String> imports(Path source) {
		try {
			return Pattern.compile("(?m)^import (?:static )?(dev\\.uncontended[a-z.]*)\\.[A-Z]")
				.matcher(Files.readString(source))
				.results()
				.map((match) -> match.group(1));
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

	@Test
	void listensOnLoopbackOnly() {
		assertThat(((TomcatWebServer) this.context.getWebServer()).getTomcat().getService().findConnectors())
			.allSatisfy((connector) -> assertThat(connector.getProperty("address")).hasToString("/127.0.0.1"));
	}

	private void load(Supplier<UUID> source) {
		try {
			this.loadGenerator.run(new LoadGenerator.Source("test", "test", source), new LoadGenerator.Plan(1, 1, 0),
					() -> {
					});
		}
		catch (InterruptedException | IOException ex) {
			throw new IllegalStateException(ex);
		}
	}

	private static void awaitUninterruptibly(CountDownLatch latch) {
		try {
			latch.await();
		}
		catch (InterruptedException ex) {
			throw new IllegalStateException(ex);
		}
	}

	private static double seconds(JsonNode sample) {
		return sample.path("seconds").doubleValue();
	}

	private long drawn() throws IOException, InterruptedException {
		return this.json.readTree(get(this.https + "/actuator/uuid").body())
			.at("/generators/uuidGenerator/generated/random")
			.longValue();
	}

	private HttpResponse<String> get(String uri, String... headers) throws IOException, InterruptedException {
		HttpRequest.Builder request = HttpRequest.newBuilder(URI.create(uri)).timeout(Duration.ofSeconds(90));
		if (headers.length > 0) {
			request.headers(headers);
		}
		return this.client.send(request.build(), HttpResponse.BodyHandlers.ofString());
	}

	private HttpResponse<String> post(String uri, String... headers) throws IOException, InterruptedException {
		HttpRequest.Builder request = HttpRequest.newBuilder(URI.create(uri))
			.timeout(Duration.ofSeconds(90))
			.POST(HttpRequest.BodyPublishers.noBody());
		if (headers.length > 0) {
			request.headers(headers);
		}
		return this.client.send(request.build(), HttpResponse.BodyHandlers.ofString());
	}

}
