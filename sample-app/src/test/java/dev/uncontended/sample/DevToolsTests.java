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

package dev.uncontended.sample;

import java.nio.file.Path;
import java.util.List;

import dev.uncontended.random.UncontendedProvider;
import io.micrometer.core.instrument.MeterRegistry;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

import org.springframework.boot.SpringApplication;
import org.springframework.boot.devtools.restart.Restarter;
import org.springframework.context.ConfigurableApplicationContext;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for a restart by Boot's developer tools, in a separate JVM because they restart
 * the main class.
 */
@Tag("integration")
@Tag("product")
class DevToolsTests {

	@Test
	void restartReplacesGenerators() throws Exception {
		Process process = new ProcessBuilder(Path.of(System.getProperty("java.home"), "bin", "java").toString(), "-cp",
				System.getProperty("java.class.path"), Application.class.getName())
			.redirectErrorStream(true)
			.start();
		List<String> output = process.inputReader().lines().toList();
		assertThat(process.waitFor()).as(() -> String.join("\n", output)).isZero();
		assertThat(output.stream().filter((line) -> line.startsWith("loader="))).hasSize(2)
			.allSatisfy((line) -> assertThat(line)
				.isEqualTo("loader=RestartClassLoader effective=true generators=1 caches=1"));
		assertThat(output).noneMatch((line) -> line.contains("WARN"));
	}

	static class Application {

		private static final String RESTARTED = "restarted";

		public static void main(String[] args) {
			ConfigurableApplicationContext context = SpringApplication.run(SampleApplication.class, "--server.port=0",
					"--sample.https-port=0", "--spring.devtools.livereload.enabled=false",
					"--uncontended.secure-random.install=true");
			MeterRegistry registry = context.getBean(MeterRegistry.class);
			System.out.println("loader=" + Application.class.getClassLoader().getClass().getSimpleName() + " effective="
					+ UncontendedProvider.isEffective() + " generators="
					+ registry.find("uuid.generated").tags("generator", "uuidGenerator", "version", "4").meters().size()
					+ " caches=" + registry.find("tls.sessions").tag("cache", "sslSessionCache").meters().size());
			if (System.getProperty(RESTARTED) == null) {
				System.setProperty(RESTARTED, "true");
				new Thread(() -> Restarter.getInstance().restart()).start();
			}
			else {
				System.exit(0);
			}
		}

	}

}
