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

import java.time.Duration;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.Stream;

import dev.uncontended.random.prng.CtrDrbg;
import dev.uncontended.random.prng.OperatingSystemSeedSource;
import dev.uncontended.random.prng.SeedSource;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for the draws of two copies of a snapshot.
 * <p>
 * Seeds and draws determine a pool's state. Two pools with the same seeds and draws
 * therefore represent two processes restored from one snapshot. After the snapshot, the
 * operating system seeds them independently.
 */
class SnapshotTests {

	private static final int STRIPES = 4;

	private static final int BUFFER_SIZE = 256;

	private final AtomicBoolean restored = new AtomicBoolean();

	private final StripedPool one = poolWithRecordedSeeds();

	private final StripedPool other = poolWithRecordedSeeds();

	@Test
	void copiesOfRunningPoolRepeatEachOther() {
		assertThat(draw(this.one, 100)).isEqualTo(draw(this.other, 100));
		this.restored.set(true);
		assertThat(draw(this.one, 100)).isEqualTo(draw(this.other, 100));
	}

	@Test
	void copiesOfRunningPoolDifferAfterPeriod() {
		draw(this.one, 100);
		draw(this.other, 100);
		this.restored.set(true);
		this.one.endPeriod();
		this.other.endPeriod();
		assertNothingInCommon(draw(this.one, 10_000), draw(this.other, 10_000));
	}

	@Test
	void copiesOfSuspendedPoolDiffer() {
		assertThat(draw(this.one, 100)).isEqualTo(draw(this.other, 100));
		this.one.suspend();
		this.other.suspend();
		this.restored.set(true);
		this.one.resume();
		this.other.resume();
		assertNothingInCommon(draw(this.one, 10_000), draw(this.other, 10_000));
	}

	@Test
	void copiesOfSuspendedPoolDifferBeforeResume() {
		draw(this.one, 100);
		draw(this.other, 100);
		this.one.suspend();
		this.other.suspend();
		this.restored.set(true);
		assertNothingInCommon(draw(this.one, 100), draw(this.other, 100));
	}

	@Test
	void suspendedPoolDiscardsBufferedBits() {
		List<UUID> held = draw(this.other, 1000);
		draw(this.one, 100);
		this.one.suspend();
		this.restored.set(true);
		this.one.resume();
		assertNothingInCommon(held, draw(this.one, 1000));
	}

	private static void assertNothingInCommon(List<UUID> one, List<UUID> other) {
		Set<UUID> common = new HashSet<>(one);
		common.retainAll(other);
		assertThat(common).isEmpty();
	}

	private static List<UUID> draw(StripedPool pool, int count) {
		return Stream.generate(() -> pool.draw(UUID::new)).limit(count).toList();
	}

	private StripedPool poolWithRecordedSeeds() {
		SeedSource seeds = new RecordedSeeds();
		return new StripedPool(() -> new CtrDrbg(seeds), STRIPES, BUFFER_SIZE, Duration.ofSeconds(1), () -> 0);
	}

	/**
	 * Returns the same seeds to each pool before the snapshot, and seeds of the operating
	 * system afterwards.
	 */
	private final class RecordedSeeds implements SeedSource {

		private byte next;

		@Override
		public byte[] generate(int length) {
			if (SnapshotTests.this.restored.get()) {
				return OperatingSystemSeedSource.INSTANCE.generate(length);
			}
			byte[] seed = new byte[length];
			Arrays.fill(seed, ++this.next);
			return seed;
		}

	}

}
