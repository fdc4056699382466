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

package dev.uncontended.integration;

import java.util.HexFormat;
import java.util.stream.IntStream;
import java.util.stream.Stream;

import dev.uncontended.uuid.UuidGenerator;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for {@link TomcatSessionIdGenerator}.
 */
class TomcatSessionIdGeneratorTests {

	private final UuidGenerator generator = UuidGenerator.builder().stripes(1).build();

	private final TomcatSessionIdGenerator sessionIds = new TomcatSessionIdGenerator(this.generator);

	@AfterEach
	void close() {
		this.generator.close();
	}

	@Test
	void makesIdsOfTomcatsLength() {
		assertThat(this.sessionIds.generateSessionId()).matches("[0-9A-F]{32}");
	}

	@Test
	void addsRoute() {
		this.sessionIds.setJvmRoute("node1");
		assertThat(this.sessionIds.generateSessionId()).matches("[0-9A-F]{32}\\.node1");
	}

	@ParameterizedTest
	@ValueSource(ints = { 17, 32, 40 })
	void makesLongerIds(int bytes) {
		this.sessionIds.setSessionIdLength(bytes);
		assertThat(this.sessionIds.generateSessionId()).matches("[0-9A-F]{" + 2 * bytes + "}");
	}

	/**
	 * In 4096 ids each bit is set 2048 times with a standard deviation of 32: a bit that
	 * is six of them off is not random. A version or a variant that shone through would
	 * be 2048 off.
	 */
	@Test
	void leavesNoBitFixed() {
		byte[][] ids = Stream.generate(this.sessionIds::generateSessionId)
			.limit(4096)
			.map(HexFormat.of()::parseHex)
			.toArray(byte[][]::new);
		for (int bit = 0; bit < 128; bit++) {
			int index = bit;
			long set = Stream.of(ids).filter((id) -> (id[index / 8] >> (index % 8) & 1) == 1).count();
			assertThat(set).as("bit %d", bit).isBetween(2048L - 192, 2048L + 192);
		}
	}

	@Test
	void repeatsNoId() {
		assertThat(IntStream.range(0, 10_000).mapToObj((i) -> this.sessionIds.generateSessionId()))
			.doesNotHaveDuplicates();
	}

}
