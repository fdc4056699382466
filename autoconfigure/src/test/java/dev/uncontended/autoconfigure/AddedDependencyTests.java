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
import java.io.UncheckedIOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.Provider;
import java.security.Security;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

import dev.uncontended.ChildJvm;
import dev.uncontended.tls.TestKeyStore;
import org.apache.coyote.http11.AbstractHttp11Protocol;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import org.springframework.boot.SpringApplication;
import org.springframework.boot.SpringBootConfiguration;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.tomcat.TomcatWebServer;
import org.springframework.boot.web.server.WebServer;
import org.springframework.boot.web.server.context.WebServerApplicationContext;
import org.springframework.context.ConfigurableApplicationContext;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Compares an application with and without the dependency. The section "What adding the
 * dependency changes" of the README must name each difference.
 */
@Tag("integration")
@Tag("product")
class AddedDependencyTests {

	private static final Pattern BOOT = Pattern
		.compile("(spring-(boot|boot-autoconfigure|core|context|beans|aop|expression|web|webmvc"
				+ "|boot-(http-converter|jackson|servlet|web-server|webmvc))|micrometer-(commons|observation)"
				+ "|commons-logging|jspecify|slf4j-api|logback-\\w+|log4j-(api|to-slf4j)|jul-to-slf4j|snakeyaml"
				+ "|jakarta\\.annotation-api|jackson-(annotations|core|databind))-\\d.*\\.jar|test-classes");

	private static final Pattern ACTUATOR = Pattern
		.compile("(spring-boot-(actuator|actuator-autoconfigure|health|micrometer-(metrics|observation))"
				+ "|micrometer-(core|jakarta9)|HdrHistogram|LatencyUtils)-\\d.*\\.jar");

	private static final Pattern TOMCAT = Pattern.compile("(spring-boot-tomcat|tomcat-embed-\\w+)-\\d.*\\.jar");

	private static final Pattern JETTY = Pattern
		.compile("(spring-boot-jetty|jetty-[\\w-]+" + "|jakarta\\.servlet-api|tomcat-embed-el)-\\d.*\\.jar");

	private static final String IMPLEMENTATION = "dev.uncontended.tls.server.tomcat.RenewableSslImplementation";

	private static final Set<String> BEANS = Set.of("bean=md5NameUuidFactory", "bean=nameUuidFactoryMetrics",
			"bean=sha1NameUuidFactory", "bean=sslSessionCache", "bean=sslSessionsEndpoint",
			"bean=sslSettingsWithoutEffect", "bean=ticketSecretSanitizingFunction", "bean=tlsMeters",
			"bean=uncontendedStartupLog", "bean=uncontendedTlsEngine", "bean=uncontendedTlsHandshakes",
			"bean=uncontendedTlsServers", "bean=uuidEndpoint", "bean=uuidGenerator", "bean=uuidGeneratorLifecycle",
			"bean=uuidGeneratorMetrics", "bean=uuidHealthIndicator");

	@TempDir
	private Path directory;

	/**
	 * The JDK generates classes for method handles as it runs, so the numbers of two
	 * starts differ by up to 20. With Actuator, they differ by up to 28 more, which are
	 * loaded to report a garbage collection. The maxima leave room for that.
	 */
	@ParameterizedTest
	@CsvSource({ "false, false, 200", "true, false, 250", "true, true, 400" })
	void loadsNoMoreClassesThanDocumented(boolean actuator, boolean tls, int maximum) throws Exception {
		long without = classes(start(TOMCAT, actuator, tls, false));
		long with = classes(start(TOMCAT, actuator, tls, true));
		System.out.println("classes: actuator " + actuator + ", TLS " + tls + ": " + (with - without));
		assertThat(with - without).isBetween(10L, (long) maximum);
		assertThat(section()).contains(String.valueOf(maximum));
	}

	@ParameterizedTest
	@CsvSource({ "tomcat, setting=" + IMPLEMENTATION + ", sslSessionsTomcatCustomizer",
			"jetty, provider=dev.uncontended.tls.engine.SslContextProvider, sslSessionsJettyCustomizer" })
	void changesOnlyWhatReadmeNames(String server, String change, String customizer) throws Exception {
		Set<String> expected = new TreeSet<>(BEANS);
		expected.add("bean=" + customizer);
		expected.add(change);
		assertThat(changes(server.equals("tomcat") ? TOMCAT : JETTY)).containsExactlyInAnyOrderElementsOf(expected);
		assertThat(BEANS.stream().filter((bean) -> bean.matches(".*(Factory|uuidGenerator|sslSessionCache)")))
			.allSatisfy((bean) -> assertThat(section()).contains("`" + bean.substring("bean=".length()) + "`"));
		assertThat(section()).contains("sslImplementationName", "security provider");
	}

	private Set<String> changes(Pattern server) throws Exception {
		Set<String> changes = facts(start(server, true, true, true));
		changes.removeAll(facts(start(server, true, true, false)));
		return changes;
	}

	private static Set<String> facts(String output) {
		return output.lines()
			.filter((line) -> line.matches("(bean|thread|provider|setting)=.*"))
			// Beans of configuration classes and of properties
			.filter((line) -> !line.matches("bean=(.*-)?(dev\\.)?uncontended\\..*"))
			.collect(Collectors.toCollection(TreeSet::new));
	}

	private static long classes(String output) {
		return output.lines()
			.filter((line) -> line.startsWith("classes="))
			.mapToLong((line) -> Long.parseLong(line.substring("classes=".length())))
			.sum();
	}

	private static String section() {
		try {
			String readme = Files.readString(Path.of("..", "README.md"));
			int start = readme.indexOf("\n## What adding the dependency changes\n");
			assertThat(start).isNotNegative();
			return readme.substring(start, readme.indexOf("\n## ", start + 1)).replaceAll("\\s+", " ");
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

	private String start(Pattern server, boolean actuator, boolean tls, boolean starter) throws Exception {
		List<String> arguments = new ArrayList<>(
				List.of("--server.port=0", "--management.endpoints.web.exposure.include=*"));
		if (tls) {
			TestKeyStore keys = TestKeyStore.create(this.directory.resolve(starter + ".p12"), "localhost");
			arguments.addAll(List.of("--server.ssl.key-store=" + keys.location(),
					"--server.ssl.key-store-password=" + TestKeyStore.PASSWORD));
		}
		return ChildJvm.run(List.of(),
				(entry) -> BOOT.matcher(entry).matches() || server.matcher(entry).matches()
						|| (actuator && ACTUATOR.matcher(entry).matches()) || (starter && entry.equals("classes")),
				Application.class, arguments.toArray(String[]::new));
	}

	@SpringBootConfiguration(proxyBeanMethods = false)
	@EnableAutoConfiguration
	static class Application {

		public static void main(String[] args) {
			try (ConfigurableApplicationContext context = SpringApplication.run(Application.class, args)) {
				System.out.println("classes=" + ManagementFactory.getClassLoadingMXBean().getTotalLoadedClassCount());
				for (String name : context.getBeanDefinitionNames()) {
					System.out.println("bean=" + name);
				}
				Thread.getAllStackTraces()
					.keySet()
					.forEach((thread) -> System.out.println("thread=" + thread.getName().replaceAll("@.*|\\d+", "")));
				for (Provider provider : Security.getProviders()) {
					System.out.println("provider=" + provider.getClass().getName());
				}
				WebServer server = ((WebServerApplicationContext) context).getWebServer();
				if (server.getClass().getSimpleName().equals("TomcatWebServer")) {
					Tomcat.print(server);
				}
			}
		}

	}

	/**
	 * Prints settings of Tomcat, whose classes may be missing.
	 */
	static class Tomcat {

		static void print(WebServer server) {
			if (((TomcatWebServer) server).getTomcat()
				.getConnector()
				.getProtocolHandler() instanceof AbstractHttp11Protocol<?> http && http.isSSLEnabled()) {
				System.out.println("setting=" + http.getSslImplementationName());
			}
		}

	}

}
