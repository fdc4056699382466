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
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.Supplier;

import com.fasterxml.jackson.annotation.JsonInclude;
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
 * never contain a UUID. The start loads all classes in the signatures of methods here, so
 * the descriptors create themselves.
 */
@Endpoint(id = "uuid", defaultAccess = Access.READ_ONLY)
public class UuidEndpoint {

	/** The name of the drop-in, which makes {@code UUID.randomUUID()} fast. */
	public static final String DROP_IN = "dropIn";

	private final Map<String, UuidGenerator> generators;

	private final Supplier<Map<String, NameUuidFactory>> factories;

	private final ThroughputSampler sampler;

	/**
	 * Creates an endpoint.
	 * @param generators the generators by name
	 * @param factories finds the existing factories by name, for each operation
	 * @param sampler the source of the throughput of the same generators and factories
	 */
	public UuidEndpoint(Map<String, UuidGenerator> generators, Supplier<Map<String, NameUuidFactory>> factories,
			ThroughputSampler sampler) {
		this.generators = generators;
		this.factories = factories;
		this.sampler = sampler;
	}

	@ReadOperation
	public UuidDescriptor uuid() {
		Map<String, NameUuidFactory> factories = this.factories.get();
		Map<Object, Throughput> rates = this.sampler.read();
		Map<String, GeneratorDescriptor> generators = new LinkedHashMap<>();
		this.generators
			.forEach((name, generator) -> generators.put(name, GeneratorDescriptor.of(generator, rates, false)));
		Map<String, NameFactoryDescriptor> names = new LinkedHashMap<>();
		factories.forEach((name, factory) -> names.put(name, NameFactoryDescriptor.of(factory, rates)));
		return new UuidDescriptor(Throughput.of(ThroughputSampler.TOTAL, rates), generators, names,
				DropInDescriptor.of(rates, false));
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
		if (name.equals(DROP_IN)) {
			return DropInDescriptor.of(this.sampler.read(), true);
		}
		UuidGenerator generator = this.generators.get(name);
		if (generator != null) {
			return GeneratorDescriptor.of(generator, this.sampler.read(), true);
		}
		NameUuidFactory factory = this.factories.get().get(name);
		return (factory != null) ? NameFactoryDescriptor.of(factory, this.sampler.read()) : null;
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
	 * Rates of a count, in operations per second. Sampling starts with the first read. A
	 * rate is {@code null} unless samples cover its period.
	 *
	 * @param lastSecond the average rate over the last one to two seconds
	 * @param lastMinute the average rate over the last minute
	 * @param sinceStart the average rate since the start of the application
	 * @param peakSecond the highest rate between two samples that are about a second
	 * apart
	 */
	@JsonInclude(JsonInclude.Include.NON_NULL)
	public record Throughput(@Nullable Double lastSecond, @Nullable Double lastMinute, double sinceStart,
			@Nullable Double peakSecond) {

		static Throughput of(Object source, Map<Object, Throughput> rates) {
			return Objects.requireNonNull(rates.get(source), "The source must be sampled");
		}

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

		static GeneratorDescriptor of(UuidGenerator generator, Map<Object, Throughput> rates, boolean perStripe) {
			UuidGeneratorStats stats = generator.stats();
			return new GeneratorDescriptor(generator.algorithm(), generator.provider(), stats.startedAt(),
					counts(stats.pools()), Throughput.of(generator, rates), PoolDescriptor.of(stats.pool(), perStripe));
		}

		static Map<String, Long> counts(Map<Integer, PoolStats> pools) {
			Map<String, Long> counts = new LinkedHashMap<>();
			pools.forEach((version, pool) -> counts.put(label(version), pool.draws()));
			return counts;
		}

		private static String label(int version) {
			return switch (version) {
				case 4 -> "random";
				case 7 -> "timeOrdered";
				default -> "version" + version;
			};
		}

	}

	/**
	 * The statistics of a pool of random bits. A pool consists of stripes, each with a
	 * buffer of 16-byte slots and a random number generator.
	 *
	 * @param bufferSize the buffer size of a stripe in bytes
	 * @param refills the number of successful refills
	 * @param refillSeconds the total time of the successful refills in seconds
	 * @param lastFailure the last failure of a refill, or {@code null}; a successful
	 * refill resets it to {@code null}
	 * @param contended the number of times a thread found a stripe in use by another
	 * thread
	 * @param reseeds the number of reseeds; initial seeds do not count
	 * @param perStripe the statistics of each stripe; {@code null} in a
	 * {@link UuidDescriptor}
	 */
	public record PoolDescriptor(int stripes, int bufferSize, long refills, double refillSeconds, long refillFailures,
			@Nullable RefillFailure lastFailure, long contended, long reseeds,
			@JsonInclude(JsonInclude.Include.NON_NULL) @Nullable List<StripeStats> perStripe) {

		static PoolDescriptor of(PoolStats stats, boolean perStripe) {
			return new PoolDescriptor(stats.stripes().size(), stats.bufferSize(), stats.refills(),
					stats.refillNanos() / 1e9, stats.refillFailures(), stats.lastFailure(), stats.contended(),
					stats.reseeds(), perStripe ? stats.stripes() : null);
		}

	}

	/**
	 * The statistics of a factory of name-based UUIDs.
	 *
	 * @param clones the number of {@code MessageDigest} instances created or cloned
	 */
	public record NameFactoryDescriptor(int version, long generated, Throughput throughput, long clones) {

		static NameFactoryDescriptor of(NameUuidFactory factory, Map<Object, Throughput> rates) {
			NameUuidStats stats = factory.stats();
			return new NameFactoryDescriptor(factory.version(), stats.generated(), Throughput.of(factory, rates),
					stats.clones());
		}

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

		static DropInDescriptor of(Map<Object, Throughput> rates, boolean perStripe) {
			boolean installed = UncontendedProvider.isInstalled();
			boolean effective = UncontendedProvider.isEffective();
			PoolStats stats = installed ? UncontendedProvider.stats() : null;
			if (stats == null) {
				return new DropInDescriptor(installed, effective, null, null, null, null);
			}
			return new DropInDescriptor(installed, effective, UncontendedProvider.CTR_DRBG,
					GeneratorDescriptor.counts(Map.of(4, stats)), Throughput.of(ThroughputSampler.DROP_IN, rates),
					PoolDescriptor.of(stats, perStripe));
		}

	}

}
