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
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaCodeUnit;
import com.tngtech.archunit.core.domain.JavaField;
import com.tngtech.archunit.core.domain.JavaMember;
import com.tngtech.archunit.core.domain.JavaModifier;
import com.tngtech.archunit.core.domain.JavaType;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Verifies the API: the public types of the packages that the reference lists. All other
 * packages are internal.
 */
class PublicApiTests {

	private static final Path REFERENCE = Path.of("..", "docs", "reference.md");

	private static final Pattern ROW = Pattern.compile("^\\| `(dev\\.uncontended\\.[a-z.]+)` \\|", Pattern.MULTILINE);

	private static final Path POM = Path.of("..", "pom.xml");

	private static final Pattern INCLUDE = Pattern.compile("<include>(dev\\.uncontended\\.[a-z.]+)</include>");

	private static final Pattern CHECKED = Pattern.compile("<javadoc.checked-packages>(.+)</javadoc.checked-packages>");

	@Test
	void apiRefersOnlyToApi() throws IOException {
		Set<String> packages = find(REFERENCE, ROW);
		List<JavaClass> api = new ClassFileImporter().importPath(Path.of("target", "classes"))
			.stream()
			.filter((type) -> packages.contains(type.getPackageName()) && isVisible(type))
			.toList();
		assertThat(api).extracting(JavaClass::getPackageName).containsAll(packages);
		assertThat(api).allSatisfy((type) -> assertThat(references(type)).as(type.getName())
			.filteredOn((name) -> name.startsWith("dev.uncontended."))
			.isSubsetOf(packages));
	}

	/*
	 * japicmp compares the API with the last release.
	 */
	@Test
	void comparisonWithReleasesIncludesApi() throws IOException {
		assertThat(find(POM, INCLUDE)).isEqualTo(find(REFERENCE, ROW));
	}

	@Test
	void javadocOfApiIsChecked() throws IOException {
		assertThat(find(POM, CHECKED)).singleElement()
			.satisfies((packages) -> assertThat(packages.split(","))
				.containsExactlyInAnyOrderElementsOf(find(REFERENCE, ROW)));
	}

	private static boolean isVisible(JavaClass type) {
		return isVisible(type.getModifiers()) && type.getEnclosingClass().map(PublicApiTests::isVisible).orElse(true);
	}

	private static boolean isVisible(Set<JavaModifier> modifiers) {
		return modifiers.contains(JavaModifier.PUBLIC) || modifiers.contains(JavaModifier.PROTECTED);
	}

	private static Set<String> references(JavaClass type) {
		Stream<JavaType> parents = Stream.concat(type.getSuperclass().stream(), type.getInterfaces().stream());
		Stream<JavaType> members = type.getMembers()
			.stream()
			.filter((member) -> isVisible(member.getModifiers()))
			.flatMap(PublicApiTests::typesOf);
		return Stream.concat(parents, members)
			.flatMap((reference) -> reference.getAllInvolvedRawTypes().stream())
			.map((reference) -> reference.getBaseComponentType().getPackageName())
			.collect(Collectors.toSet());
	}

	private static Stream<JavaType> typesOf(JavaMember member) {
		return (member instanceof JavaCodeUnit unit)
				? Stream.concat(Stream.of(unit.getReturnType()), unit.getParameterTypes().stream())
				: Stream.of(((JavaField) member).getType());
	}

	private static Set<String> find(Path file, Pattern pattern) throws IOException {
		return pattern.matcher(Files.readString(file))
			.results()
			.map((match) -> match.group(1))
			.collect(Collectors.toSet());
	}

}
