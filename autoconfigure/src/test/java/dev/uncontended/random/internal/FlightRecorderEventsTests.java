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

package dev.uncontended.random.internal;

import java.io.IOException;
import java.nio.file.Path;
import java.security.ProviderException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;

import dev.uncontended.WithoutEvents;
import dev.uncontended.random.prng.Prng;
import jdk.jfr.Recording;
import jdk.jfr.consumer.RecordedEvent;
import jdk.jfr.consumer.RecordingFile;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatNoException;

/**
 * Tests for {@link FlightRecorderEvents}.
 */
class FlightRecorderEventsTests {

	private final AtomicLong nanos = new AtomicLong();

	@TempDir
	private Path directory;

	@Test
	void recordsSlowRefillsAndReseeds() throws IOException {
		List<RecordedEvent> events = record(() -> {
			StripedPool pool = pool(() -> this.nanos.addAndGet(FlightRecorderEvents.SLOW_REFILL_NANOS));
			draw(pool);
			this.nanos.addAndGet(Duration.ofHours(2).toNanos());
			draw(pool);
		});
		assertThat(events).extracting((event) -> event.getEventType().getName())
			.containsExactly("dev.uncontended.Refill", "dev.uncontended.Reseed", "dev.uncontended.Refill");
		assertThat(events.get(0).getDuration("time")).isEqualTo(Duration.ofMillis(10));
		assertThat(events.get(0).getString("failure")).isNull();
	}

	@Test
	void recordsFailedRefills() throws IOException {
		List<RecordedEvent> events = record(() -> {
			StripedPool pool = pool(() -> {
				throw new ProviderException("no entropy");
			});
			assertThatExceptionOfType(ProviderException.class).isThrownBy(() -> draw(pool));
		});
		assertThat(events).singleElement()
			.satisfies((event) -> assertThat(event.getString("failure")).isEqualTo(ProviderException.class.getName()));
	}

	@Test
	void doesNotRecordFastRefills() throws IOException {
		assertThat(record(() -> draw(pool(() -> this.nanos.addAndGet(1000))))).isEmpty();
	}

	/**
	 * The {@code Error} of an initializer recurs at each later use.
	 */
	@Test
	void failingRecorderDoesNotFailDraws() throws Exception {
		Runnable draws = (Runnable) Class
			.forName(Draws.class.getName(), true, new WithoutEvents("dev.uncontended.random"))
			.getConstructor()
			.newInstance();
		record(() -> assertThatNoException().isThrownBy(draws::run));
	}

	private StripedPool pool(Runnable refill) {
		return new StripedPool(() -> new CtrDrbgWith(refill), 1, 64, Duration.ofHours(1), this.nanos::get);
	}

	/**
	 * Draws a whole buffer.
	 */
	private static void draw(StripedPool pool) {
		pool.nextBytes(new byte[64]);
	}

	private List<RecordedEvent> record(Runnable action) throws IOException {
		try (Recording recording = new Recording()) {
			recording.enable("dev.uncontended.Refill");
			recording.enable("dev.uncontended.Reseed");
			recording.start();
			action.run();
			recording.stop();
			Path file = this.directory.resolve("recording.jfr");
			recording.dump(file);
			return RecordingFile.readAllEvents(file);
		}
	}

	/** Reseeds at each refill, and reports that. */
	public static final class Draws implements Runnable {

		@Override
		public void run() {
			StripedPool pool = new StripedPool(RandomAlgorithm.of("CTR_DRBG", null), 1, 64, Duration.ofNanos(1));
			for (int i = 0; i < 3; i++) {
				pool.nextBytes(new byte[64]);
			}
			assertThat(pool.stats().reseeds()).isEqualTo(2);
		}

	}

	private static final class CtrDrbgWith implements Prng {

		private final Prng prng = RandomAlgorithm.of("CTR_DRBG", null).newPrng();

		private final Runnable refill;

		CtrDrbgWith(Runnable refill) {
			this.refill = refill;
		}

		@Override
		public void nextBytes(byte[] bytes) {
			this.refill.run();
			this.prng.nextBytes(bytes);
		}

		@Override
		public void reseed() {
			this.prng.reseed();
		}

		@Override
		public void addSeed(byte[] seed) {
			this.prng.addSeed(seed);
		}

		@Override
		public void wipe() {
			this.prng.wipe();
		}

	}

}
