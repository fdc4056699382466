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

package dev.uncontended;

import java.nio.file.Path;
import java.util.HashSet;
import java.util.Set;
import java.util.regex.Pattern;

import com.tngtech.archunit.ArchConfiguration;
import com.tngtech.archunit.core.domain.Dependency;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.domain.properties.CanBeAnnotated;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Tags;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Verifies that tests with connections or processes have the tag that the profile
 * {@code quick} excludes.
 */
class IntegrationTagTests {

	private static final Pattern CONNECTIONS_AND_PROCESSES = Pattern.compile(
			"java\\.lang\\.ProcessBuilder|java\\.net\\.http\\..*|(java\\.net|javax\\.net\\.ssl|java\\.nio\\.channels)\\.\\w*Socket\\w*|.*\\.MongoServer");

	private static final JavaClasses classes = ArchConfiguration.withThreadLocalScope((configuration) -> {
		// Names of library classes suffice, and resolving the classes is slow.
		configuration.setResolveMissingDependenciesFromClassPath(false);
		return new ClassFileImporter().importPath(Path.of("target", "test-classes"));
	});

	@Test
	void testsWithConnectionsOrProcessesAreTagged() {
		assertThat(classes.stream()
			.filter((javaClass) -> javaClass.getSimpleName().endsWith("Tests"))
			.filter((javaClass) -> connectsOrStartsProcesses(javaClass, new HashSet<>()))).isNotEmpty()
			.allMatch(IntegrationTagTests::isTagged, "has the tag");
	}

	/**
	 * Follows the helper classes of tests.
	 */
	private static boolean connectsOrStartsProcesses(JavaClass javaClass, Set<JavaClass> seen) {
		if (!seen.add(javaClass)) {
			return false;
		}
		return javaClass.getDirectDependenciesFromSelf()
			.stream()
			.map(Dependency::getTargetClass)
			.anyMatch((target) -> CONNECTIONS_AND_PROCESSES.matcher(target.getName()).matches()
					|| (classes.contain(target.getName()) && connectsOrStartsProcesses(target, seen)));
	}

	private static boolean isTagged(JavaClass javaClass) {
		return javaClass.getClassHierarchy().stream().anyMatch(IntegrationTagTests::hasTag)
				|| javaClass.getMethods().stream().anyMatch(IntegrationTagTests::hasTag);
	}

	private static boolean hasTag(CanBeAnnotated element) {
		return element.isMetaAnnotatedWith(Tag.class) || element.isAnnotatedWith(Tags.class);
	}

}
