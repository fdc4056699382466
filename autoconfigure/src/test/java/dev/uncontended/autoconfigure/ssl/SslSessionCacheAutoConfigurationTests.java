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

import java.time.Duration;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.Stream;

import dev.uncontended.tls.server.TlsServers;
import dev.uncontended.tls.session.SslSessionCache;
import org.junit.jupiter.api.Test;

import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.ApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Primary;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for {@link SslSessionCacheAutoConfiguration}.
 */
class SslSessionCacheAutoConfigurationTests {

	private final ApplicationContextRunner contextRunner = new ApplicationContextRunner()
		.withConfiguration(AutoConfigurations.of(SslSessionCacheAutoConfiguration.class));

	@Test
	void providesCacheWithDefaultsOfJdk() {
		this.contextRunner.run((context) -> {
			assertThat(context).hasSingleBean(SslSessionCache.class).hasBean("sslSessionCache");
			SslSessionCache cache = context.getBean(SslSessionCache.class);
			assertThat(cache.getSessionCacheSize()).isEqualTo(20_480);
			assertThat(cache.getSessionTimeout()).isEqualTo(86_400);
		});
	}

	@Test
	void appliesPropertiesToCache() {
		this.contextRunner
			.withPropertyValues("uncontended.ssl.session-cache.maximum-size=100",
					"uncontended.ssl.session-cache.timeout=10m")
			.run((context) -> {
				SslSessionCache cache = context.getBean(SslSessionCache.class);
				assertThat(cache.getSessionCacheSize()).isEqualTo(100);
				assertThat(cache.getSessionTimeout()).isEqualTo((int) Duration.ofMinutes(10).toSeconds());
			});
	}

	@Test
	void backsOffIfApplicationDefinesCache() {
		this.contextRunner.withUserConfiguration(OwnCache.class)
			.run((context) -> assertThat(context).hasSingleBean(SslSessionCache.class).hasBean("ownCache"));
	}

	@Test
	void connectsServersToCacheOfApplication() {
		this.contextRunner.withUserConfiguration(OwnCache.class)
			.run((context) -> assertServersFollow(context, "ownCache"));
	}

	@Test
	void connectsServersToPrimaryCache() {
		this.contextRunner.withUserConfiguration(OwnCache.class, PrimaryCache.class)
			.run((context) -> assertServersFollow(context, "primaryCache"));
	}

	@Test
	void connectsNoServerWithoutPrimaryCache() {
		this.contextRunner.withUserConfiguration(OwnCache.class, OtherCache.class)
			.run((context) -> assertThat(context).hasNotFailed().doesNotHaveBean(TlsServers.class));
	}

	private static void assertServersFollow(ApplicationContext context, String cache) {
		AtomicBoolean ended = new AtomicBoolean();
		context.getBean(TlsServers.class).add(() -> {
			ended.set(true);
			return Stream.empty();
		});
		context.getBean(cache, SslSessionCache.class).endAll();
		assertThat(ended).isTrue();
	}

	@Test
	void providesNothingWhenDisabled() {
		this.contextRunner.withPropertyValues("uncontended.ssl.enabled=false")
			.run((context) -> assertThat(context).hasNotFailed().doesNotHaveBean(SslSessionCache.class));
	}

	@Configuration(proxyBeanMethods = false)
	static class OwnCache {

		@Bean
		SslSessionCache ownCache() {
			return SslSessionCache.builder().maximumSize(1).build();
		}

	}

	@Configuration(proxyBeanMethods = false)
	static class OtherCache {

		@Bean
		SslSessionCache otherCache() {
			return SslSessionCache.builder().build();
		}

	}

	@Configuration(proxyBeanMethods = false)
	static class PrimaryCache {

		@Bean
		@Primary
		SslSessionCache primaryCache() {
			return SslSessionCache.builder().build();
		}

	}

}
