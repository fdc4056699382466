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

import java.security.Security;

import dev.uncontended.ChildJvm;
import dev.uncontended.actuate.UuidEndpoint;
import dev.uncontended.uuid.NameUuidFactory;
import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledForJreRange;
import org.junit.jupiter.api.condition.JRE;

import org.springframework.boot.WebApplicationType;
import org.springframework.boot.autoconfigure.ImportAutoConfiguration;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.boot.micrometer.metrics.autoconfigure.MetricsAutoConfiguration;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for an application with Actuator and a meter registry in a JVM without MD5.
 */
@Tag("integration")
class WithoutMd5Tests {

	@Test
	@EnabledForJreRange(min = JRE.JAVA_25)
	void applicationStartsAndItsEndpointOmitsFactoryThatCannotBeCreated() throws Exception {
		assertThat(ChildJvm.run(Application.class)).contains("generated=[0.0, 0.0]", "endpoint=[]",
				"version 3: Failed to create a factory of version 3 UUIDs: this JVM does not offer the message digest 'MD5'");
	}

	@Configuration(proxyBeanMethods = false)
	@ImportAutoConfiguration({ MetricsAutoConfiguration.class, UuidAutoConfiguration.class,
			UuidActuatorAutoConfiguration.class })
	static class Application {

		@Bean
		MeterRegistry meterRegistry() {
			return new SimpleMeterRegistry();
		}

		public static void main(String[] args) {
			Security.setProperty("jdk.crypto.disabledAlgorithms", "MessageDigest.MD5");
			try (ConfigurableApplicationContext context = new SpringApplicationBuilder(Application.class)
				.web(WebApplicationType.NONE)
				.run("--management.endpoints.web.exposure.include=uuid")) {
				System.out.println("generated=" + context.getBean(MeterRegistry.class)
					.find("uuid.names.generated")
					.functionCounters()
					.stream()
					.map(FunctionCounter::count)
					.toList());
				System.out.println("endpoint=" + context.getBean(UuidEndpoint.class).uuid().names().keySet());
				try {
					context.getBean("md5NameUuidFactory", NameUuidFactory.class);
				}
				catch (RuntimeException ex) {
					System.out.println("version 3: " + ex.getCause().getCause().getMessage());
				}
			}
		}

	}

}
