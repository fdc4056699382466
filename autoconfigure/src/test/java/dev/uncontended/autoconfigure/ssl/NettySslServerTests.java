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

import java.nio.charset.StandardCharsets;
import java.time.Duration;

import dev.uncontended.tls.TestKeyStore;
import org.junit.jupiter.api.Test;
import reactor.core.publisher.Mono;

import org.springframework.boot.WebApplicationType;
import org.springframework.boot.autoconfigure.ImportAutoConfiguration;
import org.springframework.boot.autoconfigure.ssl.SslAutoConfiguration;
import org.springframework.boot.autoconfigure.ssl.SslBundleRegistrar;
import org.springframework.boot.reactor.netty.autoconfigure.NettyReactiveWebServerAutoConfiguration;
import org.springframework.boot.ssl.SslBundle;
import org.springframework.boot.ssl.SslBundleKey;
import org.springframework.boot.ssl.SslManagerBundle;
import org.springframework.boot.ssl.SslStoreBundle;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.http.client.ReactorResourceFactory;
import org.springframework.http.server.reactive.HttpHandler;

import static org.mockito.AdditionalAnswers.delegatesTo;
import static org.mockito.BDDMockito.then;
import static org.mockito.Mockito.mock;

/**
 * Tests for TLS on Reactor Netty.
 */
class NettySslServerTests extends AbstractSslServerTests {

	NettySslServerTests() {
		super("netty", WebApplicationType.REACTIVE, Application.class);
	}

	@Test
	void servesEachServerNameWithItsBundle() throws Exception {
		assertServesEachServerNameWithItsBundle();
	}

	@Test
	void makesTheContextsOfBootOnceToo() throws Exception {
		run("--server.address=127.0.0.1", "--server.port=0", "--server.ssl.bundle=counted");
		assertServes();
		then(context().getBean(SslManagerBundle.class)).should().getKeyManagerFactory();
		sessions().invalidateAll();
		assertServes();
		then(context().getBean(SslManagerBundle.class)).should().getKeyManagerFactory();
	}

	@Configuration(proxyBeanMethods = false)
	@ImportAutoConfiguration({ SslAutoConfiguration.class, SslSessionCacheAutoConfiguration.class,
			SslServerAutoConfiguration.class, NettyReactiveWebServerAutoConfiguration.class })
	static class Application {

		@Bean
		SslManagerBundle counted() {
			SslBundle bundle = SslBundle.of(SslStoreBundle.of(first.keyStore(), TestKeyStore.PASSWORD, null),
					SslBundleKey.of(TestKeyStore.PASSWORD, "test"));
			return mock(SslManagerBundle.class, delegatesTo(bundle.getManagers()));
		}

		@Bean
		SslBundleRegistrar bundles(SslManagerBundle counted) {
			return (registry) -> registry.registerBundle("counted", SslBundle.of(null, null, null, null, counted));
		}

		/** Without the two seconds that event loops go on for by default. */
		@Bean
		ReactorResourceFactory reactorResourceFactory() {
			ReactorResourceFactory factory = new ReactorResourceFactory();
			factory.setUseGlobalResources(false);
			factory.setShutdownQuietPeriod(Duration.ZERO);
			return factory;
		}

		@Bean
		HttpHandler ok() {
			return (request, response) -> {
				response.getHeaders().setContentLength(2);
				return response.writeWith(Mono
					.fromSupplier(() -> response.bufferFactory().wrap("ok".getBytes(StandardCharsets.US_ASCII))));
			};
		}

	}

}
