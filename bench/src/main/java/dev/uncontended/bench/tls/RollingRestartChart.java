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
package dev.uncontended.bench.tls;

import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.ToDoubleFunction;

import dev.uncontended.bench.tls.RollingRestart.Row;

/**
 * Draws the results of {@link RollingRestart} as SVG: for each source of ticket keys, the
 * share of full handshakes and the 99th percentile of each second. The seconds of the
 * restart are shaded.
 */
public final class RollingRestartChart {

	private static final int WIDTH = 860;

	private static final int LEFT = 50;

	private static final int GAP = 18;

	private static final int TOP = 60;

	private static final int HEIGHT = 120;

	private static final int BETWEEN = 44;

	private static final String[] COLORS = { "#e08e45", "#c25a5a", "#2f6f9f", "#5b9e6f" };

	private RollingRestartChart() {
	}

	/**
	 * Draws the chart.
	 * @param results the lines of the file with results
	 * @return the SVG file
	 */
	public static String draw(List<String> results) {
		Map<String, List<Row>> rows = RollingRestart.read(results);
		double slowest = rows.values().stream().flatMap(List::stream).mapToDouble(Row::p99).max().orElse(0) / 1000;
		double top = roundUp(slowest);
		int width = (WIDTH - LEFT) / rows.size() - GAP;
		int second = TOP + HEIGHT + BETWEEN;
		StringBuilder svg = new StringBuilder(String.format(Locale.ROOT,
				"<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%d\" height=\"%d\" font-family=\"sans-serif\""
						+ " font-size=\"11\">\n<rect width=\"100%%\" height=\"100%%\" fill=\"white\"/>\n",
				WIDTH, second + HEIGHT + 40));
		svg.append(text(LEFT, 18, "start", "Rolling restart of three nodes (shaded): less is better"));
		svg.append(text(LEFT, TOP - 8, "start", "full handshakes, %"));
		svg.append(text(LEFT, second - 8, "start", "latency of new connections, 99th percentile of each second, ms"));
		int x = LEFT;
		int i = 0;
		for (Map.Entry<String, List<Row>> entry : rows.entrySet()) {
			String color = COLORS[i % COLORS.length];
			svg.append(text(x + width / 2, 36, "middle", RollingRestart.describe(entry.getKey())));
			svg.append(panel(entry.getValue(), x, TOP, width, 100, i == 0, color,
					(row) -> 100.0 * row.full() / Math.max(row.connections(), 1)));
			svg.append(panel(entry.getValue(), x, second, width, top, i == 0, color, (row) -> row.p99() / 1000.0));
			svg.append(text(x + width / 2, second + HEIGHT + 30, "middle", "seconds"));
			x += width + GAP;
			i++;
		}
		return svg.append("</svg>\n").toString();
	}

	private static double roundUp(double value) {
		double power = Math.pow(10, Math.floor(Math.log10(value)));
		return Math.ceil(value / power) * power;
	}

	private static String panel(List<Row> rows, int left, int top, int width, double max, boolean labels, String color,
			ToDoubleFunction<Row> figure) {
		StringBuilder svg = new StringBuilder();
		double step = (double) width / (rows.size() - 1);
		int first = RollingRestart.firstEvent(rows);
		int last = RollingRestart.lastEvent(rows);
		svg.append(String.format(Locale.ROOT,
				"<rect x=\"%.1f\" y=\"%d\" width=\"%.1f\" height=\"%d\" fill=\"#eeeeee\"/>\n", left + first * step, top,
				(last - first) * step, HEIGHT));
		for (int i = 0; i <= 4; i++) {
			int y = top + HEIGHT - i * HEIGHT / 4;
			svg.append(String.format(Locale.ROOT, "<path d=\"M%d %dH%d\" stroke=\"#cccccc\" stroke-width=\"%s\"/>\n",
					left, y, left + width, (i == 0) ? "1" : "0.5"));
			if (labels) {
				svg.append(text(left - 5, y + 4, "end",
						String.format(Locale.ROOT, "%.1f", max * i / 4).replaceAll("\\.0$", "")));
			}
		}
		StringBuilder path = new StringBuilder();
		for (Row row : rows) {
			path.append(String.format(Locale.ROOT, "%s%.1f %.1f", path.isEmpty() ? "M" : "L",
					left + row.second() * step, top + HEIGHT - Math.min(figure.applyAsDouble(row) / max, 1) * HEIGHT));
			if (row.second() % 10 == 0) {
				svg.append(text((int) (left + row.second() * step), top + HEIGHT + 14, "middle",
						String.valueOf(row.second())));
			}
		}
		return svg
			.append(String.format(Locale.ROOT, "<path d=\"%s\" fill=\"none\" stroke=\"%s\" stroke-width=\"1.5\"/>\n",
					path, color))
			.toString();
	}

	private static String text(int x, int y, String anchor, String text) {
		return String.format(Locale.ROOT, "<text x=\"%d\" y=\"%d\" text-anchor=\"%s\">%s</text>\n", x, y, anchor, text);
	}

}
