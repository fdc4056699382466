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

package dev.uncontended.eventloops;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

import dev.uncontended.ChildJvm;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for event loops. BlockHound, which changes the JDK's classes, reports blocking
 * calls of {@link EventLoopApplication}.
 */
@Tag("product")
class EventLoopTests {

	private static final String NO_RESEED = "--uncontended.uuid.random.reseed-interval=0";

	@ParameterizedTest
	@ValueSource(strings = { "jdk", "boringssl" })
	void nothingBlocksEventLoops(String engine) throws Exception {
		assertThat(run("load", "--uncontended.ssl.engine=" + engine)).contains("detected=true", "blocked=0");
	}

	@Test
	void startedGeneratorsReadNothingWithoutReseeding() throws Exception {
		assertThat(run("without-integration", NO_RESEED)).contains("detected=true", "blocked=0");
	}

	@Test
	void failedDrawLeavesGeneratorUsable() throws Exception {
		assertThat(run("failure", NO_RESEED)).contains("detected=true", "failed=true", "blocked=1", "drawn=true");
	}

	private static String run(String... arguments) throws Exception {
		List<String> options = new ArrayList<>(
				List.of("-XX:+AllowRedefinitionToAddDeleteMethods", "-Djdk.attach.allowAttachSelf=true"));
		if (Runtime.version().feature() >= 21) {
			options.add("-XX:+EnableDynamicAgentLoading");
		}
		return ChildJvm.run(options, (entry) -> true, EventLoopApplication.class,
				Arrays.copyOf(arguments, arguments.length));
	}

}
