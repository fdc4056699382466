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
package dev.uncontended.bench;

import java.util.List;
import java.util.Locale;

/**
 * The figures of several rounds.
 *
 * @param values the figure of each round, in ascending order
 */
public record Rounds(List<Double> values) {

	/** Rounds vary too much if half of their range exceeds this share of the median. */
	private static final double STEADY = 0.2;

	/**
	 * Sorts the figures.
	 * @param values the figure of each round
	 */
	public Rounds {
		values = values.stream().sorted().toList();
	}

	/**
	 * Returns the median.
	 * @return the median
	 */
	public double median() {
		int middle = this.values.size() / 2;
		return (this.values.size() % 2 == 1) ? this.values.get(middle)
				: (this.values.get(middle - 1) + this.values.get(middle)) / 2;
	}

	/**
	 * Returns whether the interval from the lowest to the highest figure is narrow enough
	 * to be published: its half is at most a fifth of the median.
	 * @return whether the figures vary little
	 */
	public boolean areSteady() {
		return (this.values.get(this.values.size() - 1) - this.values.get(0)) / 2 <= STEADY * median();
	}

	/**
	 * Formats the median, the lowest and the highest figure.
	 * @param format the format of a figure
	 * @return the text
	 */
	public String format(String format) {
		return String.format(Locale.ROOT, format + " (" + format + " to " + format + ")", median(), this.values.get(0),
				this.values.get(this.values.size() - 1));
	}

	/**
	 * Formats the figures unless they vary too much.
	 * @param format the format of a figure
	 * @return the text, or an empty string
	 */
	public String formatIfSteady(String format) {
		return areSteady() ? format(format) : "";
	}

}
