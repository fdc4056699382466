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

import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.LongSupplier;
import java.util.function.Supplier;

import com.fasterxml.jackson.annotation.JsonInclude;
import dev.uncontended.actuate.ThroughputMeter.Rates;
import dev.uncontended.random.PoolStats;
import dev.uncontended.random.RefillFailure;
import dev.uncontended.random.StripeStats;
import dev.uncontended.random.UncontendedProvider;
import dev.uncontended.uuid.NameUuidFactory;
import dev.uncontended.uuid.NameUuidStats;
import dev.uncontended.uuid.UuidGenerator;
import dev.uncontended.uuid.UuidGeneratorStats;
import org.jspecify.annotations.Nullable;

import org.springframework.boot.actuate.endpoint.Access;
import org.springframework.boot.actuate.endpoint.annotation.Endpoint;
import org.springframework.boot.actuate.endpoint.annotation.ReadOperation;
import org.springframework.boot.actuate.endpoint.annotation.Selector;

/**
 * An {@link Endpoint @Endpoint} that exposes statistics of UUID generators. Responses
 * never contain a UUID. Mocks, which have no statistics, are omitted.
 */
@Endpoint(id = "uuid", defaultAccess = Access.READ_ONLY)
public class UuidEndpoint {

	/** The name of the drop-in, which makes {@code UUID.randomUUID()} fast. */
	public static final String DROP_IN = "dropIn";

	private final Map<String, UuidGenerator> generators;

	private final Supplier<Map<String, NameUuidFactory>> factories;

	private final ThroughputMeter throughput;

	/**
	 * Creates an endpoint.
	 * @param generators the generators by name
	 * @param factories finds the existing factories by name, for each operation
	 */
	public UuidEndpoint(Map<String, UuidGenerator> generators, Supplier<Map<String, NameUuidFactory>> factories) {
		this(generators, factories, System::nanoTime);
	}

	UuidEndpoint(Map<String, UuidGenerator> generators, Supplier<Map<String, NameUuidFactory>> factories,
			LongSupplier nanoTime) {
		this.generators = generators;
		this.factories = factories;
		this.throughput = new ThroughputMeter(this::counts, nanoTime);
	}

	private Map<Object, Long> counts() {
		Map<Object, Long> counts = new HashMap<>();
		for (UuidGenerator generator : this.generators.values()) {
			UuidGeneratorStats stats = generator.stats();
			if (stats != null) {
				counts.put(generator, stats.pool().draws());
			}
		}
		for (NameUuidFactory factory : this.factories.get().values()) {
			NameUuidStats stats = factory.stats();
			if (stats != null) {
				counts.put(factory, stats.generated());
			}
		}
		PoolStats dropIn = UncontendedProvider.stats();
		if (dropIn != null) {
			counts.put(DROP_IN, dropIn.draws());
		}
		return counts;
	}

	@ReadOperation
	public UuidDescriptor uuid() {
		Rates rates = this.throughput.read();
		Map<String, GeneratorDescriptor> generators = new LinkedHashMap<>();
		this.generators.forEach((name, generator) -> {
			GeneratorDescriptor descriptor = describe(generator, rates, false);
			if (descriptor != null) {
				generators.put(name, descriptor);
			}
		});
		Map<String, NameFactoryDescriptor> names = new LinkedHashMap<>();
		this.factories.get().forEach((name, factory) -> {
			NameFactoryDescriptor descriptor = describe(factory, rates);
			if (descriptor != null) {
				names.put(name, descriptor);
			}
		});
		List<Object> all = new ArrayList<>(this.generators.values());
		all.add(DROP_IN);
		return new UuidDescriptor(rates.of(all), generators, names, describeDropIn(rates, false));
	}

	/**
	 * Returns the statistics of one generator or factory, or of the drop-in. Unlike
	 * {@link #uuid()}, includes the statistics of each {@linkplain PoolDescriptor
	 * stripe}.
	 * @param name {@value #DROP_IN} for the drop-in, also if a bean has this name, or the
	 * bean name
	 */
	@ReadOperation
	public @Nullable Object source(@Selector String name) {
		Rates rates = this.throughput.read();
		if (name.equals(DROP_IN)) {
			return describeDropIn(rates, true);
		}
		UuidGenerator generator = this.generators.get(name);
		if (generator != null) {
			return describe(generator, rates, true);
		}
		NameUuidFactory factory = this.factories.get().get(name);
		return (factory != null) ? describe(factory, rates) : null;
	}

	private static @Nullable GeneratorDescriptor describe(UuidGenerator generator, Rates rates, boolean perStripe) {
		UuidGeneratorStats stats = generator.stats();
		if (stats == null) {
			return null;
		}
		return new GeneratorDescriptor(generator.algorithm(), generator.provider(), stats.startedAt(),
				describe(stats.pools()), rates.of(List.of(generator)), describe(stats.pool(), perStripe));
	}

	private static Map<String, Long> describe(Map<Integer, PoolStats> pools) {
		Map<String, Long> generated = new LinkedHashMap<>();
		pools.forEach((version, pool) -> generated.put(label(version), pool.draws()));
		return generated;
	}

	private static String label(int version) {
		return switch (version) {
			case 4 -> "random";
			case 7 -> "timeOrdered";
			default -> "version" + version;
		};
	}

	private static PoolDescriptor describe(PoolStats stats, boolean perStripe) {
		return new PoolDescriptor(stats.stripes().size(), stats.bufferSize(), stats.refills(),
				Math.round(stats.refillNanos() / 1e4) / 100.0, stats.refillFailures(), stats.lastFailure(),
				stats.contended(), stats.reseeds(), perStripe ? stats.stripes() : null);
	}

	private static @Nullable NameFactoryDescriptor describe(NameUuidFactory factory, Rates rates) {
		NameUuidStats stats = factory.stats();
		if (stats == null) {
			return null;
		}
		return new NameFactoryDescriptor(factory.version(), stats.generated(), rates.of(List.of(factory)),
				stats.clones());
	}

	private static DropInDescriptor describeDropIn(Rates rates, boolean perStripe) {
		boolean installed = UncontendedProvider.isInstalled();
		boolean effective = UncontendedProvider.isEffective();
		PoolStats stats = installed ? UncontendedProvider.stats() : null;
		if (stats == null) {
			return new DropInDescriptor(installed, effective, null, null, null, null);
		}
		return new DropInDescriptor(installed, effective, UncontendedProvider.CTR_DRBG, describe(Map.of(4, stats)),
				rates.of(List.of(DROP_IN)), describe(stats, perStripe));
	}

	/**
	 * The statistics of all generators and factories by bean name, and of the drop-in.
	 *
	 * @param throughput the rates of all generators and the drop-in together
	 */
	public record UuidDescriptor(Throughput throughput, Map<String, GeneratorDescriptor> generators,
			Map<String, NameFactoryDescriptor> names, DropInDescriptor dropIn) {
	}

	/**
	 * Rates of a count in operations per second. All figures are rounded to two decimals.
	 *
	 * @param recent the average rate since an earlier read of this endpoint, by any
	 * reader, or since the start of the application
	 * @param recentSeconds the time since that read in seconds: one or more, except in
	 * the first second of the application
	 * @param sinceStart the average rate since the start of the application
	 */
	public record Throughput(double recent, double recentSeconds, double sinceStart) {
	}

	/**
	 * The statistics of a UUID generator.
	 *
	 * @param generated the number of UUIDs created: {@code random} for version 4,
	 * {@code timeOrdered} for version 7
	 * @param pool the statistics of the pools, one for each UUID version. All numbers are
	 * sums, except {@code stripes} and {@code bufferSize}, which are equal in all pools
	 */
	public record GeneratorDescriptor(String algorithm, String provider, Instant startedAt, Map<String, Long> generated,
			Throughput throughput, PoolDescriptor pool) {
	}

	/**
	 * The statistics of a pool of random bits. A pool consists of stripes, each with a
	 * buffer of 16-byte slots and a random number generator.
	 *
	 * @param bufferSize the buffer size of a stripe in bytes
	 * @param refills the number of successful refills
	 * @param refillMillis the total time of the successful refills in milliseconds,
	 * rounded to two decimals
	 * @param lastFailure the last failure of a refill, or {@code null}; a successful
	 * refill resets it to {@code null}
	 * @param contended the number of times a thread found a stripe in use by another
	 * thread
	 * @param reseeds the number of reseeds; initial seeds do not count
	 * @param perStripe the statistics of each stripe; {@code null} in a
	 * {@link UuidDescriptor}
	 */
	public record PoolDescriptor(int stripes, int bufferSize, long refills, double refillMillis, long refillFailures,
			@Nullable RefillFailure lastFailure, long contended, long reseeds,
			@JsonInclude(JsonInclude.Include.NON_NULL) @Nullable List<StripeStats> perStripe) {
	}

	/**
	 * The statistics of a factory of name-based UUIDs.
	 *
	 * @param clones the number of {@code MessageDigest} instances created or cloned
	 */
	public record NameFactoryDescriptor(int version, long generated, Throughput throughput, long clones) {
	}

	/**
	 * The statistics of the drop-in. The components except the first two are {@code null}
	 * if {@link UncontendedProvider} is not installed.
	 *
	 * @param installed whether the provider is the most preferred provider of random
	 * numbers
	 * @param effective whether {@code UUID.randomUUID()} uses the provider
	 * @param algorithm the algorithm, which is not configurable
	 * @param generated the number of 16-byte slots taken from the provider's pool; one
	 * UUID takes one slot
	 * @param throughput the number of slots taken per second
	 * @param pool the statistics of the pool
	 */
	@JsonInclude(JsonInclude.Include.NON_NULL)
	public record DropInDescriptor(boolean installed, boolean effective, @Nullable String algorithm,
			@Nullable Map<String, Long> generated, @Nullable Throughput throughput, @Nullable PoolDescriptor pool) {
	}

}
