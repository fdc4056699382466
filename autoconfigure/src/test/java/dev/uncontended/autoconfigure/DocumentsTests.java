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

package dev.uncontended.autoconfigure;

import java.io.IOException;
import java.io.InputStream;
import java.lang.reflect.ParameterizedType;
import java.lang.reflect.RecordComponent;
import java.lang.reflect.Type;
import java.net.URL;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Function;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import dev.uncontended.actuate.SslSessionsEndpoint;
import dev.uncontended.actuate.UuidEndpoint;
import dev.uncontended.metrics.SslSessionCacheMetrics;
import dev.uncontended.metrics.TicketKeyMetrics;
import dev.uncontended.metrics.TlsHandshakeMetrics;
import dev.uncontended.tls.handshake.FailedTlsHandshake;
import dev.uncontended.tls.handshake.TestHandshakes;
import dev.uncontended.tls.handshake.TlsHandshakes;
import dev.uncontended.tls.handshake.TlsServerId;
import dev.uncontended.tls.session.Reach;
import dev.uncontended.tls.session.internal.TestSessions;
import dev.uncontended.tls.tickets.TicketKeyStatus;
import dev.uncontended.tls.tickets.TicketKeys;
import io.micrometer.core.instrument.Meter;
import io.micrometer.core.instrument.MeterRegistry;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

import org.springframework.beans.factory.config.YamlPropertiesFactoryBean;
import org.springframework.boot.SpringBootConfiguration;
import org.springframework.boot.actuate.endpoint.web.ExposableWebEndpoint;
import org.springframework.boot.actuate.endpoint.web.WebEndpointsSupplier;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.test.context.runner.WebApplicationContextRunner;
import org.springframework.core.io.ByteArrayResource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.mockito.BDDMockito.given;
import static org.mockito.Mockito.mock;

/**
 * Tests for the facts in the documents.
 */
class DocumentsTests {

	private static final Path ROOT = Path.of("..");

	private static final Pattern LINK = Pattern.compile("\\]\\((?!https?:)([^)]+)\\)");

	private static final Pattern CODE = Pattern.compile("`([^`]+)`");

	private static final Pattern BLOCK = Pattern.compile("```(\\w*)\\n(.*?)```", Pattern.DOTALL);

	private static final JsonMapper json = new JsonMapper();

	private final WebApplicationContextRunner contextRunner = new WebApplicationContextRunner()
		.withUserConfiguration(Application.class)
		.withPropertyValues(WithoutStores.PROPERTY, "management.endpoints.web.exposure.include=*");

	/** IDEs show the descriptions, the reference only names and defaults. */
	@Test
	void propertiesHaveDescriptions() throws IOException {
		assertThat(properties((property) -> property.path("description").asString(""))).isNotEmpty()
			.allSatisfy((name, description) -> assertThat(description).as(name).endsWith("."));
	}

	@Test
	void referenceListsDefaultsAsCommentedYaml() throws IOException {
		String yaml = blocks(section("docs/reference.md", "Properties"), "yaml").get(0);
		assertThat(yaml.lines()).allMatch((line) -> line.startsWith("# "));
		assertThat(parse(yaml)).isEqualTo(properties((property) -> property.path("defaultValue").asString("")));
	}

	/** Returns a value for each property of Uncontended, from its metadata. */
	private Map<String, String> properties(Function<JsonNode, String> value) throws IOException {
		Map<String, String> properties = new TreeMap<>();
		try (InputStream metadata = getClass().getResourceAsStream("/META-INF/spring-configuration-metadata.json")) {
			for (JsonNode property : json.readTree(metadata).path("properties")) {
				String name = property.path("name").asString();
				if (name.startsWith("uncontended.")) {
					properties.put(name, value.apply(property));
				}
			}
		}
		return properties;
	}

	@Test
	void referenceListsMetersWithTags() {
		this.contextRunner.run((context) -> {
			MeterRegistry registry = context.getBean(MeterRegistry.class);
			bindMetersOfTls(registry);
			Map<String, Set<String>> expected = new TreeMap<>();
			for (Meter meter : registry.getMeters()) {
				String name = meter.getId().getName();
				if (name.matches("(uuid|tls)\\..*")) {
					expected.computeIfAbsent(name, (key) -> new TreeSet<>()).addAll(tags(meter));
				}
			}
			Map<String, Set<String>> actual = new TreeMap<>();
			for (List<String> row : table("Meters")) {
				Set<String> tags = code(row.get(1)).collect(Collectors.toCollection(TreeSet::new));
				code(row.get(0)).forEach((name) -> actual.put(name, tags));
			}
			assertThat(differences("Meters", expected, actual,
					(tags) -> tags.stream().collect(Collectors.joining("`, `", "`", "`")) + " | ..."))
				.isEmpty();
		});
	}

	/**
	 * Binds meters that appear with a server, its first handshake, and shared keys.
	 */
	private static void bindMetersOfTls(MeterRegistry registry) {
		TlsServerId server = new TlsServerId("tomcat", TlsServerId.Context.APPLICATION);
		TlsHandshakes handshakes = new TlsHandshakes();
		new TlsHandshakeMetrics(handshakes).bindTo(registry);
		handshakes.completed(TestHandshakes.completed(TestHandshakes.kind(server), true));
		handshakes.failed(new FailedTlsHandshake(server, FailedTlsHandshake.Reason.OTHER));
		new SslSessionCacheMetrics(TestSessions.cache(), "sessions").bindTo(registry);
		TicketKeys keys = mock(TicketKeys.class);
		given(keys.status()).willReturn(new TicketKeyStatus("redis", 2, 0, 0, Instant.EPOCH, Duration.ZERO,
				Duration.ofMinutes(1), null, null, null, true));
		new TicketKeyMetrics(keys).bindTo(registry);
	}

	@Test
	void referenceListsOperationsOfEndpoints() {
		this.contextRunner
			.withPropertyValues("management.endpoint.uuid.access=UNRESTRICTED",
					"management.endpoint.sslsessions.access=UNRESTRICTED")
			.run((context) -> {
				Set<String> operations = context.getBean(WebEndpointsSupplier.class)
					.getEndpoints()
					.stream()
					.filter((endpoint) -> Set.of("uuid", "sslsessions").contains(endpoint.getEndpointId().toString()))
					.flatMap(DocumentsTests::operations)
					.collect(Collectors.toCollection(TreeSet::new));
				Set<String> rows = table("Endpoints").stream()
					.flatMap((row) -> code(row.get(0)))
					.filter((code) -> code.contains(" /actuator/"))
					.collect(Collectors.toCollection(TreeSet::new));
				assertThat(rows).containsExactlyInAnyOrderElementsOf(operations);
			});
	}

	@Test
	void referenceListsFieldsOfResponses() throws IOException {
		String section = section("docs/reference.md", "Endpoints");
		Set<String> documented = code(BLOCK.matcher(section).replaceAll(""))
			.flatMap((code) -> Stream.of(code.split("[.]")))
			.collect(Collectors.toSet());
		documented.addAll(names(json.readTree(blocks(section, "json").get(0))));
		documented.addAll(names(json.readTree(blocks(section("docs/uuid.md", "Statistics"), "json").get(0))));
		for (Class<?> response : List.of(UuidEndpoint.UuidDescriptor.class,
				SslSessionsEndpoint.SslSessionsDescriptor.class, SslSessionsEndpoint.EndDescriptor.class)) {
			assertThat(documented).containsAll(fields(response));
		}
	}

	@Test
	void exampleOfSessionsHasFieldsOfResponse() throws IOException {
		Set<String> names = names(json.readTree(blocks(section("docs/reference.md", "Endpoints"), "json").get(0)));
		assertThat(names).containsAll(fields(SslSessionsEndpoint.SslSessionsDescriptor.class));
		names.removeAll(fields(SslSessionsEndpoint.SslSessionsDescriptor.class));
		assertThat(names).containsExactlyInAnyOrder("sslSessionCache", "tomcat (application) by BoringSSL");
	}

	/** Returns the names of all fields in a JSON document. */
	private static Set<String> names(JsonNode node) {
		Set<String> names = new TreeSet<>(node.propertyNames());
		node.forEach((child) -> names.addAll(names(child)));
		return names;
	}

	@Test
	void exampleOfEndIsResponse() throws IOException {
		String example = blocks(section("docs/runbook.md", "The response"), "json").get(0);
		String self = "49d1ab70c992a7a9";
		assertThat(json.readTree(example))
			.isEqualTo(json.valueToTree(new SslSessionsEndpoint.EndDescriptor(Reach.ALL_NODES,
					new SslSessionsEndpoint.ServersDescriptor(List.of("tomcat (application) by BoringSSL"), List.of()),
					new TicketKeyStatus.Nodes(self, List.of(self, "36049df60821f756"), List.of(), List.of()))));
	}

	/** Returns the names of the fields of a response, and of what the fields contain. */
	private static Set<String> fields(Type type) {
		Set<String> fields = new TreeSet<>();
		if (type instanceof ParameterizedType generic) {
			Stream.of(generic.getActualTypeArguments()).forEach((argument) -> fields.addAll(fields(argument)));
		}
		else if (type instanceof Class<?> record && record.isRecord()) {
			for (RecordComponent component : record.getRecordComponents()) {
				fields.add(component.getName());
				fields.addAll(fields(component.getGenericType()));
			}
		}
		return fields;
	}

	@Test
	void opensRunAndTestWithOneCommand() throws IOException {
		for (String heading : List.of("Run", "Test")) {
			assertThat(section("README.md", heading)).containsPattern("\\A\\s*```shell\\n[^\\n]+\\n```");
		}
	}

	@ParameterizedTest
	@MethodSource("documents")
	void linksResolve(String document) throws IOException {
		Path file = ROOT.resolve(document);
		List<String> links = LINK.matcher(Files.readString(file)).results().map((match) -> match.group(1)).toList();
		for (String link : links) {
			String[] parts = link.split("#", 2);
			Path target = parts[0].isEmpty() ? file : file.resolveSibling(parts[0]);
			assertThat(target).exists();
			if (parts.length > 1) {
				assertThat(anchors(Files.readString(target))).as(link).contains(parts[1]);
			}
		}
	}

	@ParameterizedTest
	@MethodSource("documents")
	void tablesHaveAtMostFiveColumns(String document) throws IOException {
		assertThat(Files.readAllLines(ROOT.resolve(document))).filteredOn((line) -> line.startsWith("|---"))
			.allMatch((line) -> line.matches("\\|(-+\\|){1,5}"));
	}

	@ParameterizedTest
	@MethodSource("documents")
	void yamlSetsExistingProperties(String document) throws IOException {
		Set<String> properties = propertiesOfAllLibraries();
		for (String yaml : blocks(Files.readString(ROOT.resolve(document)), "yaml")) {
			assertThat(parse(yaml).keySet()).as(yaml)
				.isNotEmpty()
				.allSatisfy((name) -> assertThat(properties).anyMatch((property) -> name.equals(property)
						|| name.startsWith(property + ".") || name.startsWith(property + "[")));
		}
	}

	/** Returns the names in the metadata on the class path. */
	private static Set<String> propertiesOfAllLibraries() throws IOException {
		Set<String> names = new TreeSet<>();
		for (URL metadata : Collections
			.list(DocumentsTests.class.getClassLoader().getResources("META-INF/spring-configuration-metadata.json"))) {
			try (InputStream stream = metadata.openStream()) {
				json.readTree(stream)
					.path("properties")
					.forEach((property) -> names.add(property.path("name").asString()));
			}
		}
		return names;
	}

	/** Returns the properties of YAML, whose lines may be comments. */
	private static Map<String, String> parse(String yaml) {
		YamlPropertiesFactoryBean parser = new YamlPropertiesFactoryBean();
		parser.setResources(new ByteArrayResource(yaml.replaceAll("(?m)^# ", "").getBytes(StandardCharsets.UTF_8)));
		Map<String, String> properties = new TreeMap<>();
		parser.getObject().forEach((name, value) -> properties.put(name.toString(), value.toString()));
		return properties;
	}

	private static List<String> documents() throws IOException {
		List<String> documents = new ArrayList<>();
		for (String directory : List.of("", "docs", "bench", "sample-app")) {
			try (Stream<Path> files = Files.list(ROOT.resolve(directory))) {
				files.filter((file) -> file.toString().endsWith(".md"))
					.map((file) -> ROOT.relativize(file).toString())
					.forEach(documents::add);
			}
		}
		return documents;
	}

	private static Stream<String> operations(ExposableWebEndpoint endpoint) {
		return endpoint.getOperations()
			.stream()
			.map((operation) -> operation.getRequestPredicate().getHttpMethod() + " /actuator/"
					+ operation.getRequestPredicate().getPath());
	}

	private static Set<String> tags(Meter meter) {
		return meter.getId()
			.getTags()
			.stream()
			.map((tag) -> tag.getKey())
			.collect(Collectors.toCollection(TreeSet::new));
	}

	/** Returns the required changes of a table in the reference, one line per row. */
	private static <T> List<String> differences(String heading, Map<String, T> expected, Map<String, T> actual,
			Function<T, String> cells) {
		List<String> differences = new ArrayList<>();
		expected.forEach((name, value) -> {
			if (!value.equals(actual.get(name))) {
				differences.add("docs/reference.md, %s: %s the row | `%s` | %s |".formatted(heading,
						actual.containsKey(name) ? "correct" : "add", name, cells.apply(value)));
			}
		});
		actual.keySet()
			.stream()
			.filter((name) -> !expected.containsKey(name))
			.forEach((name) -> differences
				.add("docs/reference.md, %s: remove '%s', which does not exist".formatted(heading, name)));
		return differences;
	}

	private static List<List<String>> table(String heading) throws IOException {
		return section("docs/reference.md", heading).lines()
			.filter((line) -> line.startsWith("| `"))
			.map((line) -> Stream.of(line.substring(1).split("\\|")).map(String::strip).toList())
			.toList();
	}

	private static Stream<String> code(String cell) {
		return CODE.matcher(cell).results().map((MatchResult match) -> match.group(1));
	}

	private static String section(String document, String heading) throws IOException {
		String text = Files.readString(ROOT.resolve(document));
		int start = text.indexOf("\n## " + heading + "\n");
		assertThat(start).as("heading '%s' of %s", heading, document).isNotNegative();
		int end = text.indexOf("\n## ", start + 1);
		return text.substring(start + heading.length() + 5, (end != -1) ? end : text.length());
	}

	private static List<String> blocks(String text, String language) {
		return BLOCK.matcher(text)
			.results()
			.filter((block) -> block.group(1).equals(language))
			.map((block) -> block.group(2))
			.toList();
	}

	/** Returns the anchors that GitHub creates. */
	private static Stream<String> anchors(String text) {
		return text.lines()
			.filter((line) -> line.startsWith("#"))
			.map((line) -> line.replaceFirst("^#+ ", "").toLowerCase(Locale.ROOT))
			.map((heading) -> heading.replaceAll("[^a-z0-9 -]", "").replace(' ', '-'));
	}

	@SpringBootConfiguration(proxyBeanMethods = false)
	@EnableAutoConfiguration
	static class Application {

	}

}
