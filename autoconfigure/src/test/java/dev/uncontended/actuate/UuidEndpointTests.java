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

package dev.uncontended.actuate;

import java.security.ProviderException;
import java.security.Security;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.TimeUnit;

import dev.uncontended.actuate.UuidEndpoint.DropInDescriptor;
import dev.uncontended.actuate.UuidEndpoint.GeneratorDescriptor;
import dev.uncontended.actuate.UuidEndpoint.NameFactoryDescriptor;
import dev.uncontended.actuate.UuidEndpoint.PoolDescriptor;
import dev.uncontended.actuate.UuidEndpoint.Throughput;
import dev.uncontended.actuate.UuidEndpoint.UuidDescriptor;
import dev.uncontended.random.StripeStats;
import dev.uncontended.random.internal.FaultyProvider;
import dev.uncontended.random.internal.FaultyProvider.Fault;
import dev.uncontended.uuid.NameUuidFactory;
import dev.uncontended.uuid.UuidGenerator;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * Tests for {@link UuidEndpoint}.
 */
class UuidEndpointTests {

	private final UuidGenerator generator = UuidGenerator.builder().stripes(2).bufferSize(64).build();

	private final NameUuidFactory names = NameUuidFactory.sha1();

	private long nanoTime;

	@AfterEach
	void close() {
		this.generator.close();
	}

	@Test
	void uuidReturnsAlgorithmOfEachGenerator() {
		GeneratorDescriptor ids = endpoint().uuid().generators().get("ids");
		assertThat(ids.algorithm()).isEqualTo("CTR_DRBG");
		assertThat(ids.provider()).isEqualTo("Uncontended");
		assertThat(ids.startedAt()).isEqualTo(this.generator.stats().startedAt());
	}

	@Test
	void uuidReturnsCountsOfEachGenerator() {
		this.generator.fill(new UUID[7]);
		this.generator.timeOrderedUuid();
		assertThat(endpoint().uuid().generators()).containsOnlyKeys("ids");
		assertThat(endpoint().uuid().generators().get("ids").generated()).containsExactly(Map.entry("random", 7L),
				Map.entry("timeOrdered", 1L));
	}

	@Test
	void uuidReturnsThroughputOfEachGenerator() {
		UuidEndpoint endpoint = endpoint();
		this.generator.fill(new UUID[100]);
		this.nanoTime = TimeUnit.SECONDS.toNanos(2);
		assertThat(endpoint.uuid().generators().get("ids").throughput()).isEqualTo(new Throughput(50, 2, 50));
	}

	@Test
	void uuidReturnsThroughputOfEachFactory() {
		UuidEndpoint endpoint = endpoint();
		this.names.nameUuid(new byte[0]);
		this.nanoTime = TimeUnit.SECONDS.toNanos(3);
		assertThat(endpoint.uuid().names().get("names").throughput()).isEqualTo(new Throughput(0.33, 3, 0.33));
	}

	@Test
	void uuidReturnsThroughputOfAllGenerators() {
		try (UuidGenerator other = UuidGenerator.builder().stripes(1).build()) {
			UuidEndpoint endpoint = endpoint(Map.of("ids", this.generator, "other", other));
			this.generator.fill(new UUID[100]);
			other.fill(new UUID[200]);
			this.nanoTime = TimeUnit.SECONDS.toNanos(1);
			assertThat(endpoint.uuid().throughput()).isEqualTo(new Throughput(300, 1, 300));
			this.nanoTime = TimeUnit.SECONDS.toNanos(2);
			assertThat(endpoint.uuid().throughput()).isEqualTo(new Throughput(0, 1, 150));
		}
	}

	@Test
	void sinceStartDoesNotIncludeUuidsFromBefore() {
		this.generator.fill(new UUID[1000]);
		UuidEndpoint endpoint = endpoint();
		this.nanoTime = TimeUnit.SECONDS.toNanos(1);
		assertThat(endpoint.uuid().throughput().sinceStart()).isZero();
	}

	@Test
	void readStartsNoThread() {
		Set<Thread> before = Thread.getAllStackTraces().keySet();
		endpoint().uuid();
		assertThat(Thread.getAllStackTraces().keySet()).filteredOn((thread) -> !before.contains(thread))
			.extracting(Thread::getName)
			.noneMatch((name) -> name.startsWith("uncontended"));
	}

	@Test
	void beanDoesNotHideDropIn() {
		assertThat(endpoint(Map.of("dropIn", this.generator)).source("dropIn")).isInstanceOf(DropInDescriptor.class);
	}

	@Test
	void uuidReturnsPoolOfEachGenerator() {
		this.generator.fill(new UUID[5]);
		PoolDescriptor pool = endpoint().uuid().generators().get("ids").pool();
		assertThat(pool.stripes()).isEqualTo(2);
		assertThat(pool.bufferSize()).isEqualTo(64);
		assertThat(pool.refills()).isEqualTo(2);
		assertThat(pool.refillMillis()).isGreaterThanOrEqualTo(0);
		assertThat(pool.refillFailures()).isZero();
		assertThat(pool.lastFailure()).isNull();
		assertThat(pool.perStripe()).isNull();
	}

	@Test
	void uuidReturnsFailureOfLastRefill() {
		FaultyProvider provider = new FaultyProvider();
		Security.addProvider(provider);
		try (UuidGenerator faulty = UuidGenerator.builder().algorithm("Faulty").build()) {
			provider.fail(Fault.THROWS_HALFWAY);
			assertThatExceptionOfType(ProviderException.class).isThrownBy(faulty::timeOrderedUuid);
			PoolDescriptor pool = endpoint(Map.of("faulty", faulty)).uuid().generators().get("faulty").pool();
			assertThat(pool.lastFailure().type()).isEqualTo(ProviderException.class.getName());
			assertThat(pool.refillFailures()).isOne();
		}
		finally {
			Security.removeProvider(FaultyProvider.NAME);
		}
	}

	@Test
	void uuidReturnsNameUuidFactories() {
		this.names.nameUuid(NameUuidFactory.DNS, "www.example.com");
		assertThat(endpoint().uuid().names())
			.isEqualTo(Map.of("names", new NameFactoryDescriptor(5, 1, new Throughput(0, 0, 0), 1)));
	}

	@Test
	void uuidReturnsWhetherProviderIsInstalled() {
		assertThat(endpoint().uuid().dropIn()).isEqualTo(new DropInDescriptor(false, false, null, null, null, null));
	}

	@Test
	void uuidReturnsNoGeneratorIfThereIsNone() {
		UuidDescriptor body = new UuidEndpoint(Map.of(), Map::of).uuid();
		assertThat(body.generators()).isEmpty();
		assertThat(body.names()).isEmpty();
	}

	@Test
	void sourceReturnsGeneratorWithStripes() {
		this.generator.fill(new UUID[5]);
		assertThat(endpoint().source("ids")).isInstanceOfSatisfying(GeneratorDescriptor.class, (ids) -> {
			List<StripeStats> stripes = ids.pool().perStripe();
			assertThat(stripes).hasSize(2);
			assertThat(stripes.stream().mapToLong(StripeStats::draws).sum()).isEqualTo(5);
		});
	}

	@Test
	void sourceReturnsNameUuidFactory() {
		assertThat(endpoint().source("names")).isEqualTo(new NameFactoryDescriptor(5, 0, new Throughput(0, 0, 0), 0));
	}

	@Test
	void sourceReturnsDropIn() {
		assertThat(endpoint().source("dropIn")).isInstanceOf(DropInDescriptor.class);
	}

	@Test
	void sourceReturnsNullForUnknownName() {
		assertThat(endpoint().source("unknown")).isNull();
	}

	private UuidEndpoint endpoint() {
		return endpoint(Map.of("ids", this.generator));
	}

	private UuidEndpoint endpoint(Map<String, UuidGenerator> generators) {
		return new UuidEndpoint(generators, () -> Map.of("names", this.names), () -> this.nanoTime);
	}

}
