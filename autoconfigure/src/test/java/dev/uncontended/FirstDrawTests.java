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

import java.security.ProviderException;
import java.security.Security;
import java.time.Duration;
import java.util.List;
import java.util.UUID;

import dev.uncontended.random.internal.FaultyProvider;
import dev.uncontended.random.internal.FaultyProvider.Fault;
import dev.uncontended.uuid.UuidGenerator;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for the first draws of a JVM.
 */
@Tag("integration")
class FirstDrawTests {

	/**
	 * Flight Recorder takes hundreds of milliseconds to initialize, while other threads
	 * wait.
	 */
	@Test
	void loadsNoClassOfFlightRecorder() throws Exception {
		List<String> output = ChildJvm.run(List.of("-Xlog:class+load:stdout"), (entry) -> true, Draws.class)
			.lines()
			.toList();
		assertThat(output).contains("done").noneMatch((line) -> line.contains(" jdk.jfr."));
	}

	/** Includes slow and failing refills, and reseeds. */
	static final class Draws {

		private Draws() {
		}

		public static void main(String[] args) {
			UuidGenerator.builder().build().randomUuid();
			FaultyProvider provider = new FaultyProvider();
			provider.fail(Fault.SLOW);
			Security.addProvider(provider);
			UuidGenerator generator = UuidGenerator.builder()
				.algorithm(FaultyProvider.NAME)
				.stripes(1)
				.bufferSize(64)
				.reseedInterval(Duration.ofNanos(1))
				.build();
			generator.fill(new UUID[9]);
			provider.fail(Fault.THROWS_HALFWAY);
			try {
				generator.fill(new UUID[9]);
			}
			catch (ProviderException ex) {
				System.out.println("done");
			}
		}

	}

}
