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

package dev.uncontended.tls.tickets;

import java.security.SecureRandom;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.TreeSet;
import java.util.stream.IntStream;
import java.util.stream.LongStream;

import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for {@link TicketState}.
 */
class TicketStateTests {

	/**
	 * Calculated by another program.
	 */
	private static final String ENCODED = "000000030000000700000002690000000000000169000001fffffffe0001"
			+ "0000000000000000000102030405060708090a0b0c0d0e0f101112131415161718191a1b1c1d1e1f";

	private static final TicketKeyRotation ROTATION = new TicketKeyRotation(Duration.ofHours(12), Duration.ofHours(24));

	private static final Duration LEAD = Duration.ofSeconds(10);

	private static final long HALF_DAY = Duration.ofHours(12).toMillis();

	private static final long NOW = 40_000 * HALF_DAY + 1000;

	private final SecureRandom random = new SecureRandom();

	static TicketState example() {
		return new TicketState(3, 7, ends(0x69000000_00000001L, 0x69000001_fffffffeL),
				TicketState.of(HexFormat.of().parseHex(ENCODED.substring(ENCODED.length() - 64))).seeds());
	}

	private static TreeSet<Long> ends(long... ends) {
		TreeSet<Long> set = new TreeSet<>(Long::compareUnsigned);
		Arrays.stream(ends).forEach(set::add);
		return set;
	}

	static TicketState withEnds(int count) {
		return new TicketState(0, 1, ends(LongStream.range(0, count).toArray()),
				TicketState.fresh(new SecureRandom()).seeds());
	}

	private TicketState state(int revision, long... ends) {
		return new TicketState(0, revision, ends(ends), TicketState.fresh(this.random).seeds());
	}

	@Test
	void encodingOfFormatIsFixed() {
		assertThat(TicketSeal.FORMAT).as("format, which a change of the encoding increases").isEqualTo(4);
		assertThat(HexFormat.of().formatHex(example().encode())).isEqualTo(ENCODED);
		assertThat(TicketState.decode(HexFormat.of().parseHex(ENCODED))).isEqualTo(example());
	}

	@Test
	void digestIsFixed() {
		assertThat(example().digest()).isEqualTo(0x3aa544da07cb4fd4L);
		assertThat(TicketState.fresh(this.random).digest()).isZero();
	}

	@Test
	void keyDerivationIsFixed() {
		TicketKey key = example().keys(ROTATION, NOW).get(0);
		HexFormat hex = HexFormat.of();
		assertThat(hex.formatHex(key.name()) + hex.formatHex(key.hmacKey()) + hex.formatHex(key.aesKey()))
			.isEqualTo("41ea90a0b6efb4bd5826e05d80f16a0392a48ea90b083234ceac714c0a3f922c"
					+ "4f5b908be8e80eacea7b45f0f98343c9");
	}

	@Test
	void malformedStatesAreNotDecoded() {
		byte[] encoded = HexFormat.of().parseHex(ENCODED);
		IntStream.range(0, encoded.length)
			.forEach((length) -> assertThat(TicketState.decode(Arrays.copyOf(encoded, length))).isNull());
		assertThat(TicketState.decode(Arrays.copyOf(encoded, encoded.length + 1))).isNull();
		byte[] unordered = encoded.clone();
		unordered[12] = 0x70;
		assertThat(TicketState.decode(unordered)).isNull();
	}

	@Test
	void decryptsForLifetimeAndOneIntervalAhead() {
		List<String> keys = names(example(), NOW);
		assertThat(keys).hasSize(4).doesNotHaveDuplicates();
		assertThat(names(example(), NOW + HALF_DAY)).contains(keys.get(0), keys.get(1), keys.get(2));
		assertThat(names(example(), NOW + HALF_DAY).get(0)).isEqualTo(keys.get(1));
		assertThat(names(example(), NOW + 3 * HALF_DAY)).doesNotContain(keys.get(0), keys.get(2), keys.get(3));
	}

	private static List<String> names(TicketState state, long time) {
		return state.keys(ROTATION, time).stream().map((key) -> HexFormat.of().formatHex(key.name())).toList();
	}

	@Test
	void lostStateIsWrittenBack() {
		TicketState state = state(3, 1);
		assertThat(state.merge(null, this.random)).isSameAs(state);
		assertThat(TicketState.fresh(this.random).follow(null).revision()).isEqualTo(1);
	}

	@Test
	void endHasFreshSeed() {
		TicketState state = state(5, 1);
		TicketState ended = state.ended(2, NOW, this.random);
		assertThat(ended.includes(state)).isTrue();
		assertThat(ended.ends()).hasSize(2);
		assertThat(ended.generation()).isEqualTo(2);
		assertThat(ended.seeds().values()).hasSize(1).doesNotContainAnyElementsOf(state.seeds().values());
		assertThat(ended.ends().last() >>> 32).isEqualTo(NOW / 1000);
	}

	@Test
	void seedIsAddedOnceInEachEpochAndNeverInForceAtOnce() {
		TicketState state = state(1);
		TicketState reseeded = state.reseeded(ROTATION, LEAD, NOW, this.random);
		assertThat(reseeded.revision()).isEqualTo(2);
		assertThat(names(reseeded, NOW).get(0)).isEqualTo(names(state, NOW).get(0));
		assertThat(names(reseeded, NOW + HALF_DAY).get(0)).isNotEqualTo(names(state, NOW + HALF_DAY).get(0));
		assertThat(reseeded.reseeded(ROTATION, LEAD, NOW + HALF_DAY - 2000, this.random)).isSameAs(reseeded);
		assertThat(reseeded.reseeded(ROTATION, LEAD, NOW + HALF_DAY, this.random)).isNotSameAs(reseeded);
	}

	@Test
	void seedIsNotInForceBeforeOthersHaveReadIt() {
		long lastSecond = 40_001 * HALF_DAY - 1000;
		TicketState reseeded = state(1).reseeded(ROTATION, LEAD, lastSecond, this.random);
		assertThat(reseeded.seeds().lastKey()).isEqualTo(40_002 * HALF_DAY);
	}

	@Test
	void seedsOfExpiredKeysAreDropped() {
		TicketState state = state(1);
		for (long time = NOW; time < NOW + 20 * HALF_DAY; time += HALF_DAY) {
			TicketState before = state;
			state = state.reseeded(ROTATION, LEAD, time, this.random);
			List<String> keys = new ArrayList<>(names(before, time));
			keys.remove(1);
			assertThat(names(state, time)).containsAll(keys);
		}
		assertThat(state.seeds()).hasSizeLessThanOrEqualTo(5);
	}

	@Test
	void nothingRevealsSeedsOrKeys() {
		assertThat(example().toString()).isEqualTo("TicketState[generation=3, revision=7, ends=2, seeds=1]");
		assertThat(example().keys(ROTATION, NOW).get(0)).hasToString("TicketKey[***]");
	}

}
