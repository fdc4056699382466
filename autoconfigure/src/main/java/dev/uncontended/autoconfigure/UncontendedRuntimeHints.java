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

import dev.uncontended.random.RefillFailure;
import org.jspecify.annotations.Nullable;

import org.springframework.aot.hint.BindingReflectionHintsRegistrar;
import org.springframework.aot.hint.MemberCategory;
import org.springframework.aot.hint.RuntimeHints;
import org.springframework.aot.hint.RuntimeHintsRegistrar;

/**
 * A {@link RuntimeHintsRegistrar} for classes that libraries access reflectively.
 */
class UncontendedRuntimeHints implements RuntimeHintsRegistrar {

	private static final String HIBERNATE_GENERATOR = "dev.uncontended.integration.internal.TimeOrderedUuidGenerator";

	private static final String TOMCAT_IMPLEMENTATION = "dev.uncontended.tls.server.tomcat.RenewableSslImplementation";

	@Override
	public void registerHints(RuntimeHints hints, @Nullable ClassLoader classLoader) {
		hints.reflection()
			.registerTypeIfPresent(classLoader, HIBERNATE_GENERATOR, MemberCategory.INVOKE_DECLARED_CONSTRUCTORS)
			.registerTypeIfPresent(classLoader, TOMCAT_IMPLEMENTATION, MemberCategory.INVOKE_DECLARED_CONSTRUCTORS);
		new BindingReflectionHintsRegistrar().registerReflectionHints(hints.reflection(), RefillFailure.class);
	}

}
