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
import java.util.Map;

import dev.uncontended.bench.Rounds;
import io.netty.handler.ssl.OpenSsl;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIf;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for {@link RollingRestart}.
 */
class RollingRestartTests {

	private static final List<String> RESULTS = List.of(RollingRestart.HEADER, "jdk\t0\t10\t6\t0\t1000\t2000\t",
			"jdk\t1\t10\t10\t1\t2000\t9000\tnode 1 stops", "jdk\t2\t10\t9\t0\t3000\t8000\t",
			"jdk\t3\t10\t8\t0\t2000\t7000\tnode 3 is back", "jdk\t4\t10\t7\t0\t1000\t3000\t");

	@Test
	void tableSeparatesTheRestart() {
		assertThat(RollingRestart.table(RESULTS).subList(2, 5)).containsExactly(
				"| JDK, each node's own | before: 1 | 10 | 60 | 1.0 to 1.0 | 2.0 to 2.0 | 0 |",
				"| JDK, each node's own | restart: 3 | 30 | 90 | 2.0 to 3.0 | 7.0 to 9.0 | 1 |",
				"| JDK, each node's own | after: 1 | 10 | 70 | 1.0 to 1.0 | 3.0 to 3.0 | 0 |");
	}

	@Test
	void tableEndsWithRestartThatLastedUntilTheEnd() {
		List<String> table = RollingRestart.table(RESULTS.subList(0, 5));
		assertThat(table).hasSize(4).last().asString().startsWith("| JDK, each node's own | restart: 3 | 30 |");
	}

	static boolean canRun() {
		return OpenSsl.isAvailable();
	}

	@Test
	@EnabledIf("canRun")
	@Tag("integration")
	@Tag("product")
	void sessionsResumeAndNoConnectionFailsDuringRestart() throws Exception {
		List<Map<String, String>> rows = Rounds.rows(RollingRestart.run(20, 25, 1, List.of("secret")));
		assertThat(rows).hasSize(25)
			.allSatisfy((row) -> assertThat(row).containsEntry("failed", "0").containsEntry("full", "0"));
		assertThat(rows).anySatisfy((row) -> assertThat(row.get("event")).contains("node 1 stops"));
	}

}
