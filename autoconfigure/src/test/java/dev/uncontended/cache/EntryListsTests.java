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

import dev.uncontended.cache.EntryLists.Entry;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for the clocks of {@link EntryLists}.
 */
class EntryListsTests {

	private static final int MANY = 900;

	private final EntryLists<Integer, Integer> lists = new EntryLists<>();

	private final List<Entry<Integer, Integer>> entries = new ArrayList<>();

	EntryListsTests() {
		for (int i = 0; i < MANY; i++) {
			add();
		}
	}

	@Test
	void evictsOldestUnvisitedEntry() {
		this.entries.get(0).visited = true;
		this.entries.get(1).visited = true;
		assertThat(this.lists.selectVictim(MANY)).isSameAs(this.entries.get(2));
	}

	@Test
	void visitedEntryMovesToMainList() {
		this.entries.get(0).visited = true;
		this.lists.selectVictim(MANY);
		assertThat(this.entries.get(0).visited).isFalse();
	}

	@Test
	void evictionMovesAtMostTwentyFourEntries() {
		this.entries.forEach((entry) -> entry.visited = true);
		this.lists.selectVictim(MANY);
		assertThat(this.entries.stream().filter((entry) -> !entry.visited)).hasSize(24);
	}

	@Test
	void evictsNewestEntryAtLimit() {
		Entry<Integer, Integer> newest = this.entries.get(MANY - 1);
		this.entries.forEach((entry) -> entry.visited = entry != newest);
		assertThat(this.lists.selectVictim(MANY)).isSameAs(newest);
	}

	@Test
	void evictsHeadAtLimitIfAllEntriesAreVisited() {
		this.entries.forEach((entry) -> entry.visited = true);
		assertThat(this.lists.selectVictim(MANY)).isSameAs(this.entries.get(24));
	}

	@Test
	void evictsFromMainListWhileItHoldsMoreThanOneThird() {
		this.entries.subList(0, MANY / 3 + 1).forEach((entry) -> entry.visited = true);
		Entry<Integer, Integer> victim = null;
		while (this.entries.get(MANY / 3).visited) {
			victim = this.lists.selectVictim(MANY);
		}
		assertThat(victim).isSameAs(this.entries.get(0));
	}

	@Test
	void visitedEntryOfMainListGetsAnotherRound() {
		this.entries.subList(0, MANY / 3 + 1).forEach((entry) -> entry.visited = true);
		while (this.entries.get(MANY / 3 - 1).visited) {
			this.lists.selectVictim(MANY);
		}
		this.entries.get(0).visited = true;
		assertThat(this.lists.selectVictim(MANY)).isSameAs(this.entries.get(1));
	}

	private void add() {
		int i = this.entries.size();
		Entry<Integer, Integer> entry = new Entry<>(i, i, i);
		this.lists.add(entry);
		this.entries.add(entry);
	}

}
