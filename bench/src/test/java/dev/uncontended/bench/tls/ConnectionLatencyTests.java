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

import io.netty.handler.ssl.OpenSsl;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIf;
import org.junit.jupiter.api.io.TempDir;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for {@link ConnectionLatency}, with a few connections to each server.
 */
@EnabledIf("canRun")
@Tag("integration")
@Tag("product")
class ConnectionLatencyTests {

	@TempDir
	private static Path directory;

	private static List<String[]> results = List.of();

	private static List<String> table = List.of();

	static boolean canRun() {
		return OpenSsl.isAvailable() && ServerProcess.isInstalled("nginx");
	}

	@BeforeAll
	static void measure() throws Exception {
		Path file = directory.resolve("results.tsv");
		table = ConnectionLatency.run("variants=boringssl", "kinds=full,resumed,hybrid", "rate=20", "seconds=1",
				"warm-up=1", "rounds=1", "results=" + file);
		results = Files.readAllLines(file).stream().skip(1).map((line) -> line.split("\t", -1)).toList();
		assertThat(ConnectionLatency.table(Files.readAllLines(file))).isEqualTo(table);
	}

	@Test
	void measuresEachServerWithEachKindOfConnection() {
		assertThat(results.stream().map((cells) -> cells[1] + ", " + cells[3])).containsExactly("nginx, full",
				"nginx, resumed", "Tomcat, full", "Tomcat, resumed", "Tomcat, hybrid", "Jetty, full", "Jetty, resumed",
				"Jetty, hybrid", "Reactor Netty, full", "Reactor Netty, resumed", "Reactor Netty, hybrid");
		assertThat(table).hasSize(results.size() + 2);
	}

	@Test
	void opensTheSameConnectionsToEachServer() {
		assertThat(results.stream().map((cells) -> cells[9]).distinct()).singleElement()
			.satisfies((connections) -> assertThat(Integer.parseInt(connections)).isBetween(5, 40));
		assertThat(results).allSatisfy((cells) -> assertThat(cells[11]).as(cells[18]).isEqualTo("0"));
	}

	@Test
	void resumesSessionsOfReturningClientsOnly() {
		assertThat(results)
			.allSatisfy((cells) -> assertThat(cells[10]).isEqualTo(cells[3].equals("resumed") ? cells[9] : "0"));
	}

}
