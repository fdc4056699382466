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

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;

import dev.uncontended.bench.Rounds;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for {@link ResumptionCounts}.
 */
class ResumptionCountsTests {

	private static final List<String> RESULTS = List.of(ResumptionCounts.HEADER, "17\tTomcat\tGo\twithout\t20\t1\t0",
			"17\tTomcat\tcurl\twithout\t80\t9\t0", "17\tTomcat\tGo\tjdk\t20\t2\t0", "17\tTomcat\tcurl\tjdk\t80\t8\t0",
			"17\tJetty\tGo\twithout\t20\t5\t0", "17\tJetty\tGo\tjdk\t20\t6\t0", "25\tJetty\tGo\twithout\t20\t3\t0",
			"25\tJetty\tGo\tjdk\t20\t4\t0");

	@TempDir
	private Path directory;

	@Test
	void tableOfEachJavaHasLineForEachClientAndColumnForEachServer() {
		assertThat(ResumptionCounts.table(RESULTS)).containsExactly("Java 17:\n",
				"| client | connections | Tomcat | Jetty |", "|---|---|---|---|", "| Go | 20 | 1 / 2 | 5 / 6 |",
				"| curl | 80 | 9 / 8 |  |", "", "Java 25:\n", "| client | connections | Jetty |", "|---|---|---|",
				"| Go | 20 | 3 / 4 |", "");
	}

	@Test
	@Tag("integration")
	@Tag("product")
	void countsHandshakesOfServersWithAndWithoutUncontended() throws Exception {
		Path file = this.directory.resolve("results.tsv");
		List<String> results = ResumptionCounts.run("servers=tomcat", "clients=java_tls12,java_tls13",
				"results=" + file);
		assertThat(Files.readAllLines(file)).isEqualTo(results);
		List<Map<String, String>> rows = Rounds.rows(results);
		assertThat(rows).hasSize(4)
			.allSatisfy((row) -> assertThat(row).containsEntry("connections", "20")
				.containsEntry("full", "1")
				.containsEntry("retried", "0"));
		assertThat(rows).extracting((row) -> row.get("variant")).containsExactly("without", "without", "jdk", "jdk");
	}

}
