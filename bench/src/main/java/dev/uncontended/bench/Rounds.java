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

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * The figures of several rounds.
 *
 * @param values the figure of each round
 */
public record Rounds(List<Double> values) {

	/**
	 * Returns the median.
	 * @return the median
	 */
	public double median() {
		List<Double> sorted = this.values.stream().sorted().toList();
		int middle = sorted.size() / 2;
		return (sorted.size() % 2 == 1) ? sorted.get(middle) : (sorted.get(middle - 1) + sorted.get(middle)) / 2;
	}

	/**
	 * Formats a figure with its range.
	 * @param figure the figure
	 * @return the text
	 */
	public String format(double figure) {
		return number(figure) + " (" + number(Collections.min(this.values)) + " to "
				+ number(Collections.max(this.values)) + ")";
	}

	/**
	 * Formats a number with about three significant digits.
	 * @param number the number
	 * @return the text
	 */
	public static String number(double number) {
		return String.format(Locale.ROOT, (number < 9.995) ? "%.2f" : (number < 99.95) ? "%.1f" : "%.0f", number);
	}

	private Rounds over(Rounds other) {
		return new Rounds(IntStream.range(0, Math.min(this.values.size(), other.values.size()))
			.mapToObj((i) -> this.values.get(i) / other.values.get(i))
			.toList());
	}

	/**
	 * Returns the table of raw results. The columns before {@code round} name what was
	 * measured. The columns after it are figures: the table contains their medians and
	 * ranges. The ratio compares the first figure with that of the first variant, in the
	 * same round.
	 * @param results the lines of a file with raw results
	 * @return the lines of the table
	 */
	public static List<String> table(List<String> results) {
		List<String> header = List.of(results.get(0).split("\t"));
		int keys = header.indexOf("round");
		Map<String, Map<String, List<String[]>>> groups = new LinkedHashMap<>();
		results.stream()
			.skip(1)
			.map((line) -> line.split("\t", -1))
			.forEach((cells) -> groups
				.computeIfAbsent(String.join(" | ", Arrays.copyOf(cells, keys - 1)), (key) -> new LinkedHashMap<>())
				.computeIfAbsent(cells[keys - 1], (key) -> new ArrayList<>())
				.add(cells));
		List<String> lines = new ArrayList<>();
		lines.add(header.stream()
			.filter((column) -> !column.equals("round"))
			.collect(Collectors.joining(" | ", "| ", " | ratio | rounds |")));
		lines.add(lines.get(0).replaceAll("[^|]+", "---"));
		groups.forEach((group, variants) -> {
			Rounds first = column(variants.values().iterator().next(), keys + 1);
			variants.forEach((variant, rows) -> {
				Rounds ratio = column(rows, keys + 1).over(first);
				lines.add(Stream
					.of(Stream.of(group, variant),
							IntStream.range(keys + 1, header.size()).mapToObj((column) -> cell(rows, column)),
							Stream.of(ratio.format(ratio.median()), String.valueOf(rows.size())))
					.flatMap((cells) -> cells)
					.collect(Collectors.joining(" | ", "| ", " |")));
			});
		});
		return lines;
	}

	private static String cell(List<String[]> rows, int column) {
		if (!rows.get(0)[column].matches("[0-9.]+")) {
			return rows.get(0)[column];
		}
		Rounds rounds = column(rows, column);
		return rounds.format(rounds.median());
	}

	private static Rounds column(List<String[]> rows, int column) {
		return new Rounds(rows.stream().map((cells) -> Double.parseDouble(cells[column])).toList());
	}

}
