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

import java.util.List;

import dev.uncontended.tls.TestKeyStore;
import org.junit.jupiter.api.Test;

import org.springframework.boot.autoconfigure.ssl.SslBundleRegistrar;
import org.springframework.boot.ssl.SslBundle;
import org.springframework.boot.ssl.SslBundleKey;
import org.springframework.boot.ssl.SslManagerBundle;
import org.springframework.boot.ssl.SslStoreBundle;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

import static org.mockito.AdditionalAnswers.delegatesTo;
import static org.mockito.BDDMockito.then;
import static org.mockito.Mockito.mock;

/**
 * Tests for TLS on Reactor Netty.
 */
class NettySslServerTests extends AbstractTlsServerTests {

	NettySslServerTests() {
		super(TestServer.NETTY, "jdk");
	}

	@Test
	void createsContextsOfBootOnce() throws Exception {
		run("--server.ssl.bundle=counted");
		assertServes();
		then(context().getBean(SslManagerBundle.class)).should().getKeyManagerFactory();
		sessions().endAll();
		assertServes();
		then(context().getBean(SslManagerBundle.class)).should().getKeyManagerFactory();
	}

	@Override
	List<Class<?>> sources() {
		return List.of(CountedBundle.class);
	}

	@Configuration(proxyBeanMethods = false)
	static class CountedBundle {

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

	}

}
