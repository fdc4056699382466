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

package dev.uncontended.autoconfigure.ssl;

import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;

import javax.net.ssl.SSLContext;

import dev.uncontended.autoconfigure.WithoutStores;
import dev.uncontended.tls.TestKeyStore;
import dev.uncontended.tls.handshake.HandshakeCount;
import dev.uncontended.tls.handshake.HandshakeKind;
import dev.uncontended.tls.handshake.TestHandshakes;
import dev.uncontended.tls.handshake.TlsHandshakes;
import dev.uncontended.tls.handshake.TlsServerId;
import dev.uncontended.tls.handshake.TlsServerId.Context;
import dev.uncontended.tls.server.TlsServers;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Timer;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.MethodOrderer;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestMethodOrder;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.AfterParameterizedClassInvocation;
import org.junit.jupiter.params.BeforeParameterizedClassInvocation;

import org.springframework.boot.SpringBootConfiguration;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.boot.jetty.autoconfigure.actuate.web.server.JettyReactiveManagementContextAutoConfiguration;
import org.springframework.boot.jetty.autoconfigure.actuate.web.server.JettyServletManagementContextAutoConfiguration;
import org.springframework.boot.jetty.autoconfigure.reactive.JettyReactiveWebServerAutoConfiguration;
import org.springframework.boot.jetty.autoconfigure.servlet.JettyServletWebServerAutoConfiguration;
import org.springframework.boot.tomcat.autoconfigure.actuate.web.server.TomcatReactiveManagementContextAutoConfiguration;
import org.springframework.boot.tomcat.autoconfigure.actuate.web.server.TomcatServletManagementContextAutoConfiguration;
import org.springframework.boot.tomcat.autoconfigure.reactive.TomcatReactiveWebServerAutoConfiguration;
import org.springframework.boot.tomcat.autoconfigure.servlet.TomcatServletWebServerAutoConfiguration;
import org.springframework.boot.web.server.context.WebServerApplicationContext;
import org.springframework.boot.web.server.context.WebServerInitializedEvent;
import org.springframework.context.ApplicationContext;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Import;
import org.springframework.context.event.EventListener;
import org.springframework.test.util.ReflectionTestUtils;
import org.springframework.web.reactive.function.server.RouterFunction;
import org.springframework.web.reactive.function.server.RouterFunctions;
import org.springframework.web.reactive.function.server.ServerResponse;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for TLS on a separate management server with its own certificate.
 */
@EachServerAndEngine
@TestMethodOrder(MethodOrderer.OrderAnnotation.class)
class ManagementSslServerTests {

	@TempDir
	static Path directory;

	private static TestKeyStore web;

	private static TestKeyStore management;

	private static ConfigurableApplicationContext application;

	private final TestServer server;

	private final String engine;

	private final SSLContext client = web.sslContext(web, management);

	private final Map<HandshakeKind, HandshakeCount> before = application.getBean(TlsHandshakes.class).counts();

	ManagementSslServerTests(TestServer server, String engine) {
		this.server = server;
		this.engine = engine;
	}

	@BeforeAll
	static void createKeyStores() {
		web = TestKeyStore.create(directory.resolve("web.p12"), "web.test");
		management = TestKeyStore.create(directory.resolve("management.p12"), "management.test");
	}

	@BeforeParameterizedClassInvocation
	static void start(TestServer server, String engine) {
		List<String> arguments = new ArrayList<>(AbstractTlsServerTests.bundle("web", web));
		arguments.addAll(AbstractTlsServerTests.bundle("management", management));
		arguments.addAll(List.of("--" + WithoutStores.PROPERTY, "--server.address=127.0.0.1", "--server.port=0",
				"--server.ssl.bundle=web", "--management.server.address=127.0.0.1", "--management.server.port=0",
				"--management.server.ssl.bundle=management", "--management.endpoints.web.exposure.include=sslsessions",
				"--management.endpoint.sslsessions.access=unrestricted", "--uncontended.ssl.engine=" + engine));
		application = new SpringApplicationBuilder(application(server)).web(server.type())
			.run(arguments.toArray(String[]::new));
	}

	private static Class<?> application(TestServer server) {
		return switch (server) {
			case TOMCAT -> TomcatApplication.class;
			case JETTY -> JettyApplication.class;
			case NETTY -> NettyApplication.class;
		};
	}

	@AfterParameterizedClassInvocation
	static void stop() {
		application.close();
	}

	@Test
	void usesOwnCertificateAndCounts() throws Exception {
		assertThat(send("GET", "local.server.port", "/").sslSession().orElseThrow().getPeerCertificates()[0])
			.isEqualTo(web.certificate());
		HttpResponse<String> response = send("GET", "local.management.port", "/actuator/sslsessions");
		assertThat(response.sslSession().orElseThrow().getPeerCertificates()[0]).isEqualTo(management.certificate());
		assertThat(response.statusCode()).isEqualTo(200);
		assertCounts(Context.APPLICATION, 1, 0);
		assertCounts(Context.MANAGEMENT, 1, 0);
		assertMeter(Context.APPLICATION);
		assertMeter(Context.MANAGEMENT);
	}

	@Test
	void endsSessionsOfBothServers() throws Exception {
		send("GET", "local.server.port", "/");
		send("GET", "local.server.port", "/");
		send("GET", "local.management.port", "/actuator/sslsessions");
		assertThat(send("GET", "local.management.port", "/actuator/sslsessions").body())
			.contains("\"context\":\"application\"", "\"context\":\"management\"");
		assertThat(send("DELETE", "local.management.port", "/actuator/sslsessions").body())
			.startsWith("{\"reach\":\"THIS_NODE\",\"servers\":{\"reached\":[")
			.contains(" (application) by ", " (management) by ")
			.endsWith("],\"unreached\":[]},\"nodes\":null}");
		assertCounts(Context.APPLICATION, 1, 1);
		assertCounts(Context.MANAGEMENT, 1, 2);
		send("GET", "local.server.port", "/");
		send("GET", "local.management.port", "/actuator/sslsessions");
		assertCounts(Context.APPLICATION, 2, 1);
		assertCounts(Context.MANAGEMENT, 2, 2);
	}

	/*
	 * Reactor Netty reports a stopped server on another thread.
	 */
	@Test
	@Order(Integer.MAX_VALUE)
	void stoppedManagementServerIsNotRetained() {
		TlsServers servers = application.getBean(TlsServers.class);
		assertThat(servers.contexts()).hasSize(2);
		int registered = registered(servers).size();
		((ConfigurableApplicationContext) application.getBean(ManagementContext.class).context).close();
		Awaitility.await().untilAsserted(() -> {
			assertThat(servers.contexts()).hasSize(1);
			assertThat(registered(servers)).hasSize(registered - 1);
		});
	}

	private static Collection<?> registered(TlsServers servers) {
		Object registered = ReflectionTestUtils.getField(servers, "servers");
		assertThat(registered).isInstanceOf(Collection.class);
		return (Collection<?>) registered;
	}

	private void assertCounts(Context context, long full, long resumed) {
		HandshakeCount start = this.before.getOrDefault(kind(context), new HandshakeCount(0, 0));
		Awaitility.await()
			.untilAsserted(() -> assertThat(application.getBean(TlsHandshakes.class).counts())
				.containsEntry(kind(context), new HandshakeCount(start.full() + full, start.resumed() + resumed)));
	}

	private HandshakeKind kind(Context context) {
		return TestHandshakes.kind(new TlsServerId(name(), context), "TLSv1.3", cipherSuite());
	}

	/*
	 * Netty's order of cipher suites differs from the JDK's.
	 */
	private String cipherSuite() {
		return (this.server == TestServer.NETTY && this.engine.equals("jdk")) ? "TLS_AES_128_GCM_SHA256"
				: "TLS_AES_256_GCM_SHA384";
	}

	private void assertMeter(Context context) {
		Timer timer = application.getBean(MeterRegistry.class)
			.get("tls.handshakes")
			.tag("server", name())
			.tag("context", context.name().toLowerCase())
			.tag("protocol", "TLSv1.3")
			.tag("resumed", "false")
			.timer();
		assertThat(timer.count())
			.isEqualTo(application.getBean(TlsHandshakes.class).counts().get(kind(context)).full());
	}

	private String name() {
		return this.server.name().toLowerCase();
	}

	/*
	 * Uses a new connection.
	 */
	private HttpResponse<String> send(String method, String port, String path) throws Exception {
		URI uri = URI.create("https://localhost:" + application.getEnvironment().getRequiredProperty(port) + path);
		return HttpClient.newBuilder()
			.version(HttpClient.Version.HTTP_1_1)
			.sslContext(this.client)
			.build()
			.send(HttpRequest.newBuilder(uri).method(method, HttpRequest.BodyPublishers.noBody()).build(),
					HttpResponse.BodyHandlers.ofString());
	}

	@SpringBootConfiguration(proxyBeanMethods = false)
	@EnableAutoConfiguration(exclude = { JettyServletWebServerAutoConfiguration.class,
			JettyServletManagementContextAutoConfiguration.class })
	@Import({ OkServletConfiguration.class, ManagementContext.class })
	static class TomcatApplication {

	}

	@SpringBootConfiguration(proxyBeanMethods = false)
	@EnableAutoConfiguration(exclude = { TomcatServletWebServerAutoConfiguration.class,
			TomcatServletManagementContextAutoConfiguration.class })
	@Import({ OkServletConfiguration.class, ManagementContext.class })
	static class JettyApplication {

	}

	@SpringBootConfiguration(proxyBeanMethods = false)
	@EnableAutoConfiguration(exclude = { TomcatReactiveWebServerAutoConfiguration.class,
			TomcatReactiveManagementContextAutoConfiguration.class, JettyReactiveWebServerAutoConfiguration.class,
			JettyReactiveManagementContextAutoConfiguration.class })
	@Import(ManagementContext.class)
	static class NettyApplication {

		@Bean
		RouterFunction<ServerResponse> ok() {
			return RouterFunctions.route().GET("/", (request) -> ServerResponse.ok().bodyValue("ok")).build();
		}

	}

	/**
	 * Finds the context of the management server.
	 */
	static class ManagementContext {

		private ApplicationContext context;

		@EventListener
		void on(WebServerInitializedEvent event) {
			if (WebServerApplicationContext.hasServerNamespace(event.getApplicationContext(), "management")) {
				this.context = event.getApplicationContext();
			}
		}

	}

}
