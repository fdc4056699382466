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

package dev.uncontended.autoconfigure.uuid;

import java.security.Provider;
import java.security.Security;
import java.time.Clock;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.List;
import java.util.UUID;

import dev.uncontended.random.prng.StrangeAesProvider;
import dev.uncontended.random.prng.StrangeAesProvider.Fault;
import dev.uncontended.uuid.NameUuidFactory;
import dev.uncontended.uuid.UuidGenerator;
import dev.uncontended.uuid.UuidGeneratorBuilderCustomizer;
import dev.uncontended.uuid.UuidTimestamps;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.extension.ExtendWith;

import org.springframework.beans.factory.annotation.Qualifier;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.annotation.Order;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for {@link UuidAutoConfiguration}.
 */
@ExtendWith(OutputCaptureExtension.class)
class UuidAutoConfigurationTests {

	private final ApplicationContextRunner contextRunner = new ApplicationContextRunner()
		.withConfiguration(AutoConfigurations.of(UuidAutoConfiguration.class));

	@Test
	void providesGenerator() {
		this.contextRunner.run((context) -> {
			assertThat(context).hasSingleBean(UuidGenerator.class).hasBean("uuidGenerator");
			assertThat(context.getBean(UuidGenerator.class).randomUuid().version()).isEqualTo(4);
		});
	}

	@Test
	void usesCtrDrbgByDefault() {
		this.contextRunner.run((context) -> {
			UuidGenerator generator = context.getBean(UuidGenerator.class);
			assertThat(generator.algorithm()).isEqualTo("CTR_DRBG");
			assertThat(generator.provider()).isEqualTo("Uncontended");
		});
	}

	@Test
	void appliesPropertiesToGenerator() {
		this.contextRunner
			.withPropertyValues("uncontended.uuid.random.algorithm=DRBG", "uncontended.uuid.random.provider=SUN",
					"uncontended.uuid.random.stripes=3", "uncontended.uuid.random.buffer-size=4KB")
			.run((context) -> {
				UuidGenerator generator = context.getBean(UuidGenerator.class);
				assertThat(generator.algorithm()).isEqualTo("DRBG");
				assertThat(generator.provider()).isEqualTo("SUN");
				assertThat(generator.stats().pool().stripes()).hasSize(4);
				assertThat(generator.stats().pool().bufferSize()).isEqualTo(4096);
			});
	}

	@Test
	void customizersAreCalledInOrderAfterProperties() {
		this.contextRunner.withPropertyValues("uncontended.uuid.random.stripes=2")
			.withUserConfiguration(Customizers.class)
			.run((context) -> {
				UuidGenerator generator = context.getBean("uuidGenerator", UuidGenerator.class);
				assertThat(generator.stats().pool().stripes()).hasSize(2);
				assertThat(generator.stats().pool().bufferSize()).isEqualTo(1024);
				assertThat(UuidTimestamps.instant(generator.timeOrderedUuid())).isEqualTo(Customizers.NOW);
			});
	}

	@Test
	@EnabledOnOs({ OS.LINUX, OS.MAC })
	void warnsOfAlgorithmThatBlocks(CapturedOutput output) {
		this.contextRunner.withPropertyValues("uncontended.uuid.random.algorithm=nativeprngnonblocking")
			.run((context) -> assertThat(output)
				.containsOnlyOnce("The algorithm 'NativePRNGNonBlocking' of 'uncontended.uuid.random.algorithm' holds a"
						+ " lock of the whole JVM")
				.contains("Use CTR_DRBG"));
	}

	@Test
	void doesNotWarnOfOtherAlgorithms(CapturedOutput output) {
		for (String algorithm : List.of("CTR_DRBG", "DRBG", "SHA1PRNG")) {
			this.contextRunner.withPropertyValues("uncontended.uuid.random.algorithm=" + algorithm)
				.run((context) -> assertThat(context).hasNotFailed());
		}
		assertThat(output).doesNotContain("holds a lock");
	}

	@Test
	void typeSelectsMd5Factory() {
		this.contextRunner.withBean(ByType.class).run((context) -> {
			assertThat(context.getBean(ByType.class).names().version()).isEqualTo(3);
			assertThat(context.getBean(NameUuidFactory.class).version()).isEqualTo(3);
		});
	}

	@Test
	void qualifierSelectsFactory() {
		this.contextRunner.withBean(Qualified.class).run((context) -> {
			assertThat(context.getBean(Qualified.class).md5().version()).isEqualTo(3);
			assertThat(context.getBean(Qualified.class).sha1().version()).isEqualTo(5);
		});
	}

	@Test
	void typeSelectsFactoryOfApplication() {
		NameUuidFactory own = NameUuidFactory.sha1();
		this.contextRunner.withBean("own", NameUuidFactory.class, () -> own)
			.withBean(ByType.class)
			.run((context) -> assertThat(context.getBean(ByType.class).names()).isSameAs(own));
	}

	@Test
	void injectionPointReportsMissingDigest() {
		Provider sun = Security.getProvider("SUN");
		Security.removeProvider("SUN");
		try {
			this.contextRunner.withBean(ByType.class)
				.run((context) -> assertThat(context).getFailure()
					.hasMessageContaining("this JVM does not offer the message digest 'MD5'"));
		}
		finally {
			Security.insertProviderAt(sun, 1);
		}
	}

	@Test
	void backsOffIfApplicationDefinesGenerator() {
		this.contextRunner.withUserConfiguration(OwnGenerator.class).run((context) -> {
			assertThat(context).hasSingleBean(UuidGenerator.class).doesNotHaveBean("uuidGenerator");
			assertThat(context).hasBean("md5NameUuidFactory");
		});
	}

	@Test
	void eachFactoryBacksOffOnItsOwn() {
		NameUuidFactory own = NameUuidFactory.md5();
		this.contextRunner.withBean("md5NameUuidFactory", NameUuidFactory.class, () -> own).run((context) -> {
			assertThat(context.getBean("md5NameUuidFactory")).isSameAs(own);
			assertThat(context.getBean("sha1NameUuidFactory", NameUuidFactory.class).version()).isEqualTo(5);
		});
	}

	@Test
	void providesNothingWhenDisabled() {
		this.contextRunner.withPropertyValues("uncontended.uuid.enabled=false")
			.run((context) -> assertThat(context).doesNotHaveBean(UuidGenerator.class)
				.doesNotHaveBean(NameUuidFactory.class)
				.doesNotHaveBean(UuidGeneratorLifecycle.class));
	}

	@Test
	void generatorIsSuspendedWhileContextIsStopped() {
		this.contextRunner.run((context) -> {
			UuidGenerator generator = context.getBean(UuidGenerator.class);
			UUID before = generator.randomUuid();
			context.getSourceApplicationContext().stop();
			long refills = generator.stats().pool().refills();
			UUID stopped = generator.randomUuid();
			assertThat(generator.stats().pool().refills()).isEqualTo(refills);
			context.getSourceApplicationContext().start();
			UUID restarted = generator.randomUuid();
			assertThat(generator.stats().pool().refills()).isGreaterThan(refills);
			assertThat(before).isNotEqualTo(stopped).isNotEqualTo(restarted);
		});
	}

	@Test
	void everyGeneratorIsSuspendedIfOneCannotBeWiped() {
		StrangeAesProvider provider = new StrangeAesProvider();
		Security.insertProviderAt(provider, 1);
		try {
			UuidGenerator first = UuidGenerator.builder().stripes(1).build();
			UuidGenerator second = UuidGenerator.builder().stripes(1).build();
			this.contextRunner.withBean("first", UuidGenerator.class, () -> first)
				.withBean("second", UuidGenerator.class, () -> second)
				.run((context) -> {
					first.randomUuid();
					second.randomUuid();
					provider.fail(Fault.REFUSES_KEYS);
					context.getSourceApplicationContext().stop();
					provider.fail(Fault.NONE);
					second.randomUuid();
					assertThat(second.stats().pool().unbuffered()).isOne();
				});
		}
		finally {
			Security.removeProvider(provider.getName());
		}
	}

	@Test
	void stoppingChildDoesNotSuspendGeneratorOfParent() {
		this.contextRunner.run((parent) -> {
			UuidGenerator generator = parent.getBean(UuidGenerator.class);
			this.contextRunner.withParent(parent).run((child) -> {
				assertThat(child.getBean(UuidGenerator.class)).isSameAs(generator);
				child.getSourceApplicationContext().close();
			});
			long refills = generator.stats().pool().refills();
			generator.fill(new UUID[100_000]);
			assertThat(generator.stats().pool().refills()).isGreaterThan(refills);
		});
	}

	record Qualified(@Qualifier("md5NameUuidFactory") NameUuidFactory md5,
			@Qualifier("sha1NameUuidFactory") NameUuidFactory sha1) {

	}

	record ByType(NameUuidFactory names) {

	}

	@Configuration(proxyBeanMethods = false)
	static class Customizers {

		static final Instant NOW = Instant.parse("2026-01-01T00:00:00Z");

		@Bean
		@Order(2)
		UuidGeneratorBuilderCustomizer second() {
			return (builder) -> builder.bufferSize(1024);
		}

		@Bean
		@Order(1)
		UuidGeneratorBuilderCustomizer first() {
			return (builder) -> builder.bufferSize(64).clock(Clock.fixed(NOW, ZoneOffset.UTC));
		}

	}

	@Configuration(proxyBeanMethods = false)
	static class OwnGenerator {

		@Bean
		UuidGenerator ownGenerator() {
			return UuidGenerator.builder().stripes(1).build();
		}

	}

}
