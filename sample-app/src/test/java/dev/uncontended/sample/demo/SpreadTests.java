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

import java.util.stream.DoubleStream;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for {@link Spread}.
 */
class SpreadTests {

	@Test
	void computesMinimumMedianAndMaximum() {
		assertThat(Spread.of(DoubleStream.of(4, 1, 10))).isEqualTo(new Spread(1, 4, 10));
		assertThat(Spread.of(DoubleStream.of(4, 1, 10, 5))).isEqualTo(new Spread(1, 4.5, 10));
	}

	@ParameterizedTest
	@CsvSource({ "100, 100, 100, true", "80, 100, 120, true", "70, 100, 115, false", "85, 85, 130, false" })
	void isWithinFractionOfMedianIfAllValuesAre(double first, double second, double third, boolean expected) {
		assertThat(Spread.of(DoubleStream.of(first, second, third)).isWithin(0.25)).isEqualTo(expected);
	}

}
