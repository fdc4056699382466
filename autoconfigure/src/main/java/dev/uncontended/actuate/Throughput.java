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

import com.fasterxml.jackson.annotation.JsonInclude;
import org.jspecify.annotations.Nullable;

/**
 * Rates of a count, in operations per second. Sampling starts with the first read of the
 * {@link UuidEndpoint}. A rate is {@code null} unless samples cover its period.
 *
 * @param lastSecond the average rate over the last one to two seconds
 * @param lastMinute the average rate over the last minute
 * @param sinceStart the average rate since the {@link ThroughputSampler} was created
 * @param peakSecond the highest rate between two samples that are about a second apart
 */
@JsonInclude(JsonInclude.Include.NON_NULL)
public record Throughput(@Nullable Double lastSecond, @Nullable Double lastMinute, double sinceStart,
		@Nullable Double peakSecond) {

}
