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

package dev.uncontended.cache;

import java.util.ArrayList;
import java.util.List;

import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for the hand of {@link PutOrder}.
 */
class PutOrderTests {

	private static final int MANY = 1_000;

	private final PutOrder<Integer, Integer> order = new PutOrder<>();

	private final List<Entry<Integer, Integer>> entries = new ArrayList<>();

	PutOrderTests() {
		for (int i = 0; i < MANY; i++) {
			Entry<Integer, Integer> entry = new Entry<>(i, i, i, Entry.NEVER);
			this.order.apply(new Change<>(entry, null, RemovalCause.REPLACED), new Removals<>(null));
			this.entries.add(entry);
		}
	}

	@Test
	void evictsOldestUnvisitedEntry() {
		this.entries.get(0).visited = true;
		this.entries.get(1).visited = true;
		assertThat(this.order.victim()).isSameAs(this.entries.get(2));
	}

	@Test
	void evictionPassesAtMostTwentyFourVisitedEntries() {
		this.entries.forEach((entry) -> entry.visited = true);
		this.order.victim();
		assertThat(this.entries.stream().filter((entry) -> !entry.visited)).hasSize(24);
	}

	@Test
	void evictsNewestEntryAtLimit() {
		Entry<Integer, Integer> newest = this.entries.get(MANY - 1);
		this.entries.forEach((entry) -> entry.visited = entry != newest);
		assertThat(this.order.victim()).isSameAs(newest);
	}

	@Test
	void handContinuesWhereItStopped() {
		this.entries.forEach((entry) -> entry.visited = true);
		this.order.victim();
		this.entries.get(10).visited = true;
		this.order.victim();
		assertThat(this.entries.get(10).visited).isTrue();
		assertThat(this.entries.stream().filter((entry) -> !entry.visited)).hasSize(47);
	}

	@Test
	void returnedHandStartsAtOldestEntry() {
		this.entries.forEach((entry) -> entry.visited = true);
		this.order.victim();
		this.order.returnHand();
		assertThat(this.order.victim()).isSameAs(this.entries.get(0));
	}

}
