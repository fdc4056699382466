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

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Stream;

import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaModifier;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Verifies that every public type is either in a package that the reference lists as API,
 * or internal by the Javadoc of its package or its own. japicmp compares the API only.
 */
class PublicApiTests {

	private static final Path SOURCES = Path.of("src", "main", "java");

	private static final Pattern ROW = Pattern.compile("^\\| `(dev\\.uncontended\\.[a-z.]+)` \\|", Pattern.MULTILINE);

	private static final Pattern EXCLUDE = Pattern.compile("<exclude>(dev\\.uncontended\\.[\\w.]+)</exclude>");

	private static final Pattern INTERNAL = Pattern.compile("^ \\*.*\\bInternal: ", Pattern.MULTILINE);

	private static final List<JavaClass> publicTypes = new ClassFileImporter().importPath(Path.of("target", "classes"))
		.stream()
		.filter((type) -> type.isTopLevelClass() && type.getModifiers().contains(JavaModifier.PUBLIC))
		.toList();

	@Test
	void referenceListsPackagesOfApi() {
		assertThat(publicTypes.stream().filter((type) -> !isInternal(type)).map(JavaClass::getPackageName))
			.containsOnly(find(Path.of("..", "docs", "reference.md"), ROW));
	}

	@Test
	void comparisonWithReleasesExcludesInternalPackages() {
		String[] excludes = find(Path.of("..", "pom.xml"), EXCLUDE);
		assertThat(publicTypes.stream().filter(PublicApiTests::isInternal)).containsExactlyElementsOf(
				publicTypes.stream().filter((type) -> isExcluded(type.getName(), excludes)).toList());
	}

	private static boolean isInternal(JavaClass type) {
		return isInternal(type.getPackageName() + ".package-info") || isInternal(type.getName());
	}

	private static boolean isInternal(String name) {
		return INTERNAL.matcher(read(SOURCES.resolve(name.replace('.', '/') + ".java"))).find();
	}

	private static boolean isExcluded(String name, String[] excludes) {
		return Stream.of(excludes).anyMatch((exclude) -> (name + ".").startsWith(exclude + "."));
	}

	private static String[] find(Path file, Pattern pattern) {
		return pattern.matcher(read(file)).results().map((match) -> match.group(1)).toArray(String[]::new);
	}

	private static String read(Path file) {
		try {
			return Files.readString(file);
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

}
