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

package dev.uncontended.random;

import java.time.Instant;
import java.util.List;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

/**
 * Tests for {@link PoolStats}.
 */
class PoolStatsTests {

	private static final RefillFailure FAILURE = new RefillFailure(Instant.EPOCH, "type");

	@Test
	void totalsCoverAllStripes() {
		PoolStats stats = stats(64, null, new StripeStats(1, 20, 300), new StripeStats(4, 50, 600));
		assertThat(stats.draws()).isEqualTo(1000 + 5);
		assertThat(stats.refills()).isEqualTo(70);
		assertThat(stats.contended()).isEqualTo(900);
	}

	@Test
	void addsStripeByStripe() {
		PoolStats one = stats(64, null, new StripeStats(1, 2, 3), new StripeStats(4, 5, 6));
		PoolStats other = stats(64, null, new StripeStats(10, 20, 30), new StripeStats(40, 50, 60));
		assertThat(one.plus(other)).usingRecursiveComparison()
			.isEqualTo(new PoolStats(64, 2000, 20, 4, 60, null,
					List.of(new StripeStats(11, 22, 33), new StripeStats(44, 55, 66))));
	}

	@Test
	void sumHasFailureOfEitherPool() {
		StripeStats stripe = new StripeStats(0, 0, 0);
		assertThat(stats(64, FAILURE, stripe).plus(stats(64, null, stripe)).lastFailure()).isEqualTo(FAILURE);
		assertThat(stats(64, null, stripe).plus(stats(64, FAILURE, stripe)).lastFailure()).isEqualTo(FAILURE);
	}

	@Test
	void rejectsPoolOfOtherShape() {
		StripeStats stripe = new StripeStats(0, 0, 0);
		PoolStats stats = stats(64, null, stripe);
		for (PoolStats other : List.of(stats(128, null, stripe), stats(64, null, stripe, stripe))) {
			assertThatIllegalArgumentException().isThrownBy(() -> stats.plus(other))
				.withMessageStartingWith(
						"Failed to add statistics of pools of different shape: 1 stripes of 64 bytes and ");
		}
	}

	private static PoolStats stats(int bufferSize, @Nullable RefillFailure failure, StripeStats... stripes) {
		return new PoolStats(bufferSize, 1000, 10, 2, 30, failure, List.of(stripes));
	}

}
