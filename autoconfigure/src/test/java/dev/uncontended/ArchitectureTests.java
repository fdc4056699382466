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
import java.util.stream.Collectors;
import java.util.stream.Stream;

import javax.net.ssl.SSLSession;

import com.tngtech.archunit.base.DescribedPredicate;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.domain.JavaPackage;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.library.dependencies.SliceAssignment;
import com.tngtech.archunit.library.dependencies.SliceIdentifier;
import org.jspecify.annotations.NullMarked;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import static com.tngtech.archunit.base.DescribedPredicate.not;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAnyPackage;
import static com.tngtech.archunit.core.domain.properties.HasName.Predicates.nameMatching;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;
import static org.assertj.core.api.Assertions.assertThat;

/**
 * Verifies the dependencies between packages, which point down only.
 */
class ArchitectureTests {

	private static final String ROOT = "dev.uncontended";

	private static final JavaClasses classes = new ClassFileImporter().importPath(Path.of("target", "classes"));

	/**
	 * Each package, the packages of the project and the libraries that it may depend on
	 * besides the JDK. A package called {@code internal} belongs to the package above it.
	 */
	private static final String PACKAGES = """
			random.prng       |                                                   |
			random            | random.prng                                       |
			uuid              | random                                            |
			cache             |                                                   |
			tls.session       | cache                                             |
			tls.handshake     |                                                   |
			tls.engine        | tls.session tls.handshake                         |
			tls.server        | tls.session tls.handshake tls.engine              |
			tls.server.tomcat | tls.server tls.handshake tls.engine               | org.apache
			tls.server.jetty  | tls.server tls.handshake tls.engine               | org.eclipse.jetty
			tls.server.netty  | tls.server tls.handshake tls.engine               | io.netty reactor
			tls.tickets       | tls.session                                       |
			tls.jdk           | tls.session tls.engine                            |
			tls.boringssl     | tls.session tls.engine tls.tickets                | io.netty
			tls.redis         | tls.session tls.tickets                           | org.springframework org.apache.commons.logging
			integration                   | uuid                                              | org.hibernate org.springframework reactor.blockhound
			metrics           | random uuid tls.session tls.handshake tls.tickets | io.micrometer
			actuate           | random uuid tls.session tls.handshake tls.server tls.tickets | org.springframework com.fasterxml.jackson.annotation org.apache.commons.logging
			""";

	@ParameterizedTest
	@CsvSource(delimiter = '|', textBlock = PACKAGES)
	void packageDependsOnlyOnLowerPackages(String name, @Nullable String below, @Nullable String libraries) {
		Stream<String> own = Stream.concat(Stream.of(name), words(below)).flatMap(ArchitectureTests::withInternal);
		Stream<String> foreign = Stream.concat(Stream.of("java", "javax", "org.jspecify"), words(libraries))
			.map((word) -> word + "..");
		classes().that()
			.resideInAnyPackage(withInternal(name).toArray(String[]::new))
			.should()
			.onlyDependOnClassesThat(
					resideInAnyPackage(Stream.concat(own, foreign).toArray(String[]::new)).or(primitives()))
			.check(classes);
	}

	@Test
	void everyPackageIsListed() {
		assertThat(PACKAGES.lines().map((line) -> ROOT + "." + line.split(" ")[0]))
			.containsExactlyInAnyOrderElementsOf(classes.stream()
				.map(ArchitectureTests::packageAboveInternal)
				.filter((name) -> !name.startsWith(ROOT + ".autoconfigure"))
				.collect(Collectors.toSet()));
	}

	@ParameterizedTest
	@CsvSource(delimiter = ';', textBlock = """
			UncontendedBlockHoundIntegration; org.hibernate org.springframework
			UuidSessionIdGenerator; reactor org.hibernate org.springframework.[data|util]
			TimeOrderedUuidGenerator; org.springframework reactor
			TimeOrderedUuidPopulator; reactor org.hibernate org.springframework.data.[jdbc|mongodb|r2dbc|relational]
			""")
	void adapterDependsOnlyOnItsLibrary(String adapter, String others) {
		noClasses().that()
			.haveFullyQualifiedName(ROOT + ".integration.internal." + adapter)
			.should()
			.dependOnClassesThat(resideInAnyPackage(words(others).map((word) -> word + "..").toArray(String[]::new)))
			.check(classes);
	}

	/*
	 * Nodes must derive the same bytes in all locales.
	 */
	@Test
	void keyDerivationDoesNotDependOnLocale() {
		noClasses().that()
			.resideInAnyPackage(ROOT + ".tls.tickets..", ROOT + ".tls.redis..")
			.should()
			.callMethod(String.class, "formatted", Object[].class)
			.orShould()
			.callMethod(String.class, "format", String.class, Object[].class)
			.orShould()
			.callMethod(String.class, "toLowerCase")
			.orShould()
			.callMethod(String.class, "toUpperCase")
			.check(classes);
	}

	@Test
	void packagesHaveNoCycles() {
		slices().assignedFrom(new PackageAboveInternal()).should().beFreeOfCycles().check(classes);
	}

	/*
	 * Whether a handshake was full must not depend on a settable clock. Only the cache
	 * and the sessions use the wall clock.
	 */
	@Test
	void handshakeCountsDoNotDependOnWallClock() {
		noClasses()
			.that(resideInAnyPackage(ROOT + ".tls.session", ROOT + ".tls.handshake", ROOT + ".tls.engine",
					ROOT + ".tls.jdk", ROOT + ".tls.server..", ROOT + ".tls.boringssl")
				.and(not(nameMatching(".*(SslSessionCache.*|Session|BoringSslContext)"))))
			.should()
			.callMethod(System.class, "currentTimeMillis")
			.orShould()
			.callMethod(SSLSession.class, "getCreationTime")
			.orShould()
			.dependOnClassesThat()
			.haveNameMatching("java\\.time\\.(Clock|Instant|InstantSource|LocalDateTime)|java\\.util\\.Date")
			.check(classes);
	}

	@Test
	void nothingUsesThreadLocals() {
		noClasses().should().dependOnClassesThat().areAssignableTo(ThreadLocal.class).check(classes);
	}

	@Test
	void everyPackageIsNullMarked() {
		assertThat(classes.stream().map(JavaClass::getPackage).distinct())
			.allMatch((javaPackage) -> isNullMarked(javaPackage), "is @NullMarked");
	}

	private static Stream<String> withInternal(String name) {
		return Stream.of(ROOT + "." + name, ROOT + "." + name + ".internal");
	}

	private static String packageAboveInternal(JavaClass javaClass) {
		return javaClass.getPackageName().replaceFirst("\\.internal$", "");
	}

	private static boolean isNullMarked(JavaPackage javaPackage) {
		return javaPackage.isAnnotatedWith(NullMarked.class);
	}

	private static Stream<String> words(@Nullable String text) {
		return (text != null) ? Stream.of(text.split(" ")) : Stream.empty();
	}

	private static DescribedPredicate<JavaClass> primitives() {
		return DescribedPredicate.describe("primitives and their arrays",
				(javaClass) -> javaClass.getBaseComponentType().isPrimitive());
	}

	private static final class PackageAboveInternal implements SliceAssignment {

		@Override
		public SliceIdentifier getIdentifierOf(JavaClass javaClass) {
			return SliceIdentifier.of(packageAboveInternal(javaClass));
		}

		@Override
		public String getDescription() {
			return "packages with their internal packages";
		}

	}

}
