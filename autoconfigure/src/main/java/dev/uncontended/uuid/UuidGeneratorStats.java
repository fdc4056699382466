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

import dev.uncontended.random.PoolStats;

/**
 * The statistics of a {@link UuidGenerator} since the generator was created. They are
 * exact while no thread creates UUIDs.
 *
 * @param startedAt the time at which the generator was created, by its clock
 * @param random the number of version 4 UUIDs created
 * @param timeOrdered the number of version 7 UUIDs created, including UUIDs that were
 * refused because their time is out of range
 * @param pool the sum of the statistics of the pools for version 4 and version 7
 */
public record UuidGeneratorStats(Instant startedAt, long random, long timeOrdered, PoolStats pool) {
}
