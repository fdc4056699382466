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
import java.util.concurrent.TimeUnit;

import dev.uncontended.actuate.UuidEndpoint.Throughput;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for {@link ThroughputMeter}.
 */
class ThroughputMeterTests {

	private long nanoTime = Long.MAX_VALUE - TimeUnit.SECONDS.toNanos(30);

	private long count = 1000;

	private final ThroughputMeter meter = new ThroughputMeter(this.nanoTime, this.count);

	@Test
	void rateIsZeroBeforeTimePasses() {
		assertThat(throughput()).isEqualTo(new Throughput(null, null, 0, null));
	}

	@Test
	void countsOperationsSinceStartOnly() {
		pass(2, 100);
		assertThat(throughput()).isEqualTo(new Throughput(100.0, null, 100, 100.0));
	}

	@Test
	void distinguishesLastSecondLastMinuteAndTotal() {
		pass(60, 10);
		pass(60, 20);
		pass(1, 500);
		Throughput throughput = throughput();
		assertThat(throughput.lastSecond()).isEqualTo(500);
		assertThat(throughput.lastMinute()).isEqualTo((59 * 20 + 500) / 60.0);
		assertThat(throughput.peakSecond()).isEqualTo(500);
		assertThat(throughput.sinceStart()).isEqualTo((60 * 10 + 60 * 20 + 500) / 121.0);
	}

	@Test
	void measuresBetweenSamples() {
		pass(5, 10);
		pass(Duration.ofMillis(500), 30);
		assertThat(throughput().lastSecond()).isEqualTo((10 + 30) / 1.5);
	}

	@Test
	void secondThatWasNotObservedHasNoRate() {
		pass(3, 10);
		pass(Duration.ofSeconds(5), 50);
		assertThat(throughput().lastSecond()).isNull();
	}

	@Test
	void minuteThatWasNotObservedHasNoRate() {
		pass(59, 10);
		assertThat(throughput().lastMinute()).isNull();
		pass(1, 10);
		assertThat(throughput().lastMinute()).isEqualTo(10);
		pass(Duration.ofSeconds(90), 5_000_000);
		assertThat(throughput().lastMinute()).isNull();
	}

	@Test
	void samplesOlderThanMinuteAreDropped() {
		pass(10, 1_000_000);
		pass(61, 1);
		assertThat(throughput().lastMinute()).isEqualTo(1);
	}

	@Test
	void peakIsKeptForever() {
		pass(1, 1_000);
		pass(90, 1);
		assertThat(throughput().peakSecond()).isEqualTo(1_000);
	}

	@Test
	void averageOverPauseIsNoPeak() {
		pass(Duration.ofSeconds(25), 5_000_000);
		this.meter.sample(this.nanoTime, this.count);
		pass(1, 10);
		assertThat(throughput().peakSecond()).isEqualTo(10);
	}

	@Test
	void samplesThatFollowAtOnceAreNoPeak() {
		pass(1, 10);
		pass(Duration.ofNanos(5_000), 10);
		this.meter.sample(this.nanoTime, this.count);
		assertThat(throughput().peakSecond()).isEqualTo(10);
	}

	private void pass(Duration time, int operations) {
		this.count += operations;
		this.nanoTime += time.toNanos();
	}

	private Throughput throughput() {
		return this.meter.throughput(this.nanoTime, this.count);
	}

	private void pass(int seconds, int perSecond) {
		for (int i = 0; i < seconds; i++) {
			this.count += perSecond;
			this.nanoTime += TimeUnit.SECONDS.toNanos(1);
			this.meter.sample(this.nanoTime, this.count);
		}
	}

}
