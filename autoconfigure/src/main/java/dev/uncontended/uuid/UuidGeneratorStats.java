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

package dev.uncontended.uuid;

import java.time.Instant;
import java.util.Collections;
import java.util.Map;
import java.util.TreeMap;

import dev.uncontended.random.PoolStats;

/**
 * The statistics of a {@link UuidGenerator} since the generator was created. They are
 * exact while no thread creates UUIDs.
 *
 * @param startedAt the time at which the generator was created, by its clock
 * @param pools the statistics of the pool of each version
 */
public record UuidGeneratorStats(Instant startedAt, Map<Integer, PoolStats> pools) {

	/**
	 * Creates statistics.
	 * @param startedAt the time at which the generator was created
	 * @param pools the statistics of the pools, which are copied in order of the versions
	 */
	public UuidGeneratorStats {
		pools = Collections.unmodifiableMap(new TreeMap<>(pools));
	}

	/**
	 * Returns the number of UUIDs created of a version, including UUIDs that were refused
	 * because their time is out of range.
	 * @param version the version, for example 7
	 * @return the number, 0 for versions that the generator does not create
	 */
	public long generated(int version) {
		PoolStats pool = this.pools.get(version);
		return (pool != null) ? pool.draws() : 0;
	}

	/**
	 * Returns the sum of the statistics of all pools.
	 * @return the sum
	 */
	public PoolStats pool() {
		return this.pools.values().stream().reduce(PoolStats::plus).orElseGet(PoolStats::empty);
	}

}
