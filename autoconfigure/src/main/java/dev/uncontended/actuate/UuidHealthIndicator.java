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

import java.util.Map;

import dev.uncontended.random.PoolStats;
import dev.uncontended.random.UncontendedProvider;
import dev.uncontended.uuid.UuidGenerator;
import dev.uncontended.uuid.UuidGeneratorStats;
import org.jspecify.annotations.Nullable;

import org.springframework.boot.health.contributor.AbstractHealthIndicator;
import org.springframework.boot.health.contributor.Health;
import org.springframework.boot.health.contributor.HealthIndicator;

/**
 * A {@link HealthIndicator} that is DOWN from a failed refill of a pool of random bits
 * until the pool's next successful refill. It checks the pools of the
 * {@link UuidGenerator} beans and of {@link UncontendedProvider}. The details contain the
 * time and the class of the exception, but not its message.
 */
public class UuidHealthIndicator extends AbstractHealthIndicator {

	private final Map<String, UuidGenerator> generators;

	/**
	 * Creates a health indicator.
	 * @param generators the generators by name
	 */
	public UuidHealthIndicator(Map<String, UuidGenerator> generators) {
		this.generators = generators;
	}

	@Override
	protected void doHealthCheck(Health.Builder builder) {
		builder.up();
		this.generators.forEach((name, generator) -> {
			UuidGeneratorStats stats = generator.stats();
			// Mocks of tests have no statistics.
			check(name, (stats != null) ? stats.pool() : null, builder);
		});
		check(UuidEndpoint.DROP_IN, UncontendedProvider.stats(), builder);
	}

	private static void check(String name, @Nullable PoolStats stats, Health.Builder builder) {
		if (stats != null && stats.lastFailure() != null) {
			builder.down().withDetail(name, stats.lastFailure());
		}
	}

}
