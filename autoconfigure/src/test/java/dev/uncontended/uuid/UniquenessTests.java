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

import java.security.Security;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import java.util.stream.IntStream;
import java.util.stream.Stream;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeFalse;

/**
 * Draws 4 million ids with 32 threads and looks for duplicates.
 */
@Tag("slow")
@Tag("product")
class UniquenessTests {

	private static final int THREADS = 32;

	private static final int IDS_A_THREAD = 125_000;

	@ParameterizedTest
	@MethodSource("algorithms")
	void idsOfEveryAlgorithmDiffer(String algorithm) throws Exception {
		assumeFalse(algorithm.equalsIgnoreCase("NativePRNGBlocking") && randomDeviceBlocks(),
				"The random device of this kernel waits for entropy; megabytes would take days");
		try (UuidGenerator generator = UuidGenerator.builder().algorithm(algorithm).build()) {
			assertAllDifferent((ids) -> Arrays.setAll(ids, (i) -> generator.randomUuid()), 4);
			assertThat(generator.stats().generated(4)).isEqualTo(THREADS * IDS_A_THREAD);
		}
	}

	@ParameterizedTest
	@ValueSource(ints = { 1, 8 })
	void idsOfSmallestBuffersDiffer(int stripes) throws Exception {
		try (UuidGenerator generator = UuidGenerator.builder().stripes(stripes).bufferSize(64).build()) {
			assertAllDifferent((ids) -> Arrays.setAll(ids, (i) -> generator.randomUuid()), 4);
			assertThat(generator.stats().generated(4)).isEqualTo(THREADS * IDS_A_THREAD);
		}
	}

	@Test
	void idsOfBulkDrawsDiffer() throws Exception {
		try (UuidGenerator generator = UuidGenerator.builder().build()) {
			assertAllDifferent(generator::fill, 4);
			assertThat(generator.stats().generated(4)).isEqualTo(THREADS * IDS_A_THREAD);
		}
	}

	@Test
	void timeOrderedIdsDiffer() throws Exception {
		try (UuidGenerator generator = UuidGenerator.builder().build()) {
			assertAllDifferent((ids) -> Arrays.setAll(ids, (i) -> generator.timeOrderedUuid()), 7);
			assertThat(generator.stats().generated(7)).isEqualTo(THREADS * IDS_A_THREAD);
		}
	}

	@Test
	void idsOfOneGivenTimeDiffer() throws Exception {
		Instant instant = Instant.parse("2026-01-01T00:00:00Z");
		try (UuidGenerator generator = UuidGenerator.builder().build()) {
			assertAllDifferent((ids) -> Arrays.setAll(ids, (i) -> generator.timeOrderedUuid(instant)), 7);
			assertThat(generator.stats().generated(7)).isEqualTo(THREADS * IDS_A_THREAD);
		}
	}

	@Test
	void duplicateSlotIsDetected() throws Exception {
		UUID[] stripe = new UUID[512];
		try (UuidGenerator generator = UuidGenerator.builder().build()) {
			AtomicInteger draws = new AtomicInteger();
			UUID[] ids = draw((chunk) -> Arrays.setAll(chunk, (i) -> {
				// Repeats a slot once, like a stripe that is not refilled.
				int draw = draws.getAndIncrement();
				int slot = draw % stripe.length;
				UUID id = (draw == 3_000_000) ? stripe[slot] : generator.randomUuid();
				stripe[slot] = id;
				return id;
			}));
			assertThat(duplicates(ids)).isPositive();
		}
	}

	private static void assertAllDifferent(Consumer<UUID[]> source, int version) throws Exception {
		UUID[] ids = draw(source);
		for (UUID id : ids) {
			if (id.version() != version || id.variant() != 2) {
				throw new AssertionError("Version " + id.version() + " and variant " + id.variant());
			}
		}
		assertThat(duplicates(ids)).isZero();
	}

	private static UUID[] draw(Consumer<UUID[]> source) throws Exception {
		ExecutorService executor = Executors.newFixedThreadPool(THREADS);
		try {
			List<Future<UUID[]>> results = new ArrayList<>();
			for (int i = 0; i < THREADS; i++) {
				results.add(executor.submit(() -> {
					UUID[] ids = new UUID[IDS_A_THREAD];
					source.accept(ids);
					return ids;
				}));
			}
			UUID[] all = new UUID[THREADS * IDS_A_THREAD];
			for (int i = 0; i < THREADS; i++) {
				System.arraycopy(results.get(i).get(), 0, all, i * IDS_A_THREAD, IDS_A_THREAD);
			}
			return all;
		}
		finally {
			executor.shutdownNow();
		}
	}

	/**
	 * Sorts halves of the ids, because numbers sort much faster than objects: if no
	 * halves are equal, no ids are.
	 */
	private static long duplicates(UUID[] ids) {
		long[] halves = Arrays.stream(ids).mapToLong(UUID::getLeastSignificantBits).toArray();
		Arrays.parallelSort(halves);
		boolean different = IntStream.range(1, halves.length).noneMatch((i) -> halves[i] == halves[i - 1]);
		return different ? 0 : ids.length - Arrays.stream(ids).distinct().count();
	}

	static List<String> algorithms() {
		return Stream.concat(Stream.of("CTR_DRBG"), Security.getAlgorithms("SecureRandom").stream()).toList();
	}

	/**
	 * Returns whether the device blocks. Linux's does since 5.6 only until it is
	 * initialized.
	 */
	private static boolean randomDeviceBlocks() {
		return !System.getProperty("os.name").equals("Linux")
				|| Runtime.Version.parse(System.getProperty("os.version").replaceFirst("[^\\d.].*", ""))
					.compareTo(Runtime.Version.parse("5.6")) < 0;
	}

}
