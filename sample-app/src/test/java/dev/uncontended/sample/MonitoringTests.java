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
import java.security.KeyStore;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import dev.uncontended.metrics.TicketKeyMetrics;
import dev.uncontended.tls.redis.RedisTicketStore;
import dev.uncontended.tls.tickets.TicketKeyRotation;
import dev.uncontended.tls.tickets.TicketKeys;
import dev.uncontended.tls.tickets.TicketSecret;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.yaml.snakeyaml.Yaml;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.ssl.SslBundle;
import org.springframework.boot.ssl.SslBundles;
import org.springframework.boot.ssl.SslStoreBundle;
import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.boot.test.context.TestConfiguration;
import org.springframework.boot.web.server.servlet.context.ServletWebServerApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.data.redis.connection.lettuce.LettuceConnectionFactory;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

/**
 * Tests for the Grafana dashboard and the Prometheus examples, with the metrics of the
 * application.
 */
@SpringBootTest(webEnvironment = SpringBootTest.WebEnvironment.RANDOM_PORT, properties = "sample.https-port=0")
@Tag("integration")
class MonitoringTests {

	private static final Path DIRECTORY = Path.of("grafana");

	/** Labels that Prometheus adds when scraping. */
	private static final Set<String> TARGET_LABELS = Set.of("instance", "job");

	private static final Pattern SAMPLE = Pattern.compile("(?m)^([a-z_]+)\\{([^}]*)}");

	private static final Pattern LABEL = Pattern.compile("([a-z_]+)\\s*=~?\\s*\"");

	private static final Pattern GROUPING = Pattern.compile("\\bby\\s*\\(([^)]*)\\)");

	private static final Pattern AGGREGATION = Pattern
		.compile("\\bby\\s*\\(([^)]*)\\)\\s*\\((?:rate\\(|increase\\()?([a-z_]+)");

	private static final Pattern SELECTOR = Pattern.compile("\\b([a-z]+(?:_[a-z]+)+)\\b(?:\\{([^}]*)})?");

	private static final JsonMapper json = new JsonMapper();

	@Autowired
	private PrometheusMeterRegistry registry;

	@Autowired
	private ServletWebServerApplicationContext webServer;

	@Autowired
	private SslBundles bundles;

	@Test
	void dashboardQueriesUseExistingMetersAndLabels() throws Exception {
		Map<String, Set<String>> meters = meters();
		assertThat(targets()).isNotEmpty()
			.allSatisfy((target) -> assertExists(target.path("expr").stringValue(), meters));
	}

	@Test
	void dashboardQueriesSelectInstanceAndCache() throws IOException {
		assertThat(targets()).allSatisfy((target) -> {
			String query = target.path("expr").stringValue();
			assertThat(grouping(query)).contains("job", "instance");
			assertThat(query).contains("job=~\"$job\"", "instance=~\"$instance\"");
			if (query.contains("tls_sessions")) {
				assertThat(query).contains("cache=~\"$cache\"");
			}
		});
	}

	@Test
	void dashboardShowsZeroBeforeFirstHandshake(@TempDir Path directory) throws Exception {
		String labels = "job=\"shop\",instance=\"a:8080\"";
		assertZero(queries("tls_handshake"), List.of("tls_sessions_expirations_total{" + labels + "}"), labels,
				directory);
	}

	@Test
	void dashboardShowsZeroWhileIdle(@TempDir Path directory) throws Exception {
		assertZero(queries(" / "),
				Stream.of("uuid_pool_stripes", "uuid_pool_contended_total", "uuid_generated_total",
						"uuid_pool_refill_seconds_sum", "uuid_pool_refill_seconds_count",
						"tls_handshakes_seconds_count", "tls_handshakes_seconds_sum", "tls_sessions_expirations_total")
					.map("%s{version=\"4\",resumed=\"true\"}"::formatted)
					.toList(),
				"", directory);
	}

	private static List<String> queries(String part) throws IOException {
		return targets().stream()
			.map((target) -> target.path("expr").stringValue())
			.filter((query) -> query.contains(part))
			.toList();
	}

	/**
	 * Asserts that the queries return 0 while the values of the series do not change.
	 */
	private static void assertZero(List<String> queries, List<String> series, String labels, Path directory)
			throws Exception {
		assumePromtool();
		assertThat(queries).isNotEmpty();
		Path tests = directory.resolve("tests.yml");
		Files.writeString(tests, "tests:\n- interval: 1m\n  input_series:\n"
				+ series.stream().map("  - {series: '%s', values: '8x20'}\n"::formatted).collect(Collectors.joining())
				+ "  promql_expr_test:\n"
				+ queries.stream()
					.map((query) -> """
							  - expr: '%s'
							    eval_time: 10m
							    exp_samples: [{labels: '{%s}', value: 0}]
							""".formatted(forPromtool(query).replaceAll("\\$\\w+", ".*"), labels))
					.collect(Collectors.joining()));
		assertAccepts("test", "rules", tests);
	}

	@Test
	void alertsFireForAffectedInstanceAndResolve(@TempDir Path directory) throws Exception {
		assumePromtool();
		Path tests = directory.resolve("tests.yml");
		Files.writeString(tests,
				"""
						rule_files: ['%s']
						tests:
						- interval: 1m
						  input_series:
						  - {series: 'uuid_pool_failing{job="shop",instance="a:1",generator="g"}', values: '1x60 0x90'}
						  - {series: 'uuid_pool_failing{job="till",instance="a:1",generator="g"}', values: '0x150'}
						  - {series: 'uuid_pool_refill_failures_total{job="shop",instance="a:1",generator="g"}', values: '0+1x60 60x90'}
						  - {series: 'uuid_pool_refill_failures_total{job="till",instance="a:1",generator="g"}', values: '0x150'}
						  - {series: 'tls_handshakes_failed_total{job="shop",instance="a:1",context="application",reason="certificate"}', values: '0+9x60 540x90'}
						  - {series: 'tls_handshakes_seconds_count{job="till",instance="a:1",context="application",resumed="false"}', values: '0+900x60 54000+90x90'}
						  - {series: 'tls_handshakes_seconds_count{job="till",instance="a:1",context="application",resumed="true"}', values: '0+90x60 5400+900x90'}
						  - {series: 'tls_ticket_failing{job="shop",instance="a:1",source="redis"}', values: '1x60 0x90'}
						  - {series: 'tls_ticket_failing{job="till",instance="a:1",source="redis"}', values: '0x150'}
						  promql_expr_test:
						  - expr: count by (alertname, job, instance) (ALERTS{alertstate="firing"})
						    eval_time: 55m
						    exp_samples:
						    - {labels: '{alertname="UuidPoolFails",job="shop",instance="a:1"}', value: 1}
						    - {labels: '{alertname="UuidRefillsFail",job="shop",instance="a:1"}', value: 1}
						    - {labels: '{alertname="TlsHandshakesFail",job="shop",instance="a:1"}', value: 1}
						    - {labels: '{alertname="FewTlsHandshakesResume",job="till",instance="a:1"}', value: 1}
						    - {labels: '{alertname="TicketKeysFail",job="shop",instance="a:1"}', value: 1}
						  - expr: ALERTS
						    eval_time: 140m
						"""
					.formatted(DIRECTORY.resolve("alerts.yml").toAbsolutePath()));
		assertAccepts("test", "rules", tests);
	}

	@Test
	void alertsUseExistingMetersAndLabels() throws Exception {
		Map<String, Set<String>> meters = meters();
		assertThat(alerts()).isNotEmpty().allSatisfy((alert) -> {
			assertThat(grouping(alert.path("expr").stringValue())).contains("job");
			assertExists(alert.path("expr").stringValue(), meters);
		});
	}

	@Test
	void documentationExplainsEachAlert() throws IOException {
		String section = Files.readString(Path.of("../docs/operations.md"))
			.split("\n## Dashboard and alerts\n|\n## Leaving the starter\n")[1];
		assertThat(section.lines()).filteredOn((line) -> line.matches("\\| `[A-Z].*"))
			.extracting((line) -> line.split("`")[1])
			.containsExactlyElementsOf(alerts().stream().map((alert) -> alert.path("alert").stringValue()).toList());
	}

	@ParameterizedTest
	@CsvSource(textBlock = """
			FewTlsHandshakesResume, 100, 900, 0, true
			FewTlsHandshakesResume, 900, 100, 0, false
			FewTlsHandshakesResume, 0, 12, 0, false
			TlsHandshakesFail,      90, 10, 20, true
			TlsHandshakesFail,      90, 10, 0, false
			TlsHandshakesFail,      0, 0, 1, false
			""")
	void tlsAlertsFireAsDocumented(String alert, int resumed, int full, int failed, boolean fires,
			@TempDir Path directory) throws Exception {
		assumePromtool();
		Path test = directory.resolve("test.yml");
		Files.writeString(test, """
				rule_files: ['%s']
				evaluation_interval: 1m
				tests:
				  - interval: 1m
				    input_series:
				      - series: 'tls_handshakes_seconds_count{instance="a", context="application", resumed="true"}'
				        values: '0+%dx120'
				      - series: 'tls_handshakes_seconds_count{instance="a", context="application", resumed="false"}'
				        values: '0+%dx120'
				      - series: 'tls_handshakes_failed_total{instance="a", context="application", reason="cipher"}'
				        values: '0+%dx120'
				    promql_expr_test:
				      - expr: count(ALERTS{alertname="%s", alertstate="firing"})
				        eval_time: 90m
				""".formatted(DIRECTORY.resolve("alerts.yml").toAbsolutePath(), resumed, full, failed, alert)
				+ (fires ? "        exp_samples: [{labels: '{}', value: 1}]\n" : ""));
		assertAccepts("test", "rules", test);
	}

	/**
	 * Values of the calm night, of a deployment that resets the counters, and of clients
	 * that no longer negotiate the group.
	 */
	@ParameterizedTest
	@CsvSource(textBlock = """
			3000, 3000, 2900, 3100, false
			30, 30, 0, 60, false
			3000, 3000, 1600, 4400, false
			3000, 3000, 300, 5700, true
			3000, 3000, 0, 6000, true
			0, 6000, 0, 6000, false
			""")
	@Tag("product")
	void alertsIfShareOfPostQuantumGroupsFalls(int hybridBefore, int otherBefore, int hybrid, int other, boolean fires,
			@TempDir Path directory) throws Exception {
		assumePromtool();
		Path test = directory.resolve("test.yml");
		Files.writeString(test,
				"""
						rule_files: ['%s']
						evaluation_interval: 10m
						tests:
						  - interval: 10m
						    input_series:
						      - series: 'tls_handshakes_seconds_count{job="shop", instance="a", context="application", group="X25519MLKEM768"}'
						        values: '0+%dx1020 0+%dx30'
						      - series: 'tls_handshakes_seconds_count{job="shop", instance="a", context="application", group="x25519"}'
						        values: '0+%dx1020 0+%dx30'
						      - series: 'tls_handshakes_seconds_count{job="shop", instance="a", context="application", group="none"}'
						        values: '0+9000x1050'
						    promql_expr_test:
						      - expr: count(ALERTS{alertname="PostQuantumShareFalls", alertstate="firing"})
						        eval_time: 174h
						"""
					.formatted(DIRECTORY.resolve("alerts.yml").toAbsolutePath(), hybridBefore, hybrid, otherBefore,
							other)
						+ (fires ? "        exp_samples: [{labels: '{}', value: 1}]\n" : ""));
		assertAccepts("test", "rules", test);
	}

	@Test
	void alertsStaySilentAfterOneFailedRefillAndDuringDeployment(@TempDir Path directory) throws Exception {
		assumePromtool();
		Path test = directory.resolve("test.yml");
		Files.writeString(test,
				"""
						rule_files: ['%s']
						evaluation_interval: 1m
						tests:
						  - interval: 1m
						    input_series:
						      - series: 'uuid_pool_failing{job="shop", instance="a", generator="g"}'
						        values: '0x30 1x90'
						      - series: 'uuid_pool_refill_failures_total{job="shop", instance="a", generator="g"}'
						        values: '0x30 1x90'
						      - series: 'tls_handshakes_seconds_count{job="shop", instance="a", context="application", resumed="true"}'
						        values: '0+900x40 0x10 0+900x70'
						      - series: 'tls_handshakes_seconds_count{job="shop", instance="a", context="application", resumed="false"}'
						        values: '0+100x40 0+900x10 9000+100x70'
						    promql_expr_test:
						      - expr: count(ALERTS{alertname!="UuidRefillsFail", alertstate="firing"})
						        eval_time: 33m
						      - expr: count(ALERTS{alertstate="firing"})
						        eval_time: 52m
						      - expr: count(ALERTS{alertstate="firing"})
						        eval_time: 90m
						"""
					.formatted(DIRECTORY.resolve("alerts.yml").toAbsolutePath()));
		assertAccepts("test", "rules", test);
	}

	@Test
	void promtoolAcceptsExamplesAndQueries(@TempDir Path directory) throws Exception {
		assumePromtool();
		assertAccepts("check", "config", DIRECTORY.resolve("prometheus.yml"));
		Path rules = directory.resolve("rules.yml");
		Files.writeString(rules,
				targets().stream()
					.map((target) -> "  - record: query\n    labels: {query: '%s'}\n    expr: '%s'\n"
						.formatted(target.hashCode(), forPromtool(target.path("expr").stringValue())))
					.collect(Collectors.joining("", "groups:\n- name: dashboard\n  rules:\n", "")));
		assertAccepts("check", "rules", rules);
	}

	private static void assumePromtool() {
		assumeTrue(Programs.areInstalled("promtool"), "promtool is not installed");
	}

	private static String forPromtool(String query) {
		return query.replace("$__rate_interval", "1m");
	}

	private static void assertAccepts(String check, String what, Path file) throws Exception {
		Process promtool = new ProcessBuilder("promtool", check, what, file.toString()).redirectErrorStream(true)
			.start();
		String output = new String(promtool.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
		assertThat(promtool.waitFor()).as(output).isZero();
	}

	private static void assertExists(String query, Map<String, Set<String>> meters) {
		List<MatchResult> selectors = matches(SELECTOR,
				GROUPING.matcher(query).replaceAll("").replace("group_left", ""))
			.toList();
		assertThat(selectors).as(query).isNotEmpty();
		for (MatchResult selector : selectors) {
			assertThat(meters).containsKey(selector.group(1));
			if (selector.group(2) != null) {
				assertThat(labelsOf(selector.group(1), meters)).as(selector.group())
					.containsAll(labels(selector.group(2)));
			}
		}
		assertThat(matches(AGGREGATION, query)).as(query)
			.isNotEmpty()
			.allSatisfy((aggregation) -> assertThat(labelsOf(aggregation.group(2), meters))
				.containsAll(List.of(aggregation.group(1).split("\\s*,\\s*"))));
	}

	private static Set<String> labelsOf(String meter, Map<String, Set<String>> meters) {
		Set<String> labels = new HashSet<>(meters.get(meter));
		labels.addAll(TARGET_LABELS);
		return labels;
	}

	private static Set<String> grouping(String query) {
		return matches(GROUPING, query).flatMap((match) -> Stream.of(match.group(1).split("\\s*,\\s*")))
			.collect(Collectors.toSet());
	}

	private static Set<String> labels(String matchers) {
		return matches(LABEL, matchers).map((match) -> match.group(1)).collect(Collectors.toSet());
	}

	private static Stream<MatchResult> matches(Pattern pattern, String text) {
		return pattern.matcher(text).results();
	}

	/**
	 * Returns the meters by name with their labels, after a completed and a failed
	 * handshake have created all series.
	 */
	private Map<String, Set<String>> meters() throws Exception {
		handshake(this.bundles.getBundle("self-signed").getStores().getKeyStore());
		failedHandshake();
		Map<String, Set<String>> meters = new HashMap<>();
		matches(SAMPLE, this.registry.scrape())
			.forEach((sample) -> meters.put(sample.group(1), labels(sample.group(2))));
		return meters;
	}

	private void handshake(KeyStore trusted) throws IOException, InterruptedException {
		HttpClient client = HttpClient.newBuilder()
			.sslContext(SslBundle.of(SslStoreBundle.of(null, null, trusted)).createSslContext())
			.build();
		URI uri = URI.create("https://localhost:" + this.webServer.getWebServer().getPort() + "/uuids");
		client.send(HttpRequest.newBuilder(uri).build(), HttpResponse.BodyHandlers.discarding());
	}

	private void failedHandshake() throws IOException {
		try (Socket socket = new Socket("localhost", this.webServer.getWebServer().getPort())) {
			socket.getOutputStream().write("This is not TLS\r\n\r\n".getBytes(StandardCharsets.US_ASCII));
			socket.getInputStream().readAllBytes();
		}
		await().atMost(Duration.ofMinutes(1))
			.until(() -> this.registry.find("tls.handshakes.failed").counter() != null);
	}

	private static List<JsonNode> targets() throws IOException {
		return dashboard().path("panels")
			.valueStream()
			.flatMap((panel) -> panel.path("targets").valueStream())
			.toList();
	}

	private static JsonNode dashboard() throws IOException {
		return json.readTree(Files.readString(DIRECTORY.resolve("dashboard.json")));
	}

	private static List<JsonNode> alerts() throws IOException {
		return yaml("alerts.yml").path("groups")
			.valueStream()
			.flatMap((group) -> group.path("rules").valueStream())
			.toList();
	}

	private static JsonNode yaml(String file) throws IOException {
		Object content = new Yaml().load(Files.readString(DIRECTORY.resolve(file)));
		return json.valueToTree(content);
	}

	/**
	 * Provides ticket keys even if BoringSSL is not available. They never reach Redis.
	 */
	@TestConfiguration(proxyBeanMethods = false)
	static class TicketKeyConfiguration {

		@Bean
		TicketKeys ticketKeys() {
			return TicketKeys.shared(new RedisTicketStore(new LettuceConnectionFactory()), "test",
					TicketKeys.MAXIMUM_POLL_INTERVAL, List.of(new TicketSecret("the secret of the test, 32 bytes")), 0,
					new TicketKeyRotation(Duration.ofHours(12), Duration.ofHours(24)), new SecureRandom());
		}

		@Bean
		TicketKeyMetrics ticketKeyMetrics(TicketKeys keys) {
			return new TicketKeyMetrics(keys);
		}

	}

}
