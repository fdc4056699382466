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

import dev.uncontended.autoconfigure.securerandom.SecureRandomAutoConfiguration;
import dev.uncontended.autoconfigure.ssl.SslServerAutoConfiguration;
import dev.uncontended.autoconfigure.uuid.UuidAutoConfiguration;
import dev.uncontended.random.UncontendedProvider;
import org.junit.jupiter.api.Test;

import org.springframework.aot.generate.ClassNameGenerator;
import org.springframework.aot.generate.DefaultGenerationContext;
import org.springframework.aot.generate.InMemoryGeneratedFiles;
import org.springframework.context.annotation.AnnotationConfigApplicationContext;
import org.springframework.context.aot.ApplicationContextAotGenerator;
import org.springframework.javapoet.ClassName;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests that ahead-of-time processing creates nothing random, which every start of the
 * processed application would share.
 */
class AheadOfTimeProcessingTests {

	@Test
	void createsNoGeneratorAndInstallsNoProvider() {
		try (AnnotationConfigApplicationContext context = new AnnotationConfigApplicationContext()) {
			context.getEnvironment().getSystemProperties();
			context.register(UuidAutoConfiguration.class, SslServerAutoConfiguration.class,
					SecureRandomAutoConfiguration.class);
			new ApplicationContextAotGenerator().processAheadOfTime(context, new DefaultGenerationContext(
					new ClassNameGenerator(ClassName.get(getClass())), new InMemoryGeneratedFiles()));
			assertThat(context.containsBeanDefinition("uuidGenerator")).isTrue();
			assertThat(context.getBeanFactory().containsSingleton("uuidGenerator")).isFalse();
			assertThat(context.getBeanFactory().containsSingleton("sslSessionCache")).isFalse();
			assertThat(UncontendedProvider.isInstalled()).isFalse();
		}
	}

}
