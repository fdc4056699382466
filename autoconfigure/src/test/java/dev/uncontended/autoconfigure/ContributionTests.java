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

import java.io.IOException;
import java.io.InputStream;
import java.lang.reflect.Method;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import com.tngtech.archunit.core.domain.JavaAccess;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.domain.JavaCodeUnit;
import com.tngtech.archunit.core.domain.JavaFieldAccess;
import com.tngtech.archunit.core.domain.properties.CanBeAnnotated;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import dev.uncontended.actuate.SslSessionsEndpoint;
import dev.uncontended.metrics.TlsHandshakeMetrics;
import dev.uncontended.tls.handshake.TlsHandshakeListener;
import dev.uncontended.tls.handshake.TlsHandshakes;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBooleanProperty;
import org.springframework.boot.context.annotation.ImportCandidates;
import org.springframework.boot.data.redis.autoconfigure.DataRedisAutoConfiguration;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.core.NestedExceptionUtils;
import org.springframework.util.ClassUtils;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Verifies that properties and events are complete, and names the missing steps of a
 * contribution. {@link DocumentsTests} does the same for the documents.
 */
class ContributionTests {

	private static final JavaClasses classes = new ClassFileImporter().importPath(Path.of("target", "classes"));

	/** Invalid for every type except text. Negative numbers and times are invalid too. */
	private static final String WRONG = "wrong";

	/** Values of the above that are valid, or that only a server with TLS checks. */
	private static final Set<String> RIGHT = Set.of("uncontended.ssl.tickets.redis.key-prefix=" + WRONG,
			"uncontended.ssl.tickets.generation=-1", "uncontended.ssl.groups=" + WRONG);

	/** Required so that the properties of Redis are read. */
	private static final List<String> NEEDED = List.of("uncontended.ssl.engine=boringssl",
			"uncontended.ssl.tickets.source=redis",
			"uncontended.ssl.tickets.secrets[0]=the secret of the test, 32 bytes");

	private final ApplicationContextRunner contextRunner = new ApplicationContextRunner()
		.withConfiguration(AutoConfigurations.of(autoConfigurations()))
		.withConfiguration(AutoConfigurations.of(DataRedisAutoConfiguration.class))
		.withPropertyValues(NEEDED.toArray(String[]::new))
		.withPropertyValues("spring.data.redis.host=127.0.0.1", "spring.data.redis.port=1");

	@ParameterizedTest
	@MethodSource("wrongValues")
	void invalidValueFailsStart(String value) {
		String name = value.substring(0, value.indexOf('='));
		this.contextRunner.withPropertyValues(value)
			.run((context) -> assertThat(context.getStartupFailure())
				.as("'%s' starts an application: validate '%s', or list the value as right", value, name)
				.isNotNull()
				.satisfiesAnyOf((failure) -> assertThat(failure).hasStackTraceContaining(name),
						(failure) -> assertThat(failure).hasStackTraceContaining("'" + WRONG + "'")));
	}

	@Test
	void emptyValuesCountAsUnset() {
		this.contextRunner.withPropertyValues(names().map((name) -> name + "=").toArray(String[]::new))
			.run((context) -> assertThat(context.getStartupFailure()).withFailMessage(
					() -> "An empty value stops the start: let the setter take an object, and ignore an empty text. "
							+ NestedExceptionUtils.getMostSpecificCause(context.getStartupFailure()))
				.isNull());
	}

	@Test
	void usesEveryProperty() {
		Set<String> switches = switches();
		assertThat(properties()).isNotEmpty()
			.filteredOn((property) -> !switches.contains(property.name()) && !isRead(property))
			.as("properties that nothing reads: call the getter where the feature is configured")
			.isEmpty();
	}

	@Test
	void listenerReceivesEveryEvent() {
		List<String> forgotten = new ArrayList<>();
		JavaClass listener = classes.get(TlsHandshakeListener.class);
		for (Method event : TlsHandshakeListener.class.getDeclaredMethods()) {
			if (!event.isDefault()) {
				forgotten.add("TlsHandshakeListener.%s has no default: other listeners do not compile"
					.formatted(event.getName()));
			}
			if (listener.getMethod(event.getName(), event.getParameterTypes())
				.getCallsOfSelf()
				.stream()
				.noneMatch((call) -> call.getOriginOwner().isEquivalentTo(TlsHandshakes.class))) {
				forgotten.add("TlsHandshakes never calls TlsHandshakeListener.%s".formatted(event.getName()));
			}
			if (listener.getAllSubclasses()
				.stream()
				.filter((type) -> type.getName().startsWith(TlsHandshakeMetrics.class.getName()))
				.noneMatch((type) -> type.tryGetMethod(event.getName(), event.getParameterTypes()).isPresent())) {
				forgotten
					.add("TlsHandshakeMetrics has no meter for TlsHandshakeListener.%s".formatted(event.getName()));
			}
		}
		classes.get(TlsHandshakes.class)
			.getMethods()
			.stream()
			.filter((method) -> method.getRawReturnType().isEquivalentTo(Map.class))
			.filter((method) -> method.getAccessesToSelf()
				.stream()
				.noneMatch((access) -> access.getOriginOwner().isEquivalentTo(SslSessionsEndpoint.class)))
			.forEach((method) -> forgotten
				.add("SslSessionsEndpoint does not show TlsHandshakes.%s".formatted(method.getName())));
		assertThat(forgotten).isEmpty();
	}

	static Stream<String> names() {
		// Without an engine and secrets, shared keys fail the start for other reasons.
		return properties().stream()
			.map(Property::name)
			.filter((name) -> NEEDED.stream().noneMatch((needed) -> needed.startsWith(name)));
	}

	static Stream<String> wrongValues() {
		return properties().stream()
			.flatMap((property) -> Stream.of(WRONG, "-1")
				.filter((value) -> value.equals(WRONG) || property.type().matches(".*\\.(Integer|Duration|DataSize)"))
				.map((value) -> property.name() + "=" + value))
			.filter((value) -> !RIGHT.contains(value))
			.filter((value) -> !switches().contains(value.substring(0, value.indexOf('='))));
	}

	private static List<Property> properties() {
		try (InputStream metadata = ContributionTests.class
			.getResourceAsStream("/META-INF/spring-configuration-metadata.json")) {
			return new JsonMapper().readTree(metadata)
				.path("properties")
				.valueStream()
				.filter((property) -> property.path("name").asString().startsWith("uncontended."))
				.map(Property::of)
				.toList();
		}
		catch (IOException ex) {
			throw new IllegalStateException(ex);
		}
	}

	private static Class<?>[] autoConfigurations() {
		ClassLoader classLoader = ContributionTests.class.getClassLoader();
		return ImportCandidates.load(AutoConfiguration.class, classLoader)
			.getCandidates()
			.stream()
			.filter((name) -> name.startsWith("dev.uncontended."))
			.map((name) -> ClassUtils.resolveClassName(name, classLoader))
			.toArray(Class<?>[]::new);
	}

	/** Returns the properties of {@link ConditionalOnBooleanProperty}. */
	private static Set<String> switches() {
		return classes.stream()
			.flatMap((type) -> Stream.concat(Stream.of(type), type.getMethods().stream()))
			.filter((element) -> element.isAnnotatedWith(ConditionalOnBooleanProperty.class))
			.flatMap(ContributionTests::names)
			.collect(Collectors.toSet());
	}

	private static Stream<String> names(CanBeAnnotated element) {
		ConditionalOnBooleanProperty condition = (element instanceof JavaClass type)
				? type.getAnnotationOfType(ConditionalOnBooleanProperty.class)
				: ((JavaCodeUnit) element).getAnnotationOfType(ConditionalOnBooleanProperty.class);
		return Stream.concat(Stream.of(condition.value()), Stream.of(condition.name()));
	}

	/** Returns whether a property is read outside of its own validation. */
	private static boolean isRead(Property property) {
		return classes.get(property.sourceType())
			.getField(property.field())
			.getAccessesToSelf()
			.stream()
			.filter((access) -> access.getAccessType() == JavaFieldAccess.AccessType.GET)
			.map(JavaAccess::getOrigin)
			.filter((reader) -> !reader.getName().matches("afterPropertiesSet|validate"))
			.anyMatch((reader) -> !reader.getName().equals(property.field()) || !reader.getCallsOfSelf().isEmpty());
	}

	/**
	 * A property of the metadata.
	 */
	private record Property(String name, String type, String sourceType) {

		private static final Pattern DASH = Pattern.compile("-(.)");

		static Property of(JsonNode metadata) {
			return new Property(metadata.path("name").asString(), metadata.path("type").asString(),
					metadata.path("sourceType").asString());
		}

		String field() {
			return DASH.matcher(this.name.substring(this.name.lastIndexOf('.') + 1))
				.replaceAll((dash) -> dash.group(1).toUpperCase(Locale.ROOT));
		}

	}

}
