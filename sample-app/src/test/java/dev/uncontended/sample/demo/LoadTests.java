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

package dev.uncontended.sample.demo;

import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Supplier;

import dev.uncontended.sample.demo.Load.Measurement;
import dev.uncontended.sample.demo.Load.Sample;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * Tests for {@link Load}.
 */
@Tag("slow")
class LoadTests {

	private final List<Sample> samples = new ArrayList<>();

	@Test
	void measuresSamplesAfterWarmUpOnly() throws Exception {
		Measurement measurement = load(2, 1, UUID::randomUUID).run(this.samples::add);
		List<Sample> measured = this.samples.stream().filter((sample) -> !sample.warmUp()).toList();
		assertThat(measured).isNotEmpty().hasSizeLessThan(this.samples.size());
		assertThat(measurement.generated()).isEqualTo(measured.stream().mapToLong(Sample::generated).sum());
		assertThat(measurement.perSecond()).isEqualTo(Spread.of(measured.stream().mapToDouble(Sample::perSecond)));
		assertThat(measurement.warmUp().seconds()).isGreaterThanOrEqualTo(1);
		assertThat(measurement.warmUp().steady()).as("after too few samples").isFalse();
	}

	@Test
	@Tag("product")
	void warmUpEndsAtSteadyRate() throws Exception {
		// Its rate depends little on the load of the machine.
		Supplier<UUID> paced = () -> {
			LockSupport.parkNanos(1_000_000);
			return UUID.randomUUID();
		};
		Measurement measurement = load(1, 30, paced).run(this.samples::add);
		assertThat(measurement.warmUp().steady()).isTrue();
		assertThat(measurement.warmUp().seconds()).isLessThan(30);
	}

	@Test
	void threadsPauseAfterEachSample() throws Exception {
		load(4, 0, UUID::randomUUID).run((sample) -> Awaitility.await()
			.until(() -> threads().stream().allMatch((thread) -> thread.getState() == Thread.State.WAITING)));
	}

	@Test
	void listenerThatFailsEndsLoad() {
		assertThatExceptionOfType(IOException.class).isThrownBy(() -> load(4, 60, UUID::randomUUID).run((sample) -> {
			assertThat(threads()).hasSize(4);
			throw new IOException("The client has disconnected");
		}));
		Awaitility.await().atMost(Duration.ofSeconds(30)).until(() -> threads().isEmpty());
	}

	@Test
	void failsIfSourceRepeatsUuid() {
		assertThatExceptionOfType(IllegalStateException.class)
			.isThrownBy(() -> load(1, 0, () -> new UUID(1, 2)).run(this.samples::add))
			.withStackTraceContaining("drawn twice");
	}

	private static Load load(int threads, int warmUpSeconds, Supplier<UUID> supplier) {
		return new Load(new Load.Source("test", "test", (i) -> supplier.get()), threads, 1, warmUpSeconds);
	}

	private static List<Thread> threads() {
		return Thread.getAllStackTraces()
			.keySet()
			.stream()
			.filter((each) -> each.getName().startsWith("load-test-"))
			.toList();
	}

}
