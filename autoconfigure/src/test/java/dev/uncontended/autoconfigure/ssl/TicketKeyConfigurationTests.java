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

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.security.SecureRandom;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;

import dev.uncontended.metrics.TicketKeyMetrics;
import dev.uncontended.tls.redis.RedisServer;
import dev.uncontended.tls.session.Reach;
import dev.uncontended.tls.tickets.TicketKeyRotation;
import dev.uncontended.tls.tickets.TicketKeys;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledIf;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.json.JsonMapper;

import org.springframework.boot.actuate.autoconfigure.context.properties.ConfigurationPropertiesReportEndpointAutoConfiguration;
import org.springframework.boot.actuate.autoconfigure.env.EnvironmentEndpointAutoConfiguration;
import org.springframework.boot.actuate.context.properties.ConfigurationPropertiesReportEndpoint;
import org.springframework.boot.actuate.env.EnvironmentEndpoint;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.data.redis.autoconfigure.DataRedisAutoConfiguration;
import org.springframework.boot.health.contributor.HealthIndicator;
import org.springframework.boot.health.contributor.Status;
import org.springframework.boot.test.context.FilteredClassLoader;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.SmartLifecycle;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.env.MapPropertySource;
import org.springframework.data.redis.connection.lettuce.LettuceConnectionFactory;
import org.springframework.data.redis.core.StringRedisTemplate;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for the auto-configuration of ticket keys.
 */
@ExtendWith(OutputCaptureExtension.class)
class TicketKeyConfigurationTests {

	private static final String SECRET = "the secret of the test, 32 bytes";

	private static final String ENGINE = "uncontended.ssl.engine=boringssl";

	private final ApplicationContextRunner contextRunner = new ApplicationContextRunner()
		.withConfiguration(AutoConfigurations.of(SslServerAutoConfiguration.class, SslActuatorAutoConfiguration.class))
		.withBean(MeterRegistry.class, SimpleMeterRegistry::new);

	/*
	 * Loads the driver's classes, which may take longer than a poll waits for Redis.
	 */
	@BeforeAll
	static void loadDriver() {
		if (RedisServer.isInstalled()) {
			try (RedisServer redis = RedisServer.create()) {
				LettuceConnectionFactory connections = new LettuceConnectionFactory("127.0.0.1", redis.port());
				connections.afterPropertiesSet();
				connections.start();
				new StringRedisTemplate(connections).hasKey("key");
				connections.destroy();
			}
		}
	}

	@Test
	void hasNoKeysWithoutSupportingEngine() {
		this.contextRunner.run((context) -> assertThat(context).doesNotHaveBean(TicketKeys.class));
		this.contextRunner.withPropertyValues("uncontended.ssl.engine=jdk", "uncontended.ssl.tickets.source=local")
			.run((context) -> assertThat(context).doesNotHaveBean(TicketKeys.class));
	}

	@Test
	void usesLocalKeysByDefault() {
		this.contextRunner.withPropertyValues(ENGINE)
			.run((context) -> assertThat(context.getBean(TicketKeys.class).status().source()).isEqualTo("local"));
	}

	@Test
	void derivesKeysFromSecret() {
		this.contextRunner
			.withPropertyValues(ENGINE, "uncontended.ssl.tickets.source=secret",
					"uncontended.ssl.tickets.secrets=" + SECRET.replace(",", ""))
			.run((context) -> assertThat(context).hasFailed());
		this.contextRunner
			.withPropertyValues(ENGINE, "uncontended.ssl.tickets.source=SECRET",
					"uncontended.ssl.tickets.secrets[0]=" + SECRET)
			.run((context) -> assertThat(context.getBean(TicketKeys.class).status().source()).isEqualTo("secret"));
	}

	@Test
	void derivesOtherKeysInOtherGeneration() {
		ApplicationContextRunner runner = this.contextRunner.withPropertyValues(ENGINE,
				"uncontended.ssl.tickets.source=secret", "uncontended.ssl.tickets.secrets[0]=" + SECRET);
		runner.run((before) -> runner.withPropertyValues("uncontended.ssl.tickets.generation=1").run((after) -> {
			List<String> names = names(before.getBean(TicketKeys.class));
			assertThat(names(after.getBean(TicketKeys.class))).doesNotContainAnyElementsOf(names);
		}));
	}

	private static List<String> names(TicketKeys keys) {
		List<String> names = new ArrayList<>();
		keys.connect(keys.ends(), (current) -> current.forEach((key) -> names.add(Arrays.toString(key.name()))));
		return names;
	}

	@Test
	@Tag("integration")
	@EnabledIf("dev.uncontended.tls.redis.RedisServer#isInstalled")
	void sharesKeysThroughRedisConnectionOfBoot() {
		try (RedisServer redis = RedisServer.create()) {
			withRedis(redis.port()).run((context) -> {
				Awaitility.await()
					.untilAsserted(() -> assertThat(redis.cli("keys", "*").lines()).hasSize(2)
						.allMatch((key) -> key.startsWith("nodes:")));
				HealthIndicator health = context.getBean("ticketKeysHealthIndicator", HealthIndicator.class);
				assertThat(health.health(true)).satisfies((state) -> {
					assertThat(state.getStatus()).isEqualTo(Status.UP);
					assertThat(state.getDetails()).containsEntry("source", "redis");
				});
			});
		}
	}

	@ParameterizedTest
	@ValueSource(booleans = { true, false })
	@Tag("integration")
	@EnabledIf("dev.uncontended.tls.redis.RedisServer#isInstalled")
	void stopsBeforeRedisConnections(boolean pooled, CapturedOutput output) {
		try (RedisServer redis = RedisServer.create()) {
			ApplicationContextRunner runner = withRedis(redis.port())
				.withPropertyValues("spring.data.redis.lettuce.pool.enabled=" + pooled);
			runner.run((context) -> awaitReports(redis, 1));
			runner.withBean(FailingStart.class, () -> new FailingStart(() -> awaitReports(redis, 2)))
				.run((context) -> assertThat(context).hasFailed());
		}
		assertThat(output).doesNotContain("already closed", "unreleased connections", "Unable to unsubscribe",
				"continuing with the known");
	}

	@Test
	@Tag("integration")
	@EnabledIf("dev.uncontended.tls.redis.RedisServer#isInstalled")
	void continuesAfterRestartOfContext(CapturedOutput output) {
		try (RedisServer redis = RedisServer.create()) {
			withRedis(redis.port()).run((context) -> {
				awaitReports(redis, 1);
				ConfigurableApplicationContext stopped = context
					.getSourceApplicationContext(ConfigurableApplicationContext.class);
				stopped.stop();
				TicketKeys keys = context.getBean(TicketKeys.class);
				assertThat(keys.isRunning()).isFalse();
				assertThat(keys.endAll()).isEqualTo(Reach.THIS_NODE);
				assertThat(keys.status().failures()).isZero();
				stopped.start();
				awaitReports(redis, 2);
				Awaitility.await().until(() -> keys.status().lastEnd() != Reach.THIS_NODE);
				// The report of the stopped node says so.
				assertThat(keys.status().nodes().unconfirmed()).isEmpty();
			});
		}
		assertThat(output).doesNotContain("already closed", "unreleased connections", "continuing with the known");
	}

	private static void awaitReports(RedisServer redis, int count) {
		Awaitility.await()
			.until(() -> redis.cli("hlen", redis.cli("--scan", "--pattern", "nodes:nodes:*")).equals("" + count));
	}

	@Test
	@Tag("product")
	void startsWhileRedisIsDown() {
		withRedis(RedisServer.freePort()).run((context) -> {
			assertThat(context).hasNotFailed();
			TicketKeys keys = context.getBean(TicketKeys.class);
			Awaitility.await().until(() -> keys.status().failures() > 0);
			assertThat(keys.status().keys()).isPositive();
			HealthIndicator health = context.getBean("ticketKeysHealthIndicator", HealthIndicator.class);
			assertThat(health.health(true).getDetails()).containsKey("lastFailure");
			Awaitility.await().until(() -> health.health(true).getStatus().equals(Status.DOWN));
			MeterRegistry registry = new SimpleMeterRegistry();
			new TicketKeyMetrics(context.getBean(TicketKeys.class)).bindTo(registry);
			assertThat(registry.get("tls.ticket.failing").tag("source", "redis").gauge().value()).isOne();
		});
	}

	@Test
	@Timeout(60)
	@Tag("product")
	void startsAndEndsWhileRedisHangs() throws IOException {
		// Accepts connections and never replies.
		try (ServerSocket silent = new ServerSocket(0, 50, InetAddress.getLoopbackAddress())) {
			withRedis(silent.getLocalPort()).withPropertyValues("spring.data.redis.timeout=10m").run((context) -> {
				TicketKeys keys = context.getBean(TicketKeys.class);
				assertThat(keys.status().keys()).isPositive();
				assertThat(keys.endAll()).isEqualTo(Reach.THIS_NODE);
			});
		}
	}

	@ParameterizedTest
	@ValueSource(strings = { "redis", "REDIS", " redis " })
	void reportsMissingSecretForRedis(String source) {
		this.contextRunner.withConfiguration(AutoConfigurations.of(DataRedisAutoConfiguration.class))
			.withPropertyValues(ENGINE)
			.withInitializer((context) -> context.getEnvironment()
				.getPropertySources()
				.addFirst(new MapPropertySource("source", Map.of("uncontended.ssl.tickets.source", source))))
			.run((context) -> assertThat(context).getFailure()
				.rootCause()
				.hasMessageContaining("requires random secrets"));
	}

	private ApplicationContextRunner withRedis(int port) {
		return this.contextRunner.withConfiguration(AutoConfigurations.of(DataRedisAutoConfiguration.class))
			.withPropertyValues(ENGINE, "uncontended.ssl.tickets.source=redis",
					"uncontended.ssl.tickets.secrets[0]=" + SECRET, "uncontended.ssl.tickets.redis.key-prefix=nodes",
					"uncontended.ssl.tickets.redis.poll-interval=1s", "spring.data.redis.host=127.0.0.1",
					"spring.data.redis.port=" + port, "management.health.ticket-keys.enabled=true");
	}

	@Test
	void backsOffIfApplicationDefinesKeys() {
		this.contextRunner.withUserConfiguration(OwnKeysConfiguration.class)
			.withPropertyValues(ENGINE, "uncontended.ssl.tickets.source=redis")
			.run((context) -> assertThat(context).getBean(TicketKeys.class).isSameAs(context.getBean("ownKeys")));
	}

	@Test
	void healthIsDisabledByDefault() {
		this.contextRunner.withPropertyValues(ENGINE)
			.run((context) -> assertThat(context).doesNotHaveBean(HealthIndicator.class));
	}

	@Test
	void countsKeysAndRotationsAndFailures() {
		String[] rotation = { ENGINE, "uncontended.ssl.tickets.rotation-interval=100ms",
				"uncontended.ssl.tickets.lifetime=1s" };
		this.contextRunner.withPropertyValues(rotation).run((context) -> {
			MeterRegistry registry = new SimpleMeterRegistry();
			new TicketKeyMetrics(context.getBean(TicketKeys.class)).bindTo(registry);
			assertThat(registry.get("tls.ticket.keys").tag("source", "local").gauge().value()).isGreaterThan(1);
			Awaitility.await().until(() -> registry.get("tls.ticket.rotations").functionCounter().count() > 0);
			assertThat(registry.get("tls.ticket.failures").functionCounter().count()).isZero();
			assertThat(registry.get("tls.ticket.failing").gauge().value()).isZero();
		});
	}

	@ParameterizedTest
	@ValueSource(strings = { "org.springframework.data.redis", "io.micrometer.core", "org.springframework.boot.health",
			"org.springframework.boot.actuate" })
	void startsWithout(String packageName) {
		this.contextRunner.withClassLoader(new FilteredClassLoader(packageName))
			.withPropertyValues(ENGINE, "management.health.ticket-keys.enabled=true")
			.run((context) -> assertThat(context).hasSingleBean(TicketKeys.class));
	}

	@Test
	void reportsMissingSpringDataRedis() {
		this.contextRunner.withClassLoader(new FilteredClassLoader("org.springframework.data.redis"))
			.withPropertyValues(ENGINE, "uncontended.ssl.tickets.source=redis",
					"uncontended.ssl.tickets.secrets[0]=" + SECRET)
			.run((context) -> assertThat(context).getFailure()
				.rootCause()
				.hasMessageContaining("requires a single or primary RedisConnectionFactory"));
	}

	@ParameterizedTest
	@CsvSource(delimiter = '|', quoteCharacter = '"', textBlock = """
			poll-interval=0s   | must be from 1ms to 20s and at most half the rotation interval PT12H
			poll-interval=21s  | must be from 1ms to 20s and at most half the rotation interval PT12H
			poll-interval=9223372036854775807 | must be from 1ms to 20s and at most half the rotation interval PT12H
			""")
	void invalidRedisPropertiesFailStart(String property, String rule) {
		withRedis(1).withPropertyValues("uncontended.ssl.tickets.redis." + property)
			.run((context) -> assertThat(context).getFailure().rootCause().hasMessageContaining(rule));
	}

	@Test
	void timesWithoutUnitAreSeconds() {
		this.contextRunner
			.withPropertyValues(ENGINE, "uncontended.ssl.tickets.rotation-interval=3600",
					"uncontended.ssl.tickets.lifetime=86400")
			.run((context) -> {
				Instant next = context.getBean(TicketKeys.class).status().nextRotation();
				assertThat(Duration.between(Instant.now(), next)).isLessThan(Duration.ofMinutes(61));
				assertThat(next.getEpochSecond() % 3600).isZero();
			});
	}

	@Test
	void endpointsHideSecrets() {
		this.contextRunner
			.withConfiguration(AutoConfigurations.of(ConfigurationPropertiesReportEndpointAutoConfiguration.class,
					EnvironmentEndpointAutoConfiguration.class))
			.withSystemProperties("UNCONTENDED_SSL_TICKETS_SECRETS_1=" + SECRET)
			.withPropertyValues(ENGINE, "uncontended.ssl.tickets.source=secret",
					"uncontended.ssl.tickets.secrets[0]=" + SECRET, "management.endpoints.web.exposure.include=*",
					"management.endpoint.env.show-values=always", "management.endpoint.configprops.show-values=always",
					"management.endpoints.access.default=UNRESTRICTED", "management.endpoints.jmx.exposure.include=*",
					"spring.jmx.enabled=true")
			.run((context) -> {
				String properties = JsonMapper.shared()
					.writeValueAsString(
							context.getBean(ConfigurationPropertiesReportEndpoint.class).configurationProperties());
				assertThat(properties).contains("rotationInterval").doesNotContain(SECRET);
				String environment = JsonMapper.shared()
					.writeValueAsString(context.getBean(EnvironmentEndpoint.class).environment(null));
				assertThat(environment).contains("uncontended.ssl.tickets.secrets[0]")
					.contains("UNCONTENDED_SSL_TICKETS_SECRETS_1")
					.doesNotContain(SECRET);
			});
	}

	@Configuration(proxyBeanMethods = false)
	static class OwnKeysConfiguration {

		@Bean
		TicketKeys ownKeys() {
			return TicketKeys.local(new TicketKeyRotation(Duration.ofHours(1), Duration.ofHours(1)),
					new SecureRandom());
		}

	}

	private record FailingStart(Runnable before) implements SmartLifecycle {

		@Override
		public void start() {
			this.before.run();
			throw new IllegalStateException("of the test");
		}

		@Override
		public void stop() {
		}

		@Override
		public boolean isRunning() {
			return false;
		}

	}

}
