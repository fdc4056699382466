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
import java.util.Random;
import java.util.function.Predicate;

/**
 * A sequence of operations on a cache, random or shrunk.
 *
 * @param start the start time
 * @param steps the operations
 */
record History(long start, List<Step> steps) {

	static History random(long seed, int length) {
		Random random = new Random(seed);
		// Every second history makes the clock wrap around.
		long start = random.nextBoolean() ? Long.MAX_VALUE - random.nextInt(500) : random.nextLong();
		List<Step> steps = new ArrayList<>();
		for (int i = 0; i < length; i++) {
			steps.add(Step.random(random));
		}
		return new History(start, steps);
	}

	/**
	 * Removes steps, first in large groups and then one by one, while the history still
	 * fails.
	 */
	History shrink(Predicate<History> fails) {
		History smallest = this;
		for (int chunk = Math.max(1, this.steps.size() / 2); chunk > 0; chunk /= 2) {
			boolean shrunk = true;
			while (shrunk) {
				shrunk = false;
				for (int from = 0; from < smallest.steps.size(); from += chunk) {
					History smaller = smallest.without(from, chunk);
					if (fails.test(smaller)) {
						smallest = smaller;
						shrunk = true;
					}
				}
			}
		}
		return smallest;
	}

	private History without(int from, int count) {
		List<Step> remaining = new ArrayList<>(this.steps.subList(0, from));
		remaining.addAll(this.steps.subList(Math.min(this.steps.size(), from + count), this.steps.size()));
		return new History(this.start, remaining);
	}

	enum Operation {

		PUT(30, 12), GET(30, 12), REMOVE(5, 12), CLEAN_UP(1, 1), ADVANCE(25, 12), SET_MAXIMUM_SIZE(1, 9),
		SET_TIMEOUT(1, 60);

		private final int weight;

		private final int arguments;

		Operation(int weight, int arguments) {
			this.weight = weight;
			this.arguments = arguments;
		}

	}

	/**
	 * One operation.
	 *
	 * @param operation the operation
	 * @param argument the key, the time to pass, or the new limit
	 */
	record Step(Operation operation, int argument) {

		static Step random(Random random) {
			int sum = 0;
			for (Operation operation : Operation.values()) {
				sum += operation.weight;
			}
			int pick = random.nextInt(sum);
			for (Operation operation : Operation.values()) {
				pick -= operation.weight;
				if (pick < 0) {
					return new Step(operation, random.nextInt(operation.arguments));
				}
			}
			throw new IllegalStateException();
		}

		@Override
		public String toString() {
			return this.operation + "(" + this.argument + ")";
		}

	}

}
