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

package dev.uncontended.metrics;

import java.lang.ref.WeakReference;
import java.security.ProviderException;
import java.security.Security;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;

import dev.uncontended.random.internal.FaultyProvider;
import dev.uncontended.random.internal.FaultyProvider.Fault;
import dev.uncontended.uuid.NameUuidFactory;
import dev.uncontended.uuid.UuidGenerator;
import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.FunctionTimer;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.Meter;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.awaitility.Awaitility.await;
import static org.mockito.Mockito.mock;

/**
 * Tests for {@link UuidGeneratorMetrics} and {@link NameUuidFactoryMetrics}.
 */
class UuidGeneratorMetricsTests {

	private final SimpleMeterRegistry registry = new SimpleMeterRegistry();

	private final UuidGenerator generator = UuidGenerator.builder().stripes(2).bufferSize(64).build();

	@AfterEach
	void close() {
		this.generator.close();
	}

	@Test
	void countsIdsByVersion() {
		new UuidGeneratorMetrics(this.generator, "ids").bindTo(this.registry);
		this.generator.fill(new UUID[3]);
		this.generator.timeOrderedUuid();
		assertThat(generated("ids", "4")).isEqualTo(3);
		assertThat(generated("ids", "7")).isEqualTo(1);
	}

	@Test
	void countsNameUuids() {
		NameUuidFactory factory = NameUuidFactory.sha1();
		new NameUuidFactoryMetrics(factory, "names").bindTo(this.registry);
		factory.nameUuid(NameUuidFactory.DNS, "www.example.com");
		assertThat(this.registry.get("uuid.names.generated").tag("factory", "names").functionCounter().count())
			.isEqualTo(1);
	}

	@Test
	void countsNameUuidsOfFactoryThatIsCreatedLater() {
		AtomicReference<NameUuidFactory> source = new AtomicReference<>();
		new NameUuidFactoryMetrics(source, AtomicReference::get, "names").bindTo(this.registry);
		FunctionCounter counter = this.registry.get("uuid.names.generated").functionCounter();
		assertThat(counter.count()).isZero();
		source.set(NameUuidFactory.sha1());
		source.get().nameUuid(new byte[0]);
		assertThat(counter.count()).isOne();
	}

	@Test
	void timesRefillsOfPool() {
		new UuidGeneratorMetrics(this.generator, "ids").bindTo(this.registry);
		this.generator.fill(new UUID[40]);
		FunctionTimer timer = this.registry.get("uuid.pool.refill").tag("generator", "ids").functionTimer();
		assertThat(timer.count()).isEqualTo(this.generator.stats().pool().refills());
		assertThat(timer.totalTime(TimeUnit.NANOSECONDS)).isPositive();
	}

	@Test
	void reportsFailedRefill() {
		FaultyProvider provider = new FaultyProvider();
		Security.addProvider(provider);
		try (UuidGenerator faulty = UuidGenerator.builder().algorithm("Faulty").build()) {
			new UuidGeneratorMetrics(faulty, "faulty").bindTo(this.registry);
			Gauge failing = this.registry.get("uuid.pool.failing").tag("generator", "faulty").gauge();
			assertThat(failing.value()).isZero();
			provider.fail(FaultyProvider.Fault.THROWS_HALFWAY);
			assertThatExceptionOfType(ProviderException.class).isThrownBy(faulty::randomUuid);
			assertThat(failing.value()).isOne();
			provider.fail(FaultyProvider.Fault.NONE);
			faulty.randomUuid();
			assertThat(failing.value()).isZero();
		}
		finally {
			Security.removeProvider(provider.getName());
		}
	}

	@Test
	void survivesGarbageCollection() {
		new UuidGeneratorMetrics(this.generator, "ids").bindTo(this.registry);
		this.generator.fill(new UUID[3]);
		System.gc();
		assertThat(generated("ids", "4")).isEqualTo(3);
	}

	@Test
	void registryDoesNotRetainGenerator() {
		WeakReference<UuidGenerator> generator = new WeakReference<>(UuidGenerator.builder().stripes(1).build());
		new UuidGeneratorMetrics(generator.get(), "ids").bindTo(this.registry);
		this.registry.getMeters().forEach(Meter::measure);
		await().untilAsserted(() -> {
			System.gc();
			assertThat(generator.get()).isNull();
		});
	}

	@Test
	void registryDoesNotRetainFactory() {
		WeakReference<NameUuidFactory> factory = new WeakReference<>(NameUuidFactory.sha1());
		new NameUuidFactoryMetrics(factory.get(), "names").bindTo(this.registry);
		await().untilAsserted(() -> {
			System.gc();
			assertThat(factory.get()).isNull();
		});
	}

	@Test
	void bindsNoMeterOfMock() {
		new UuidGeneratorMetrics(mock(UuidGenerator.class), "ids").bindTo(this.registry);
		assertThat(this.registry.getMeters()).isEmpty();
	}

	@Test
	void reportsNumberOfStripes() {
		new UuidGeneratorMetrics(this.generator, "ids").bindTo(this.registry);
		assertThat(this.registry.get("uuid.pool.stripes").tag("generator", "ids").gauge().value()).isEqualTo(2);
	}

	/**
	 * Refills are slow, so two threads soon meet in one.
	 */
	@Test
	@Timeout(60)
	void countsContention() throws Exception {
		FaultyProvider provider = new FaultyProvider();
		provider.fail(Fault.SLOW);
		Security.addProvider(provider);
		try (UuidGenerator contended = UuidGenerator.builder()
			.algorithm(FaultyProvider.NAME)
			.stripes(1)
			.bufferSize(64)
			.build()) {
			new UuidGeneratorMetrics(contended, "ids").bindTo(this.registry);
			Runnable draws = () -> {
				while (contended.stats().pool().contended() == 0) {
					contended.randomUuid();
				}
			};
			Thread other = new Thread(draws);
			other.start();
			draws.run();
			other.join();
			assertThat(this.registry.get("uuid.pool.contended").tag("generator", "ids").functionCounter().count())
				.isPositive()
				.isEqualTo(contended.stats().pool().contended());
		}
		finally {
			Security.removeProvider(FaultyProvider.NAME);
		}
	}

	private double generated(String generator, String version) {
		return this.registry.get("uuid.generated")
			.tag("generator", generator)
			.tag("version", version)
			.functionCounter()
			.count();
	}

}
