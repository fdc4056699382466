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

/**
 * The spread of several measurements.
 *
 * @param least the minimum
 * @param median the median
 * @param most the maximum
 */
record Spread(double least, double median, double most) {

	/**
	 * Returns the spread of the given values.
	 * @param values the values, at least one
	 */
	static Spread of(DoubleStream values) {
		double[] sorted = values.sorted().toArray();
		int middle = sorted.length / 2;
		double median = (sorted.length % 2 != 0) ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2;
		return new Spread(sorted[0], median, sorted[sorted.length - 1]);
	}

	/**
	 * Returns whether minimum and maximum are close to the median.
	 * @param part the maximum distance, as a fraction of the median
	 */
	boolean isWithin(double part) {
		return this.most - this.median <= this.median * part && this.median - this.least <= this.median * part;
	}

}
