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

import java.util.function.Predicate;

import dev.uncontended.integration.internal.TimeOrderedUuidGenerator;
import dev.uncontended.random.RefillFailure;
import dev.uncontended.uuid.UuidGenerator;
import org.junit.jupiter.api.Test;

import org.springframework.aot.hint.RuntimeHints;
import org.springframework.aot.hint.RuntimeHintsRegistrar;
import org.springframework.beans.factory.aot.AotServices;
import org.springframework.boot.test.context.FilteredClassLoader;

import static org.assertj.core.api.Assertions.assertThat;
import static org.springframework.aot.hint.predicate.RuntimeHintsPredicates.reflection;

/**
 * Tests for {@link UncontendedRuntimeHints}.
 */
class UncontendedRuntimeHintsTests {

	private final RuntimeHints hints = new RuntimeHints();

	@Test
	void hintsAreRegisteredForAheadOfTimeProcessing() {
		assertThat(AotServices.factories().load(RuntimeHintsRegistrar.class))
			.hasAtLeastOneElementOfType(UncontendedRuntimeHints.class);
	}

	@Test
	void hintsCoverReflectivelyCreatedClasses() throws Exception {
		register(getClass().getClassLoader());
		assertThat(reflection()
			.onConstructorInvocation(TimeOrderedUuidGenerator.class.getConstructor(UuidGenerator.class)))
			.accepts(this.hints);
		assertThat(reflection().onConstructorInvocation(
				Class.forName("dev.uncontended.tls.server.tomcat.RenewableSslImplementation").getDeclaredConstructor()))
			.accepts(this.hints);
	}

	@Test
	void hintsCoverHealthDetails() throws Exception {
		register(getClass().getClassLoader());
		assertThat(reflection().onMethodInvocation(RefillFailure.class.getMethod("type"))).accepts(this.hints);
	}

	@Test
	void hintsSkipAbsentLibraries() {
		register(new FilteredClassLoader("org.hibernate", "org.apache.tomcat", "dev.uncontended.integration",
				"dev.uncontended.tls.server.tomcat"));
		Predicate<RuntimeHints> generator = reflection().onType(TimeOrderedUuidGenerator.class);
		assertThat(generator).rejects(this.hints);
	}

	private void register(ClassLoader classLoader) {
		new UncontendedRuntimeHints().registerHints(this.hints, classLoader);
	}

}
