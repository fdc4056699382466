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

package dev.uncontended.autoconfigure;

import dev.uncontended.tls.session.SslSessionCache;
import dev.uncontended.uuid.NameUuidFactory;
import dev.uncontended.uuid.UuidGenerator;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import org.springframework.boot.SpringBootConfiguration;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.hibernate.autoconfigure.HibernateJpaAutoConfiguration;
import org.springframework.boot.jdbc.autoconfigure.DataSourceAutoConfiguration;
import org.springframework.boot.test.context.FilteredClassLoader;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for applications without optional dependencies.
 */
@Tag("product")
class OptionalDependencyTests {

	private final ApplicationContextRunner contextRunner = new ApplicationContextRunner()
		.withUserConfiguration(Application.class);

	@ParameterizedTest
	@ValueSource(strings = { "io.micrometer.core", "org.springframework.web", "jakarta.servlet", "org.apache.catalina",
			"org.apache.tomcat", "org.springframework.boot.tomcat", "org.eclipse.jetty",
			"org.springframework.boot.jetty", "reactor", "io.netty", "org.springframework.boot.reactor",
			"org.springframework.session", "org.springframework.data.redis", "io.lettuce" })
	void providesBeansWithout(String packageName) {
		this.contextRunner.withClassLoader(new FilteredClassLoader(packageName))
			.withPropertyValues("management.endpoints.web.exposure.include=*")
			.run((context) -> assertThat(context).hasSingleBean(UuidGenerator.class)
				.hasSingleBean(SslSessionCache.class)
				.getBeans(NameUuidFactory.class)
				.hasSize(2));
	}

	@SpringBootConfiguration(proxyBeanMethods = false)
	@EnableAutoConfiguration(exclude = { DataSourceAutoConfiguration.class, HibernateJpaAutoConfiguration.class })
	static class Application {

	}

}
