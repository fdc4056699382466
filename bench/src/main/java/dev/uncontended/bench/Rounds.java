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
	 * Parses a file with raw results.
	 * @param lines the header and the lines, whose cells are separated by tabs
	 * @return the cells of each line by the names of the columns, in order
	 */
	public static List<Map<String, String>> rows(List<String> lines) {
		String[] header = lines.get(0).split("\t");
		return lines.stream().skip(1).map((line) -> {
			String[] cells = line.split("\t", -1);
			Map<String, String> row = new LinkedHashMap<>();
			for (int i = 0; i < cells.length; i++) {
				row.put(header[i], cells[i]);
			}
			return row;
		}).toList();
	}

	/**
	 * Returns the figures of a column.
	 * @param rows the rows
	 * @param column the name of the column
	 * @return the figures
	 */
	public static Rounds column(List<Map<String, String>> rows, String column) {
		return new Rounds(rows.stream().map((row) -> Double.parseDouble(row.getOrDefault(column, ""))).toList());
	}

	/**
	 * Returns the figures divided by a number.
	 * @param divisor the number
	 * @return the quotients
	 */
	public Rounds dividedBy(double divisor) {
		return new Rounds(this.values.stream().map((value) -> value / divisor).toList());
	}

	/**
	 * Returns the sum.
	 * @return the sum
	 */
	public double sum() {
		return this.values.stream().mapToDouble(Double::doubleValue).sum();
	}

	/**
	 * Returns the mean.
	 * @return the mean
	 */
	public double mean() {
		return sum() / this.values.size();
	}

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
	 * Formats the median with the range.
	 * @return the text
	 */
	@Override
	public String toString() {
		return format(median());
	}

	/**
	 * Formats a figure with the range.
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
		List<String> figures = header.subList(keys + 1, header.size());
		Map<String, Map<String, List<Map<String, String>>>> groups = new LinkedHashMap<>();
		rows(results).forEach((row) -> groups
			.computeIfAbsent(row.values().stream().limit(keys - 1).collect(Collectors.joining(" | ")),
					(group) -> new LinkedHashMap<>())
			.computeIfAbsent(row.getOrDefault(header.get(keys - 1), ""), (variant) -> new ArrayList<>())
			.add(row));
		List<String> lines = new ArrayList<>();
		lines.add(header.stream()
			.filter((column) -> !column.equals("round"))
			.collect(Collectors.joining(" | ", "| ", " | ratio | rounds |")));
		lines.add(lines.get(0).replaceAll("[^|]+", "---"));
		groups.forEach((group, variants) -> {
			Rounds first = column(variants.values().iterator().next(), figures.get(0));
			variants.forEach((variant,
					rows) -> lines.add(Stream
						.of(Stream.of(group, variant), figures.stream().map((column) -> cell(rows, column)),
								Stream.of(column(rows, figures.get(0)).over(first).toString(),
										String.valueOf(rows.size())))
						.flatMap((cells) -> cells)
						.collect(Collectors.joining(" | ", "| ", " |"))));
		});
		return lines;
	}

	private static String cell(List<Map<String, String>> rows, String column) {
		String first = rows.get(0).getOrDefault(column, "");
		return first.matches("[0-9.]+") ? column(rows, column).toString() : first;
	}

}
