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

package dev.uncontended.autoconfigure.uuid;

import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;

import dev.uncontended.integration.TomcatSessionIdGenerator;
import dev.uncontended.uuid.UuidGenerator;
import jakarta.servlet.http.HttpServletRequest;
import org.apache.catalina.SessionIdGenerator;
import org.apache.catalina.util.StandardSessionIdGenerator;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.autoconfigure.ImportAutoConfiguration;
import org.springframework.boot.servlet.autoconfigure.HttpEncodingAutoConfiguration;
import org.springframework.boot.test.context.FilteredClassLoader;
import org.springframework.boot.test.context.assertj.AssertableWebApplicationContext;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.boot.test.context.runner.WebApplicationContextRunner;
import org.springframework.boot.tomcat.autoconfigure.servlet.TomcatServletWebServerAutoConfiguration;
import org.springframework.boot.web.server.servlet.context.AnnotationConfigServletWebServerApplicationContext;
import org.springframework.boot.web.server.servlet.context.ServletWebServerApplicationContext;
import org.springframework.boot.webmvc.autoconfigure.DispatcherServletAutoConfiguration;
import org.springframework.boot.webmvc.autoconfigure.WebMvcAutoConfiguration;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RestController;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for {@link TomcatSessionUuidAutoConfiguration}, with sessions made over HTTP.
 */
@Tag("integration")
class TomcatSessionUuidAutoConfigurationTests {

	private final WebApplicationContextRunner contextRunner = new WebApplicationContextRunner(
			AnnotationConfigServletWebServerApplicationContext::new)
		.withConfiguration(AutoConfigurations.of(UuidAutoConfiguration.class, TomcatSessionUuidAutoConfiguration.class))
		.withUserConfiguration(Application.class)
		.withPropertyValues("server.address=127.0.0.1", "server.port=0");

	@Test
	void isOffByDefault() {
		this.contextRunner.run((context) -> {
			assertThat(session(context).body()).matches("[0-9A-F]{32}");
			assertThat(context.getBean(UuidGenerator.class).stats().random()).isZero();
		});
	}

	@Test
	void makesSessionIdsOfTwoUuidsEach() {
		this.contextRunner.withPropertyValues("uncontended.uuid.tomcat-session=true").run((context) -> {
			UuidGenerator generator = context.getBean(UuidGenerator.class);
			long before = generator.stats().random();
			HttpResponse<String> response = session(context);
			assertThat(response.body()).matches("[0-9A-F]{32}");
			assertThat(response.headers().firstValue("Set-Cookie").orElseThrow())
				.startsWith("JSESSIONID=" + response.body() + ";");
			assertThat(generator.stats().random() - before).isEqualTo(2);
		});
	}

	@Test
	void findsSessionAgain() {
		this.contextRunner.withPropertyValues("uncontended.uuid.tomcat-session=true").run((context) -> {
			String id = session(context).body();
			assertThat(session(context, "Cookie", "JSESSIONID=" + id).body()).isEqualTo(id);
		});
	}

	@Test
	void usesTheApplicationsOwn() {
		this.contextRunner.withPropertyValues("uncontended.uuid.tomcat-session=true")
			.withUserConfiguration(OwnSessionIdGenerator.class)
			.run((context) -> {
				assertThat(context).doesNotHaveBean(TomcatSessionIdGenerator.class);
				assertThat(session(context).body()).matches("[0-9A-F]{32}\\.own");
			});
	}

	@Test
	void startsWithoutTomcat() {
		new ApplicationContextRunner()
			.withConfiguration(
					AutoConfigurations.of(UuidAutoConfiguration.class, TomcatSessionUuidAutoConfiguration.class))
			.withPropertyValues("uncontended.uuid.tomcat-session=true")
			.withClassLoader(new FilteredClassLoader("org.apache.catalina", "org.springframework.boot.tomcat"))
			.run((context) -> assertThat(context).hasNotFailed()
				.doesNotHaveBean(TomcatSessionUuidAutoConfiguration.class));
	}

	private static HttpResponse<String> session(AssertableWebApplicationContext context, String... headers)
			throws Exception {
		int port = context.getSourceApplicationContext(ServletWebServerApplicationContext.class)
			.getWebServer()
			.getPort();
		HttpRequest.Builder request = HttpRequest.newBuilder(URI.create("http://localhost:" + port + "/session"));
		if (headers.length > 0) {
			request.headers(headers);
		}
		return HttpClient.newHttpClient().send(request.build(), HttpResponse.BodyHandlers.ofString());
	}

	@Configuration(proxyBeanMethods = false)
	@ImportAutoConfiguration({ TomcatServletWebServerAutoConfiguration.class, DispatcherServletAutoConfiguration.class,
			WebMvcAutoConfiguration.class, HttpEncodingAutoConfiguration.class })
	static class Application {

		@Bean
		SessionController sessionController() {
			return new SessionController();
		}

	}

	@RestController
	static class SessionController {

		@GetMapping("/session")
		String session(HttpServletRequest request) {
			return request.getSession().getId();
		}

	}

	@Configuration(proxyBeanMethods = false)
	static class OwnSessionIdGenerator {

		@Bean
		SessionIdGenerator ownSessionIdGenerator() {
			return new StandardSessionIdGenerator() {

				@Override
				public String getJvmRoute() {
					return "own";
				}

			};
		}

	}

}
