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

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

/**
 * A slot written by a {@link NumberingPrng}.
 *
 * @param generator the number of the generator
 * @param number the number of the slot
 */
record NumberedSlot(long generator, long number) {

	boolean hasZero() {
		return this.generator == 0 || this.number == 0;
	}

	/**
	 * Draws in several threads.
	 */
	static List<NumberedSlot> drawFromThreads(StripedPool pool, int threads, int draws) throws Exception {
		ExecutorService executor = Executors.newFixedThreadPool(threads);
		try {
			List<Future<List<NumberedSlot>>> results = new ArrayList<>();
			for (int thread = 0; thread < threads; thread++) {
				results.add(executor.submit(() -> {
					List<NumberedSlot> slots = new ArrayList<>();
					for (int i = 0; i < draws; i++) {
						slots.add(pool.draw(NumberedSlot::new));
					}
					return slots;
				}));
			}
			List<NumberedSlot> all = new ArrayList<>();
			for (Future<List<NumberedSlot>> result : results) {
				all.addAll(result.get());
			}
			return all;
		}
		finally {
			executor.shutdown();
		}
	}

}
