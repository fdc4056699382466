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

package dev.uncontended;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.ProviderException;
import java.security.Security;
import java.time.Duration;
import java.util.List;
import java.util.UUID;
import java.util.stream.Stream;

import dev.uncontended.random.internal.FaultyProvider;
import dev.uncontended.random.internal.FaultyProvider.Fault;
import dev.uncontended.tls.session.SslSessionCache;
import dev.uncontended.uuid.UuidGenerator;
import jdk.jfr.Recording;
import jdk.jfr.consumer.RecordedEvent;
import jdk.jfr.consumer.RecordingFile;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for events in a JVM that has not initialized Flight Recorder.
 */
@Tag("integration")
class FlightRecorderTests {

	private static final String[] EVENTS = { "Refill null", "Reseed", "Refill null",
			"Refill java.security.ProviderException", "SessionsEnd" };

	@Test
	void nothingInitializesFlightRecorderWithoutRecording() throws Exception {
		List<String> output = run(Unrecorded.class);
		assertThat(output).contains("done");
		assertThat(output.stream().filter((line) -> line.contains(" jdk.jfr."))).singleElement()
			.asString()
			.contains(" jdk.jfr.FlightRecorder ");
	}

	@Test
	void earlierRecordingContainsAllEvents() throws Exception {
		assertThat(run(RecordedFirst.class)).containsSubsequence(EVENTS);
	}

	@Test
	void laterRecordingContainsAllLaterEvents() throws Exception {
		assertThat(run(RecordedLater.class)).containsSubsequence(EVENTS);
	}

	private static List<String> run(Class<?> main) throws Exception {
		return ChildJvm.run(List.of("-Xlog:class+load:stdout"), (entry) -> true, main).lines().toList();
	}

	private static void causeEvents() {
		try (UuidGenerator generator = UuidGenerator.builder().build()) {
			generator.randomUuid();
		}
		FaultyProvider provider = new FaultyProvider();
		provider.fail(Fault.SLOW);
		Security.addProvider(provider);
		try (UuidGenerator generator = UuidGenerator.builder()
			.algorithm(FaultyProvider.NAME)
			.stripes(1)
			.bufferSize(64)
			.reseedInterval(Duration.ofNanos(1))
			.build()) {
			generator.seed();
			generator.fill(new UUID[5]);
			provider.fail(Fault.THROWS_HALFWAY);
			generator.fill(new UUID[4]);
			throw new IllegalStateException("The refill did not fail");
		}
		catch (ProviderException ex) {
			SslSessionCache.builder().build().endAll();
		}
		finally {
			Security.removeProvider(provider.getName());
		}
	}

	private static void record(Runnable action) throws IOException {
		Path file = Files.createTempFile("events", ".jfr");
		try (Recording recording = new Recording()) {
			Stream.of("Refill", "Reseed", "SessionsEnd")
				.forEach((event) -> recording.enable("dev.uncontended." + event));
			recording.start();
			action.run();
			recording.stop();
			recording.dump(file);
		}
		RecordingFile.readAllEvents(file).stream().map(FlightRecorderTests::describe).forEach(System.out::println);
		Files.delete(file);
	}

	private static String describe(RecordedEvent event) {
		String name = event.getEventType().getName().replace("dev.uncontended.", "");
		return event.hasField("failure") ? name + " " + event.getString("failure") : name;
	}

	static final class Unrecorded {

		private Unrecorded() {
		}

		public static void main(String[] args) {
			causeEvents();
			System.out.println("done");
		}

	}

	static final class RecordedFirst {

		private RecordedFirst() {
		}

		public static void main(String[] args) throws IOException {
			record(FlightRecorderTests::causeEvents);
		}

	}

	static final class RecordedLater {

		private RecordedLater() {
		}

		public static void main(String[] args) throws IOException {
			causeEvents();
			record(FlightRecorderTests::causeEvents);
		}

	}

}
