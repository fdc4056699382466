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

package dev.uncontended.autoconfigure;

import java.io.File;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Function;
import java.util.stream.Stream;

import dev.uncontended.ChildJvm;
import dev.uncontended.autoconfigure.securerandom.SecureRandomAutoConfiguration;
import dev.uncontended.autoconfigure.uuid.UuidAutoConfiguration;
import dev.uncontended.uuid.NameUuidFactory;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledForJreRange;
import org.junit.jupiter.api.condition.JRE;
import org.junit.jupiter.api.io.TempDir;

import org.springframework.boot.WebApplicationType;
import org.springframework.boot.autoconfigure.ImportAutoConfiguration;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.task.SimpleAsyncTaskExecutor;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests that the commands in docs/diagnose.md find contention in an application that
 * creates UUIDs with the JDK, and none if it uses Uncontended.
 */
@Tag("integration")
@Tag("product")
class DiagnosisTests {

	private static final String UNCONTENDED = "--uncontended.secure-random.install=true";

	private static final String VIRTUAL = "--spring.threads.virtual.enabled=true";

	private static final int WITH_JDK = 2;

	private static final int WITH_UNCONTENDED = 3;

	@TempDir
	private Path directory;

	private Process application;

	@AfterEach
	void endApplication() {
		this.application.destroyForcibly();
	}

	@Test
	void commandsFindContentionOfJdk() throws Exception {
		start();
		Awaitility.await()
			.atMost(Duration.ofMinutes(1))
			.untilAsserted(() -> assertThat(diagnose()).isEqualTo(documented(WITH_JDK).limit(3).toList()));
	}

	@Test
	void commandsFindNoContentionOfUncontended() throws Exception {
		start(UNCONTENDED);
		assertThat(diagnose()).isEqualTo(documented(WITH_UNCONTENDED).limit(3).toList());
	}

	@Test
	@EnabledForJreRange(min = JRE.JAVA_25)
	void lastCommandFindsContentionOfVirtualThreads() throws Exception {
		start(VIRTUAL);
		Awaitility.await()
			.atMost(Duration.ofMinutes(1))
			.untilAsserted(() -> assertThat(run(commands().get(4))).isEqualTo(documented(WITH_JDK).toList().get(3)));
	}

	@Test
	@EnabledForJreRange(min = JRE.JAVA_25)
	void lastCommandFindsNoContentionOfVirtualThreadsWithUncontended() throws Exception {
		start(VIRTUAL, UNCONTENDED);
		assertThat(run(commands().get(4))).isEqualTo(documented(WITH_UNCONTENDED).toList().get(3));
	}

	private void start(String... arguments) throws IOException {
		this.application = ChildJvm.start(LoadedApplication.class, arguments);
		assertThat(this.application.inputReader().lines().anyMatch("loaded"::equals)).isTrue();
	}

	private List<String> diagnose() throws Exception {
		List<String> commands = commands();
		String blocked = run(commands.get(0));
		run(commands.get(1));
		return List.of(blocked, run(commands.get(2)), run(commands.get(3)));
	}

	/** Returns the last line of the output. */
	private String run(String command) throws Exception {
		ProcessBuilder builder = new ProcessBuilder("sh", "-c",
				command.replace("sleep 60", "sleep 2").replace("/tmp", this.directory.toString()))
			.redirectErrorStream(true);
		Map<String, String> environment = builder.environment();
		environment.put("PID", Long.toString(this.application.pid()));
		environment.merge("PATH", Path.of(System.getProperty("java.home"), "bin").toString(),
				(path, tools) -> tools + File.pathSeparator + path);
		Process process = builder.start();
		String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
		return withoutNumbers(output.lines().reduce("", (previous, line) -> line));
	}

	private static List<String> commands() throws IOException {
		String section = section();
		int start = section.indexOf("```shell\n") + 9;
		return section.substring(start, section.indexOf("```", start)).lines().toList();
	}

	/** Returns a column of the table of outputs. */
	private static Stream<String> documented(int column) throws IOException {
		return section().lines()
			.filter((line) -> line.startsWith("|"))
			.skip(2)
			.map((row) -> row.split("\\|")[column].replace("`", "").strip())
			.map(DiagnosisTests::withoutNumbers);
	}

	/** Replaces all numbers except zero. */
	private static String withoutNumbers(String output) {
		return output.replaceAll("[1-9][0-9.]*|0\\.[0-9]+", "N");
	}

	private static String section() throws IOException {
		String document = Files.readString(Path.of("../docs/diagnose.md"));
		int start = document.indexOf("\n## With a JDK\n");
		assertThat(start).isNotNegative();
		return document.substring(start, document.indexOf("\n## ", start + 1));
	}

	@Configuration(proxyBeanMethods = false)
	@ImportAutoConfiguration({ SecureRandomAutoConfiguration.class, UuidAutoConfiguration.class })
	static class LoadedApplication {

		private static final int THREADS = 32;

		public static void main(String[] arguments) throws IOException, InterruptedException {
			ConfigurableApplicationContext context = new SpringApplicationBuilder(LoadedApplication.class)
				.web(WebApplicationType.NONE)
				.run(arguments);
			boolean uncontended = context.getEnvironment().containsProperty("uncontended.secure-random.install");
			NameUuidFactory factory = context.getBean("md5NameUuidFactory", NameUuidFactory.class);
			CountDownLatch warm = new CountDownLatch(THREADS);
			boolean virtual = context.getEnvironment().containsProperty("spring.threads.virtual.enabled");
			SimpleAsyncTaskExecutor executor = new SimpleAsyncTaskExecutor();
			executor.setVirtualThreads(virtual);
			executor.setDaemon(true);
			// Platform threads leave processors to the commands, virtual threads to each
			// other.
			Runnable pause = virtual ? Thread::yield : () -> LockSupport.parkNanos(1_000_000);
			for (int i = 0; i < THREADS; i++) {
				executor
					.execute(() -> createUuids(uncontended ? factory::nameUuid : UUID::nameUUIDFromBytes, pause, warm));
			}
			warm.await();
			System.out.println("loaded");
			// Returns at the latest when the JVM of the test ends.
			System.in.read();
		}

		private static void createUuids(Function<byte[], UUID> names, Runnable pause, CountDownLatch warm) {
			UUID id = UUID.randomUUID();
			for (long i = 1; id.version() != 0; i++) {
				id = UUID.randomUUID();
				if (i % 10 == 0) {
					id = names.apply(id.toString().getBytes(StandardCharsets.US_ASCII));
				}
				if (i % 100 == 0) {
					pause.run();
				}
				if (i == 1_000) {
					warm.countDown();
				}
			}
		}

	}

}
