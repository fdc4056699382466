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
import java.util.ArrayList;
import java.util.List;

import dev.uncontended.tls.boringssl.BoringSslTlsEngine;
import dev.uncontended.tls.handshake.TlsHandshakeListener;
import dev.uncontended.tls.handshake.TlsHandshakes;
import dev.uncontended.tls.handshake.TlsServerId;
import dev.uncontended.tls.jdk.JdkTlsEngine;
import dev.uncontended.tls.server.TlsServers;
import dev.uncontended.tls.session.Reach;
import dev.uncontended.tls.session.SslSessionCache;
import dev.uncontended.tls.session.internal.SessionTokens;
import dev.uncontended.tls.tickets.TicketKeys;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.test.context.assertj.AssertableApplicationContext;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

import static org.assertj.core.api.Assertions.assertThat;
import static org.mockito.Mockito.mock;

/**
 * Tests for {@link SslServerAutoConfiguration}.
 */
@ExtendWith(OutputCaptureExtension.class)
class SslServerAutoConfigurationTests {

	private final ApplicationContextRunner contextRunner = new ApplicationContextRunner()
		.withConfiguration(AutoConfigurations.of(SslServerAutoConfiguration.class));

	@Test
	void providesCacheWithDefaults() {
		this.contextRunner.run((context) -> {
			assertThat(context).hasSingleBean(SslSessionCache.class).hasBean("sslSessionCache");
			SessionTokens cache = context.getBean(TlsServers.class).sessionTokens();
			assertThat(cache.maximumSize()).isEqualTo(200_000);
			assertThat(cache.timeout()).isNull();
			assertThat(context.getBean(SslSessionCache.class)).isSameAs(cache);
		});
	}

	@Test
	void appliesPropertiesToCache() {
		this.contextRunner
			.withPropertyValues("uncontended.ssl.session-cache.maximum-size=100",
					"uncontended.ssl.session-cache.timeout=10m")
			.run((context) -> {
				SessionTokens cache = context.getBean(TlsServers.class).sessionTokens();
				assertThat(cache.maximumSize()).isEqualTo(100);
				assertThat(cache.timeout()).isEqualTo(Duration.ofMinutes(10));
			});
	}

	@Test
	void backsOffIfApplicationDefinesCache() {
		this.contextRunner.withUserConfiguration(OwnCache.class)
			.run((context) -> assertThat(context).hasSingleBean(SslSessionCache.class).hasBean("ownCache"));
	}

	/*
	 * Tests of applications mock the cache.
	 */
	@Test
	void serversKeepTheirCacheIfApplicationDefinesAnother() {
		this.contextRunner.withUserConfiguration(OwnCache.class).run((context) -> {
			assertThat(tls(context).engine()).isInstanceOf(JdkTlsEngine.class);
			assertThat(tls(context).servers().sessionTokens().endAll()).isEqualTo(Reach.THIS_NODE);
		});
	}

	@Test
	void beansDoNotTakeUsualNames() {
		this.contextRunner.withBean("tlsEngine", String.class)
			.withBean("tlsServers", String.class)
			.withBean("tlsHandshakes", String.class)
			.run((context) -> assertThat(tls(context).engine()).isInstanceOf(JdkTlsEngine.class));
	}

	@Test
	void warnsOfTicketPropertiesWithoutBoringSsl(CapturedOutput output) {
		this.contextRunner
			.withPropertyValues("uncontended.ssl.tickets.source=redis",
					"uncontended.ssl.tickets.secrets[0]=confidential")
			.run((context) -> assertThat(context).hasNotFailed());
		assertThat(output).containsOnlyOnce("have no effect")
			.contains("uncontended.ssl.tickets.source", "uncontended.ssl.tickets.secrets",
					"uncontended.ssl.engine=boringssl")
			.doesNotContain("confidential");
	}

	@Test
	void doesNotWarnWithoutTicketProperties(CapturedOutput output) {
		this.contextRunner.run((context) -> assertThat(context).hasNotFailed());
		assertThat(output).doesNotContain("no effect");
	}

	@Test
	void warnsOfMaximumSizeWithBoringSsl(CapturedOutput output) {
		this.contextRunner
			.withPropertyValues("uncontended.ssl.engine=boringssl", "uncontended.ssl.session-cache.maximum-size=10")
			.run((context) -> assertThat(context).hasNotFailed());
		assertThat(output).containsOnlyOnce("'uncontended.ssl.session-cache.maximum-size' has no effect");
	}

	@Test
	void endReachesTicketKeysOfAllContextsThatShareCache() {
		this.contextRunner.run((parent) -> {
			ApplicationContextRunner child = this.contextRunner.withParent(parent)
				.withPropertyValues("uncontended.ssl.engine=boringssl");
			child.run((first) -> child.run((second) -> {
				assertThat(tls(first)).isNotEqualTo(tls(second));
				parent.getBean(SslSessionCache.class).endAll();
				assertThat(first.getBean(TicketKeys.class).ends()).isOne();
				assertThat(second.getBean(TicketKeys.class).ends()).isOne();
			}));
		});
	}

	@Test
	void serversShareBeans() {
		this.contextRunner.run((context) -> {
			assertThat(tls(context)).isEqualTo(tls(context));
			assertThat(context).hasSingleBean(TlsServers.class).hasSingleBean(TlsHandshakes.class);
		});
	}

	@Test
	void usesHandshakesOfApplication() {
		TlsHandshakes own = new TlsHandshakes();
		this.contextRunner.withBean(TlsHandshakes.class, () -> own)
			.run((context) -> assertThat(tls(context).servers().handshakes()).isSameAs(own));
	}

	@Test
	void notifiesListenersOfApplication() {
		List<TlsServerId> retried = new ArrayList<>();
		this.contextRunner.withBean(TlsHandshakeListener.class, () -> new TlsHandshakeListener() {

			@Override
			public void retried(TlsServerId server) {
				retried.add(server);
			}

		}).run((context) -> {
			TlsServerId server = new TlsServerId("test", TlsServerId.Context.APPLICATION);
			tls(context).servers().handshakes().retried(server);
			assertThat(retried).containsExactly(server);
		});
	}

	@ParameterizedTest
	@ValueSource(strings = { "boringssl", "BoringSSL" })
	void usesBoringSslInEveryCase(String engine) {
		this.contextRunner.withPropertyValues("uncontended.ssl.engine=" + engine).run((context) -> {
			assertThat(tls(context).engine()).isInstanceOf(BoringSslTlsEngine.class);
			assertThat(context).hasSingleBean(TicketKeys.class);
		});
	}

	@ParameterizedTest
	@ValueSource(strings = { "", "jdk" })
	void usesJdkByDefault(String engine) {
		this.contextRunner.withPropertyValues("uncontended.ssl.engine=" + engine).run((context) -> {
			assertThat(tls(context).engine()).isInstanceOf(JdkTlsEngine.class);
			assertThat(context).doesNotHaveBean(TicketKeys.class);
		});
	}

	private static ServerTls tls(AssertableApplicationContext context) {
		return ServerTls.of(context.getSourceApplicationContext());
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
			return mock();
		}

	}

}
