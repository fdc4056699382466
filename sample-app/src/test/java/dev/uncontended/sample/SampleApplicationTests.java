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
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import org.apache.catalina.connector.Connector;
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
import org.springframework.boot.web.server.servlet.context.ServletWebServerApplicationContext;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for the sample application, over HTTP and HTTPS.
 */
@SpringBootTest(webEnvironment = SpringBootTest.WebEnvironment.RANDOM_PORT, properties = "sample.https-port=0")
@Tag("integration")
class SampleApplicationTests {

	private static final Path SOURCES = Path.of("src/main/java/dev/uncontended/sample");

	@Autowired
	private ServletWebServerApplicationContext context;

	@Autowired
	private SslBundles bundles;

	@Autowired
	private JsonMapper json;

	private HttpClient client;

	private String http;

	private String https;

	@BeforeEach
	void findPorts() {
		SslBundle bundle = this.bundles.getBundle("self-signed");
		SslBundle trusting = SslBundle.of(SslStoreBundle.of(null, null, bundle.getStores().getKeyStore()));
		this.client = HttpClient.newBuilder().sslContext(trusting.createSslContext()).build();
		for (Connector connector : connectors()) {
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
		assertThat(this.json.readValue(get(this.http + path).body(), String.class)).isEqualTo(expected);
		assertThat(this.json.readValue(get(this.https + path).body(), String.class)).isEqualTo(expected);
	}

	@ParameterizedTest
	@ValueSource(ints = { 4, 7 })
	void returnsUuids(int version) throws Exception {
		HttpResponse<String> response = get(this.https + "/uuids?count=1000&version=" + version);
		assertThat(this.json.readValue(response.body(), UUID[].class)).hasSize(1000)
			.doesNotHaveDuplicates()
			.allMatch((uuid) -> uuid.version() == version && uuid.variant() == 2);
	}

	@ParameterizedTest
	@CsvSource({ "/uuids?count=0, count", "/uuids?count=100001, count", "/uuids?count=many, count",
			"/uuids?version=1, version", "/uuids/name?namespace=dns&name=a&version=4, version",
			"/uuids/name?namespace=home&name=a, namespace", "/uuids/name?name=a, namespace",
			"/uuids/name?namespace=dns, name" })
	void problemNamesInvalidParameter(String path, String parameter) throws Exception {
		HttpResponse<String> response = get(this.http + path);
		assertThat(response.statusCode()).isEqualTo(400);
		assertThat(response.headers().firstValue("Content-Type")).hasValue("application/problem+json");
		assertThat(this.json.readTree(response.body()).path("detail").stringValue()).contains("'" + parameter + "'");
	}

	@Test
	void endpointsReportConfiguration() throws Exception {
		JsonNode pool = this.json.readTree(get(this.http + "/actuator/uuid").body())
			.at("/generators/uuidGenerator/pool");
		assertThat(pool.path("stripes").intValue()).isEqualTo(32);
		assertThat(pool.path("bufferSize").intValue()).isEqualTo(8192);
		JsonNode cache = this.json.readTree(get(this.http + "/actuator/sslsessions").body())
			.at("/caches/sslSessionCache");
		assertThat(cache.path("maximumSize").intValue()).isEqualTo(200000);
		assertThat(cache.path("timeout").stringValue()).isEqualTo("PT1M");
	}

	@Test
	void exposesBillOfMaterials() throws Exception {
		HttpResponse<String> response = get(this.http + "/actuator/sbom/application");
		assertThat(this.json.readTree(response.body()).findValuesAsString("purl"))
			.anyMatch((purl) -> purl.startsWith("pkg:maven/dev.uncontended/uncontended-spring-boot-starter@"));
	}

	@Test
	void serverPortIsHttpPort() {
		TomcatServletWebServerFactory factory = new TomcatServletWebServerFactory(8081);
		new HttpConnectorConfiguration().httpConnector(8444).customize(factory);
		assertThat(factory.getPort()).isEqualTo(8444);
		assertThat(factory.getAdditionalConnectors()).singleElement()
			.satisfies((connector) -> assertThat(connector.getPort()).isEqualTo(8081));
	}

	@Test
	void listensOnLoopbackOnly() {
		assertThat(connectors())
			.allSatisfy((connector) -> assertThat(connector.getProperty("address")).hasToString("/127.0.0.1"));
	}

	@Test
	void usesOnlyVersionedApi() throws Exception {
		Set<String> packages = Pattern.compile("(?m)^\\| `(dev\\.uncontended\\.[a-z.]+)` \\|")
			.matcher(Files.readString(Path.of("../docs/reference.md")))
			.results()
			.map((row) -> row.group(1))
			.collect(Collectors.toSet());
		packages.add("dev.uncontended.sample.demo");
		try (Stream<Path> sources = Files.walk(SOURCES)) {
			assertThat(imports(sources)).isNotEmpty().allMatch(packages::contains);
		}
	}

	@Test
	void whatToCopyDoesNotUsePage() throws Exception {
		try (Stream<Path> sources = Files.list(SOURCES)) {
			assertThat(imports(sources)).isNotEmpty().noneMatch((name) -> name.startsWith("dev.uncontended.sample"));
		}
	}

	/**
	 * Returns the packages of Uncontended that sources import.
	 */
	private static List<String> imports(Stream<Path> sources) {
		return sources.filter((path) -> path.toString().endsWith(".java"))
			.flatMap((source) -> Pattern.compile("(?m)^import (?:static )?(dev\\.uncontended[a-z.]*)\\.[A-Z]")
				.matcher(read(source))
				.results())
			.map((match) -> match.group(1))
			.toList();
	}

	private static String read(Path source) {
		try {
			return Files.readString(source);
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

	private List<Connector> connectors() {
		return List.of(((TomcatWebServer) this.context.getWebServer()).getTomcat().getService().findConnectors());
	}

	private HttpResponse<String> get(String uri) throws IOException, InterruptedException {
		HttpRequest request = HttpRequest.newBuilder(URI.create(uri)).timeout(Duration.ofSeconds(90)).build();
		return this.client.send(request, HttpResponse.BodyHandlers.ofString());
	}

}
