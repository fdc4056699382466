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
import java.util.List;
import java.util.Map;

import dev.uncontended.random.PoolStats;
import dev.uncontended.random.StripeStats;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for {@link UuidGeneratorStats}.
 */
class UuidGeneratorStatsTests {

	private final UuidGeneratorStats stats = new UuidGeneratorStats(Instant.EPOCH,
			Map.of(7, pool(70), 8, pool(800), 4, pool(4)));

	@Test
	void countsUuidsByVersion() {
		assertThat(this.stats.generated(4)).isEqualTo(4);
		assertThat(this.stats.generated(8)).isEqualTo(800);
		assertThat(this.stats.generated(6)).isZero();
	}

	@Test
	void addsPoolsOfAllVersions() {
		assertThat(this.stats.pool().draws()).isEqualTo(874);
		assertThat(this.stats.pool().refills()).isEqualTo(3);
	}

	@Test
	void sortsVersions() {
		assertThat(this.stats.pools().keySet()).containsExactly(4, 7, 8);
	}

	private static PoolStats pool(long draws) {
		return new PoolStats(64, 0, 0, 0, 0, null, List.of(new StripeStats(draws, 1, 0)));
	}

}
