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
import java.lang.reflect.Constructor;
import java.net.URI;
import java.net.URL;
import java.net.URLClassLoader;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Stream;

import javax.tools.ToolProvider;

import dev.uncontended.tls.TestKeyStore;
import dev.uncontended.uuid.NameUuidFactory;
import dev.uncontended.uuid.UuidGenerator;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

import org.springframework.aop.framework.ProxyFactory;
import org.springframework.beans.BeanUtils;
import org.springframework.boot.SpringBootConfiguration;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.boot.web.server.context.WebServerApplicationContext;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.core.env.MapPropertySource;
import org.springframework.core.env.StandardEnvironment;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests that an application has the defaults, the beans and the responses that the README
 * and the documents show.
 */
@Tag("integration")
class ReadmeTests {

	/** Values of the responses that follow from the configuration. */
	private static final Set<String> CONFIGURED = Set.of("algorithm", "provider", "stripes", "bufferSize",
			"maximumSize", "timeout", "installed", "effective", "version", "server", "sessions", "engine");

	private static final String README = "README.md";

	/** The default depends on the machine. */
	private static final String STRIPES = "uncontended.uuid.random.stripes";

	private static final JsonMapper json = new JsonMapper();

	@TempDir
	private Path directory;

	@Test
	void readmeListsAllDocuments() throws IOException {
		String list = read(README).substring(read(README).indexOf("\n## Documents\n"));
		for (String directory : List.of(".", "docs", "bench", "sample-app")) {
			try (Stream<Path> files = Files.list(Path.of("..", directory))) {
				assertThat(files.map((file) -> Path.of("..").relativize(file).normalize().toString())
					.filter((file) -> file.endsWith(".md") && !file.equals(README)))
					.allSatisfy((file) -> assertThat(list).contains("](" + file + ")"));
			}
		}
	}

	@Test
	void applicationAnswersAsDocumented() throws Exception {
		String section = section(README, "Quick start");
		List<String> responses = blocks(section, "json").get(0).lines().toList();
		TestKeyStore keyStore = TestKeyStore.create(this.directory.resolve("server.p12"), "server.test");
		try (ConfigurableApplicationContext context = start(keyStore)) {
			for (String name : List.of("uuidGenerator", "md5NameUuidFactory", "sha1NameUuidFactory",
					"sslSessionCache")) {
				assertThat(section(README, "What adding the dependency changes")).contains("`" + name + "`");
				assertThat(context.containsBean(name)).as(name).isTrue();
			}
			context.getBean(UuidGenerator.class).randomUuid();
			context.getBean("md5NameUuidFactory", NameUuidFactory.class).nameUuid(new byte[0]);
			HttpClient client = HttpClient.newBuilder().sslContext(keyStore.sslContext(keyStore)).build();
			String endpoints = "https://localhost:" + ((WebServerApplicationContext) context).getWebServer().getPort()
					+ "/actuator/";
			JsonNode uuid = get(client, endpoints + "uuid");
			assertContains(uuid, json.readTree(responses.get(0)), "$");
			assertContains(uuid, json.readTree(blocks(section("docs/uuid.md", "Statistics"), "json").get(0)), "$");
			assertContains(get(client, endpoints + "sslsessions"), json.readTree(responses.get(1)), "$");
		}
	}

	/**
	 * Spring creates a subclass of a bean with {@code @Async} or {@code @Transactional}.
	 */
	@Test
	void exampleCanBeProxied() throws Exception {
		Path source = Files.writeString(this.directory.resolve("Orders.java"),
				"import dev.uncontended.uuid.*; import java.util.*; import org.springframework.stereotype.*;"
						+ blocks(read(README), "java").get(0));
		assertThat(ToolProvider.getSystemJavaCompiler()
			.run(null, null, null, "-proc:none", "-classpath", System.getProperty("java.class.path"),
					source.toString()))
			.isZero();
		try (URLClassLoader classLoader = new URLClassLoader(new URL[] { this.directory.toUri().toURL() });
				UuidGenerator generator = UuidGenerator.builder().build()) {
			Constructor<?> constructor = classLoader.loadClass("Orders").getDeclaredConstructor(UuidGenerator.class);
			ProxyFactory proxies = new ProxyFactory(BeanUtils.instantiateClass(constructor, generator));
			proxies.setProxyTargetClass(true);
			assertThat(proxies.getProxy(classLoader)).isInstanceOf(constructor.getDeclaringClass());
		}
	}

	private static ConfigurableApplicationContext start(TestKeyStore keyStore) {
		StandardEnvironment environment = new StandardEnvironment();
		environment.getPropertySources()
			.addLast(new MapPropertySource("test",
					Map.of(STRIPES, "16", "server.port", "0", "server.address", "127.0.0.1", "server.ssl.key-store",
							keyStore.location(), "server.ssl.key-store-password", TestKeyStore.PASSWORD,
							"management.endpoints.web.exposure.include", "uuid,sslsessions")));
		return new SpringApplicationBuilder(Application.class).environment(environment)
			.run("--" + WithoutStores.PROPERTY
					+ ",org.springframework.boot.jetty.autoconfigure.servlet.JettyServletWebServerAutoConfiguration");
	}

	private static JsonNode get(HttpClient client, String uri) throws Exception {
		HttpResponse<String> response = client.send(HttpRequest.newBuilder(URI.create(uri)).build(),
				HttpResponse.BodyHandlers.ofString());
		assertThat(response.statusCode()).isEqualTo(200);
		return json.readTree(response.body());
	}

	/**
	 * Asserts that a response has all documented fields, with values of the same type.
	 */
	private static void assertContains(JsonNode actual, JsonNode documented, String path) {
		assertThat(actual.getNodeType()).as(path).isEqualTo(documented.getNodeType());
		documented.properties().forEach((field) -> {
			String name = path + "." + field.getKey();
			assertThat(actual.has(field.getKey())).as(name).isTrue();
			if (CONFIGURED.contains(field.getKey())) {
				assertThat(actual.get(field.getKey())).as(name).isEqualTo(field.getValue());
			}
			else {
				assertContains(actual.get(field.getKey()), field.getValue(), name);
			}
		});
		for (int i = 0; documented.isArray() && i < documented.size(); i++) {
			assertThat(actual.size()).as(path).isGreaterThan(i);
			assertContains(actual.get(i), documented.get(i), path + "[" + i + "]");
		}
	}

	private static String read(String document) throws IOException {
		return Files.readString(Path.of("..", document));
	}

	private static String section(String document, String heading) throws IOException {
		String text = read(document);
		int start = text.indexOf("\n## " + heading + "\n");
		assertThat(start).isNotNegative();
		return text.substring(start, text.indexOf("\n## ", start + 1));
	}

	private static List<String> blocks(String text, String language) {
		return Pattern.compile("```" + language + "\\n(.*?)```", Pattern.DOTALL)
			.matcher(text)
			.results()
			.map((match) -> match.group(1))
			.toList();
	}

	@SpringBootConfiguration(proxyBeanMethods = false)
	@EnableAutoConfiguration
	static class Application {

	}

}
