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

package dev.uncontended.bench.cache;

import java.util.HashSet;
import java.util.Set;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests of {@link ClientTrace}.
 */
class ClientTraceTests {

	@ParameterizedTest
	@ValueSource(doubles = { 0.2, 0.9 })
	void clientThatHasLeftDoesNotReturn(double never) {
		ClientTrace trace = ClientTrace.churn(never, 4, 100);
		Set<Integer> left = new HashSet<>();
		for (int i = 0; i < 10_000; i++) {
			int client = trace.next();
			assertThat(left).doesNotContain(client);
			if (trace.leaves()) {
				left.add(client);
			}
		}
		assertThat(left).hasSizeGreaterThan(1000);
	}

	@ParameterizedTest
	@ValueSource(doubles = { 0.2, 0.9 })
	void floodStartsAfterTenVisitsOfEachPermanentClient(double oneTime) {
		ClientTrace trace = ClientTrace.flood(100, oneTime);
		for (int i = 0; i < 1000; i++) {
			assertThat(trace.next()).isLessThan(100);
			assertThat(trace.leaves()).isFalse();
		}
		int oneTimeVisits = 0;
		for (int i = 0; i < 10_000; i++) {
			trace.next();
			oneTimeVisits += trace.leaves() ? 1 : 0;
		}
		assertThat(oneTimeVisits / 10_000.0).isBetween(oneTime - 0.02, oneTime + 0.02);
	}

}
