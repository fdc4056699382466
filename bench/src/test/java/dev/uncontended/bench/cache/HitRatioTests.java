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

import java.util.List;

import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests of {@link HitRatio}.
 */
class HitRatioTests {

	@Test
	void tableHasOneRowForEachTraceAndSize() {
		List<String> results = List.of(
				"trace\tsize\tcache\tfirst million, %\tsteady, %\tsteady after millions\treplayed millions",
				"churn\t10\tOURS\t1.1\t1.2\t1\t16", "churn\t10\tLRU\t2.1\t2.2\t2\t16",
				"churn\t20\tOURS\t3.1\t3.2\t4\t32", "churn\t20\tLRU\t4.1\t4.2\t8\t32");
		assertThat(HitRatio.table(results)).containsExactly(
				"| trace | size | OURS | LRU | first million: OURS | LRU | steady after millions: OURS | LRU |",
				"|---|---|---|---|---|---|---|---|", "| churn | 10 | 1.2 | 2.2 | 1.1 | 2.1 | 1 | 2 |",
				"| churn | 20 | 3.2 | 4.2 | 3.1 | 4.1 | 4 | 8 |");
	}

}
