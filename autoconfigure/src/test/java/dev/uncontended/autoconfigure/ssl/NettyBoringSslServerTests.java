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

import org.junit.jupiter.api.Test;
import reactor.core.publisher.Mono;

import org.springframework.boot.WebApplicationType;
import org.springframework.boot.autoconfigure.ImportAutoConfiguration;
import org.springframework.boot.autoconfigure.ssl.SslAutoConfiguration;
import org.springframework.boot.reactor.netty.autoconfigure.NettyReactiveWebServerAutoConfiguration;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.http.client.ReactorResourceFactory;
import org.springframework.http.server.reactive.HttpHandler;

/**
 * Tests for the engine {@code boringssl} in Reactor Netty.
 */
class NettyBoringSslServerTests extends AbstractBoringSslServerTests {

	NettyBoringSslServerTests() {
		super(WebApplicationType.REACTIVE, Application.class);
	}

	@Test
	void servesEachServerNameWithItsBundle() throws Exception {
		assertServesEachServerNameWithItsBundle();
	}

	@Configuration(proxyBeanMethods = false)
	@ImportAutoConfiguration({ SslAutoConfiguration.class, SslSessionCacheAutoConfiguration.class,
			SslServerAutoConfiguration.class, NettyReactiveWebServerAutoConfiguration.class })
	static class Application {

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
