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
package dev.uncontended.bench.uuid;

import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CountDownLatch;

import dev.uncontended.random.StripeStats;
import dev.uncontended.random.UncontendedProvider;
import dev.uncontended.random.internal.RandomAlgorithm;
import dev.uncontended.random.internal.StripedPool;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

/**
 * Tests for {@link ScalingModel}.
 */
class ScalingModelTests {

	private static final int STRIPES = 16;

	private final ScalingModel model = new ScalingModel(10, 90, 0.5);

	@Test
	void selectsTheStripesOfThePool() throws InterruptedException {
		try (StripedPool pool = new StripedPool(RandomAlgorithm.of(UncontendedProvider.CTR_DRBG, null), STRIPES, 64,
				Duration.ZERO)) {
			long[] expected = new long[STRIPES];
			for (int i = 0; i < 20; i++) {
				CountDownLatch drawn = new CountDownLatch(1);
				Thread thread = new Thread(() -> {
					pool.draw((first, second) -> first);
					drawn.countDown();
				});
				expected[ScalingModel.stripe(thread.getId(), STRIPES)]++;
				thread.start();
				drawn.await();
			}
			List<Long> draws = pool.stats().stripes().stream().map(StripeStats::draws).toList();
			assertThat(draws).containsExactlyElementsOf(Arrays.stream(expected).boxed().toList());
		}
	}

	@Test
	void threadsOnStripesOfTheirOwnScale() {
		assertThat(this.model.predict(2, STRIPES, 2).rate()).isCloseTo(200, within(1e-6));
		assertThat(this.model.predict(2, STRIPES, 2).contended()).isZero();
	}

	@Test
	void threadsOnOneStripeWaitForEachOther() {
		assertThat(this.model.predict(2, 1, 2).rate()).isCloseTo(20, within(1e-6));
		assertThat(this.model.predict(2, 1, 2).contended()).isCloseTo(0.5, within(1e-6));
	}

	@Test
	void moreThreadsThanProcessorsShareStripesByChance() {
		// Of 32 threads on 16 stripes, 2 run: they share a stripe in 1 of 31 cases.
		assertThat(this.model.predict(2, STRIPES, 32).contended()).isCloseTo(0.5 / 31, within(0.008));
	}

}
