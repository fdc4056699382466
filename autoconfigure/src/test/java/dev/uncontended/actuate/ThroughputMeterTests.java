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

import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;

import dev.uncontended.actuate.UuidEndpoint.Throughput;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for {@link ThroughputMeter}.
 */
class ThroughputMeterTests {

	private long nanoTime = Long.MAX_VALUE - TimeUnit.SECONDS.toNanos(30);

	private final Map<Object, Long> counts = new HashMap<>(Map.of("a", 1000L));

	private final ThroughputMeter meter = new ThroughputMeter(() -> Map.copyOf(this.counts), () -> this.nanoTime);

	@Test
	void ratesAreZeroBeforeTimePasses() {
		assertThat(read()).isEqualTo(new Throughput(0, 0, 0));
	}

	@Test
	void firstReadReturnsRateSinceStart() {
		pass(Duration.ofSeconds(100), 5);
		assertThat(read()).isEqualTo(new Throughput(0.05, 100, 0.05));
	}

	@Test
	void readReturnsRateSinceEarlierRead() {
		pass(Duration.ofSeconds(10), 1000);
		read();
		pass(Duration.ofSeconds(90), 45);
		assertThat(read()).isEqualTo(new Throughput(0.5, 90, 10.45));
	}

	@Test
	void readersDoNotShortenEachOthersPeriods() {
		pass(Duration.ofSeconds(10), 1000);
		read();
		pass(Duration.ofSeconds(2), 600);
		assertThat(read()).extracting(Throughput::recent, Throughput::recentSeconds).containsExactly(300.0, 2.0);
		// Another reader, at once
		assertThat(read()).extracting(Throughput::recent, Throughput::recentSeconds).containsExactly(300.0, 2.0);
		pass(Duration.ofMillis(500), 400);
		assertThat(read()).extracting(Throughput::recent, Throughput::recentSeconds).containsExactly(400.0, 2.5);
		pass(Duration.ofMillis(500), 500);
		assertThat(read()).extracting(Throughput::recent, Throughput::recentSeconds).containsExactly(900.0, 1.0);
	}

	@Test
	void frequentReadersGetPeriodsOfOneToTwoSeconds() {
		for (int i = 1; i <= 1000; i++) {
			pass(Duration.ofMillis(70), 7);
			Throughput throughput = read();
			assertThat(throughput.recent()).isEqualTo(100);
			if (i * 70 > 2000) {
				assertThat(throughput.recentSeconds()).isBetween(1.0, 2.1);
			}
		}
	}

	@Test
	void sourceThatDidNotExistCountsFromZero() {
		pass(Duration.ofSeconds(1), 0);
		read();
		this.counts.put("b", 8L);
		pass(Duration.ofSeconds(2), 0);
		assertThat(this.meter.read().of(List.of("b"))).isEqualTo(new Throughput(4, 2, 2.67));
	}

	@Test
	void countThatStartsAgainGivesNoNegativeRate() {
		this.counts.put("a", 20L);
		pass(Duration.ofSeconds(2), 0);
		assertThat(read()).isEqualTo(new Throughput(10, 2, 10));
	}

	@Test
	void rateOfSourcesIsSumOfRates() {
		this.counts.put("b", 300L);
		pass(Duration.ofSeconds(1), 50);
		assertThat(this.meter.read().of(List.of("a", "b", "unknown"))).isEqualTo(new Throughput(350, 1, 350));
	}

	private void pass(Duration time, long operations) {
		this.counts.merge("a", operations, Long::sum);
		this.nanoTime += time.toNanos();
	}

	private Throughput read() {
		return this.meter.read().of(List.of("a"));
	}

}
