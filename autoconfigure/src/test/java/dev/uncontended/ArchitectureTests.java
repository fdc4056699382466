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

import javax.net.ssl.SSLSession;

import com.tngtech.archunit.base.DescribedPredicate;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.domain.JavaPackage;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.lang.ArchRule;
import org.jspecify.annotations.NullMarked;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import static com.tngtech.archunit.base.DescribedPredicate.not;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAPackage;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAnyPackage;
import static com.tngtech.archunit.core.domain.properties.HasName.Predicates.nameMatching;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;
import static org.assertj.core.api.Assertions.assertThat;

/**
 * Holds the arrows between the packages: they point down only.
 */
class ArchitectureTests {

	private static final String ROOT = "dev.uncontended";

	private static final JavaClasses classes = new ClassFileImporter().importPath(Path.of("target", "classes"));

	@ParameterizedTest
	@CsvSource(textBlock = """
			random,        ''
			uuid,          'random'
			cache,         ''
			tls.session,   'cache'
			tls.handshake, ''
			tls.engine,    'tls.handshake'
			tls.server,    'tls.session,tls.handshake,tls.engine'
			tls.tickets,   ''
			""")
	void enginesKnowOnlyTheJdkAndTheEnginesBelow(String engine, String below) {
		String[] allowed = ("java..,javax..,jdk.jfr..,org.jspecify.annotations.." + packages(below) + packages(engine))
			.split(",");
		ArchRule rule = classes().that()
			.resideInAPackage(ROOT + "." + engine)
			.should()
			.onlyDependOnClassesThat(resideInAnyPackage(allowed).or(primitives()));
		rule.check(classes);
	}

	@ParameterizedTest
	@CsvSource(
			textBlock = """
					server.tomcat, 'org.eclipse.jetty..,io.netty..,reactor..'
					server.jetty,  'org.apache..,io.netty..,reactor..'
					server.netty,  'org.apache..,org.eclipse.jetty..'
					boringssl, 'org.apache..,org.eclipse.jetty..,reactor..,dev.uncontended.tls.server..'
					""")
	void serverAdaptersKnowOnlyTheirOwnServer(String server, String others) {
		ArchRule rule = noClasses().that()
			.resideInAPackage(ROOT + ".tls." + server + "..")
			.should()
			.dependOnClassesThat()
			.resideInAnyPackage((others + ",io.micrometer..,org.springframework..").split(","));
		rule.allowEmptyShould(true).check(classes);
	}

	@Test
	void onlyTheSourceInRedisKnowsRedis() {
		noClasses().that()
			.resideOutsideOfPackages(ROOT + ".tls.redis..", ROOT + ".autoconfigure.ssl.tickets..")
			.should()
			.dependOnClassesThat()
			.resideInAnyPackage("org.springframework.data.redis..", "io.lettuce..", ROOT + ".tls.redis..")
			.check(classes);
		noClasses().that()
			.resideInAPackage(ROOT + ".tls.redis..")
			.should()
			.dependOnClassesThat(resideInAPackage(ROOT + "..")
				.and(not(resideInAnyPackage(ROOT + ".tls.redis..", ROOT + ".tls.tickets.."))))
			.check(classes);
	}

	/*
	 * Nodes must derive the same bytes under all locales.
	 */
	@Test
	void nothingThatDerivesKeysDependsOnTheLocale() {
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
	void nothingImportsTheAutoConfiguration() {
		noClasses().that()
			.resideOutsideOfPackage(ROOT + ".autoconfigure..")
			.should()
			.dependOnClassesThat()
			.resideInAPackage(ROOT + ".autoconfigure..")
			.check(classes);
	}

	@Test
	void metersAndEndpointsDoNotKnowEachOther() {
		noClasses().that()
			.resideInAPackage(ROOT + ".metrics..")
			.should()
			.dependOnClassesThat()
			.resideInAPackage(ROOT + ".actuate..")
			.check(classes);
		noClasses().that()
			.resideInAPackage(ROOT + ".actuate..")
			.should()
			.dependOnClassesThat()
			.resideInAPackage(ROOT + ".metrics..")
			.check(classes);
	}

	@Test
	void packagesAreFreeOfCycles() {
		slices().matching(ROOT + ".(**)").should().beFreeOfCycles().check(classes);
	}

	/*
	 * Whether a handshake was full must not depend on a clock that may be set: only the
	 * cache and the sessions themselves tell times of the day.
	 */
	@Test
	void nothingThatCountsHandshakesReadsTheTimeOfDay() {
		noClasses()
			.that(resideInAnyPackage(ROOT + ".tls.session", ROOT + ".tls.handshake", ROOT + ".tls.engine",
					ROOT + ".tls.server..", ROOT + ".tls.boringssl")
				.and(not(nameMatching(".*(SslSessionCache.*|Session)"))))
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
	void nothingHoldsThreadLocals() {
		noClasses().should().dependOnClassesThat().areAssignableTo(ThreadLocal.class).check(classes);
	}

	@Test
	void everyPackageIsNullMarked() {
		assertThat(classes.stream().map(JavaClass::getPackage).distinct())
			.allMatch((javaPackage) -> isNullMarked(javaPackage), "is @NullMarked");
	}

	private static boolean isNullMarked(JavaPackage javaPackage) {
		return javaPackage.isAnnotatedWith(NullMarked.class);
	}

	private static String packages(String names) {
		return names.isEmpty() ? "" : "," + ROOT + "." + names.replace(",", "," + ROOT + ".");
	}

	private static DescribedPredicate<JavaClass> primitives() {
		return DescribedPredicate.describe("primitives and their arrays",
				(javaClass) -> javaClass.getBaseComponentType().isPrimitive());
	}

}
