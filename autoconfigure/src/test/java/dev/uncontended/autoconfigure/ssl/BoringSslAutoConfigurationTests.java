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

import dev.uncontended.autoconfigure.ssl.tickets.TicketKeyAutoConfiguration;
import dev.uncontended.tls.boringssl.BoringSslTlsEngine;
import dev.uncontended.tls.engine.TlsEngine;
import dev.uncontended.tls.tickets.TicketKeySource;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for {@link BoringSslAutoConfiguration}.
 */
class BoringSslAutoConfigurationTests {

	private final ApplicationContextRunner contextRunner = new ApplicationContextRunner()
		.withConfiguration(AutoConfigurations.of(TicketKeyAutoConfiguration.class, BoringSslAutoConfiguration.class,
				SslSessionCacheAutoConfiguration.class));

	@ParameterizedTest
	@ValueSource(strings = { "boringssl", "BoringSSL", "boring-ssl" })
	void isEnabledByEverySpellingOfProperty(String engine) {
		this.contextRunner.withPropertyValues("uncontended.ssl.engine=" + engine).run((context) -> {
			assertThat(context).getBean(TlsEngine.class).isInstanceOf(BoringSslTlsEngine.class);
			assertThat(context).hasSingleBean(TicketKeySource.class);
		});
	}

	@Test
	void unknownEngineFailsStart() {
		this.contextRunner.withPropertyValues("uncontended.ssl.engine=openssl")
			.run((context) -> assertThat(context).getFailure()
				.hasStackTraceContaining("No enum constant dev.uncontended.autoconfigure.SslEngine.openssl"));
	}

	@ParameterizedTest
	@ValueSource(strings = { "", "jdk" })
	void isDisabledByDefault(String engine) {
		this.contextRunner.withPropertyValues("uncontended.ssl.engine=" + engine)
			.run((context) -> assertThat(context).doesNotHaveBean(BoringSslTlsEngine.class));
	}

}
