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

import java.lang.ref.WeakReference;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

import dev.uncontended.autoconfigure.ssl.SslActuatorAutoConfiguration;
import dev.uncontended.autoconfigure.ssl.SslServerAutoConfiguration;
import dev.uncontended.autoconfigure.uuid.UuidActuatorAutoConfiguration;
import dev.uncontended.autoconfigure.uuid.UuidAutoConfiguration;
import dev.uncontended.tls.session.SslSessionCache;
import dev.uncontended.uuid.UuidGenerator;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.mockito.InOrder;

import org.springframework.boot.WebApplicationType;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.autoconfigure.ImportAutoConfiguration;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.boot.micrometer.metrics.autoconfigure.MetricsAutoConfiguration;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.boot.test.context.runner.ReactiveWebApplicationContextRunner;
import org.springframework.boot.test.context.runner.WebApplicationContextRunner;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.SmartLifecycle;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;
import static org.mockito.BDDMockito.then;
import static org.mockito.Mockito.inOrder;
import static org.mockito.Mockito.mock;
import static org.mockito.Mockito.never;
import static org.mockito.Mockito.spy;

/**
 * Tests for the lifecycle of contexts.
 */
class LifecycleTests {

	@Test
	void drawsWithLazyInitialization() {
		try (ConfigurableApplicationContext context = application("--spring.main.lazy-initialization=true")) {
			assertThat(context.getBean(UuidGenerator.class).randomUuid().version()).isEqualTo(4);
			assertThat(context.getBean(SslSessionCache.class).estimatedSize()).isZero();
		}
	}

	@Test
	void contextsInOneJvmAreIndependent() {
		ConfigurableApplicationContext first = application();
		try (ConfigurableApplicationContext second = application()) {
			UuidGenerator generator = second.getBean(UuidGenerator.class);
			first.getBean(UuidGenerator.class).randomUuid();
			assertThat(generator.stats().generated(4)).isZero();
			first.close();
			long refills = generator.stats().pool().refills();
			generator.fill(new UUID[100_000]);
			assertThat(generator.stats().pool().refills()).isGreaterThan(refills);
			assertThat(drawn(second)).isEqualTo(100_000);
		}
	}

	@Test
	void generatorIsCountedOnceInParentAndChild() {
		try (ConfigurableApplicationContext parent = application()) {
			parent.getBean(UuidGenerator.class).randomUuid();
			try (ConfigurableApplicationContext child = new SpringApplicationBuilder(Child.class).parent(parent)
				.web(WebApplicationType.NONE)
				.run()) {
				assertThat(child.getBean(UuidGenerator.class)).isSameAs(parent.getBean(UuidGenerator.class));
				assertThat(drawn(child)).isEqualTo(1);
			}
			assertThat(parent.getBean(MeterRegistry.class).find("uuid.generated").tag("version", "4").meters())
				.hasSize(1);
			assertThat(parent.getBean(UuidGenerator.class).randomUuid()).isNotNull();
		}
	}

	@Test
	void startsGeneratorsFirstAndStopsThemLast() {
		UuidGenerator generator = mock(UuidGenerator.class);
		SecondToStart second = spy(new SecondToStart());
		new ApplicationContextRunner().withConfiguration(AutoConfigurations.of(UuidAutoConfiguration.class))
			.withBean(UuidGenerator.class, () -> generator)
			.withBean(SmartLifecycle.class, () -> second)
			.run((context) -> assertThat(context).hasNotFailed());
		InOrder order = inOrder(generator, second);
		order.verify(generator).resume();
		order.verify(second).start();
		order.verify(second).stop();
		order.verify(generator).suspend();
	}

	@Test
	void startSeedsGeneratorsOfReactiveApplication() {
		UuidGenerator generator = mock(UuidGenerator.class);
		new ReactiveWebApplicationContextRunner().withConfiguration(AutoConfigurations.of(UuidAutoConfiguration.class))
			.withBean(UuidGenerator.class, () -> generator)
			.run((context) -> assertThat(context).hasNotFailed());
		InOrder order = inOrder(generator);
		order.verify(generator).resume();
		order.verify(generator).seed();
		order.verify(generator).suspend();
	}

	@Test
	void startDoesNotSeedGeneratorsOfOtherApplications() {
		UuidGenerator generator = mock(UuidGenerator.class);
		new WebApplicationContextRunner().withConfiguration(AutoConfigurations.of(UuidAutoConfiguration.class))
			.withBean(UuidGenerator.class, () -> generator)
			.run((context) -> assertThat(context).hasNotFailed());
		then(generator).should(never()).seed();
	}

	/**
	 * With {@code spring.context.checkpoint=onRefresh}, Spring takes the snapshot after
	 * it has created the beans and before it starts them.
	 */
	@Test
	void startDiscardsBitsThatSnapshotBeforeItContains() {
		new ApplicationContextRunner().withConfiguration(AutoConfigurations.of(UuidAutoConfiguration.class))
			.withPropertyValues("uncontended.uuid.random.stripes=1")
			.withUserConfiguration(DrawsEarly.class)
			.run((context) -> {
				UuidGenerator generator = context.getBean(UuidGenerator.class);
				assertThat(generator.stats().pool().refills()).isOne();
				generator.randomUuid();
				assertThat(generator.stats().pool().refills()).isEqualTo(2);
			});
	}

	@Test
	void drawAfterStopReportsRemedy() {
		ConfigurableApplicationContext context = application();
		UuidGenerator generator = context.getBean(UuidGenerator.class);
		context.close();
		assertThatIllegalStateException().isThrownBy(generator::randomUuid)
			.withMessageContaining("The generator is closed")
			.withMessageContaining("application context has stopped")
			.withMessageContaining("create a separate generator");
	}

	@Test
	void closedContextRetainsNothing() {
		Set<Thread> before = Thread.getAllStackTraces().keySet();
		WeakReference<UuidGenerator> generator = closedGenerator();
		Awaitility.await().until(() -> {
			System.gc();
			return generator.get() == null;
		});
		// An interrupted thread ends with a delay.
		Awaitility.await()
			.untilAsserted(() -> assertThat(Thread.getAllStackTraces().keySet())
				.filteredOn((thread) -> !before.contains(thread))
				.extracting(Thread::getName)
				.noneMatch((name) -> name.startsWith("uncontended")));
	}

	@Test
	@Timeout(60)
	void drawsSucceedWhileContextStopsAndStarts() throws Exception {
		ExecutorService executor = Executors.newFixedThreadPool(2);
		ConfigurableApplicationContext context = application();
		try {
			UuidGenerator generator = context.getBean(UuidGenerator.class);
			CountDownLatch drawing = new CountDownLatch(2);
			List<Future<Draws>> workers = new ArrayList<>();
			for (int i = 0; i < 2; i++) {
				workers.add(executor.submit(() -> drawUntilClosed(generator, drawing)));
			}
			drawing.await();
			for (int i = 0; i < 20 || generator.stats().generated(4) < 1_000; i++) {
				context.stop();
				context.start();
			}
			context.close();
			long count = 0;
			List<UUID> ids = new ArrayList<>();
			for (Future<Draws> worker : workers) {
				count += worker.get().count();
				ids.addAll(worker.get().ids());
			}
			assertThat(ids).doesNotHaveDuplicates();
			assertThat(generator.stats().generated(4)).isEqualTo(count);
		}
		finally {
			executor.shutdownNow();
		}
	}

	private static Draws drawUntilClosed(UuidGenerator generator, CountDownLatch drawing) {
		List<UUID> ids = new ArrayList<>();
		for (long count = 0;; count++) {
			try {
				UUID id = generator.randomUuid();
				if (ids.size() < 100_000) {
					ids.add(id);
				}
				drawing.countDown();
			}
			catch (IllegalStateException ex) {
				return new Draws(count, ids);
			}
		}
	}

	private static WeakReference<UuidGenerator> closedGenerator() {
		try (ConfigurableApplicationContext context = application()) {
			UuidGenerator generator = context.getBean(UuidGenerator.class);
			generator.randomUuid();
			return new WeakReference<>(generator);
		}
	}

	private static double drawn(ConfigurableApplicationContext context) {
		return context.getBean(MeterRegistry.class).get("uuid.generated").tag("version", "4").functionCounter().count();
	}

	private static ConfigurableApplicationContext application(String... arguments) {
		return new SpringApplicationBuilder(Application.class).web(WebApplicationType.NONE)
			.properties("management.endpoints.web.exposure.include=uuid")
			.run(arguments);
	}

	@Configuration(proxyBeanMethods = false)
	static class DrawsEarly {

		@Bean
		UUID early(UuidGenerator generator) {
			return generator.randomUuid();
		}

	}

	static class SecondToStart implements SmartLifecycle {

		private boolean running;

		@Override
		public void start() {
			this.running = true;
		}

		@Override
		public void stop() {
			this.running = false;
		}

		@Override
		public boolean isRunning() {
			return this.running;
		}

		@Override
		public int getPhase() {
			return Integer.MIN_VALUE + 1;
		}

	}

	/**
	 * The draws of a thread.
	 *
	 * @param count the number of draws
	 * @param ids the first ids
	 */
	private record Draws(long count, List<UUID> ids) {

	}

	@Configuration(proxyBeanMethods = false)
	@ImportAutoConfiguration({ MetricsAutoConfiguration.class, UuidAutoConfiguration.class,
			UuidActuatorAutoConfiguration.class, SslServerAutoConfiguration.class, SslActuatorAutoConfiguration.class })
	static class Child {

	}

	@Configuration(proxyBeanMethods = false)
	static class Application extends Child {

		@Bean
		MeterRegistry meterRegistry() {
			return new SimpleMeterRegistry();
		}

	}

}
