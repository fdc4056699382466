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

package dev.uncontended.tls.redis;

import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for {@link Polls}.
 */
class PollsTests {

	private final CompletableFuture<Boolean> running = new CompletableFuture<>();

	private final Polls polls = new Polls(Duration.ofMinutes(1), this::recordRunning, (failure) -> {
	});

	private void recordRunning() {
		this.running.complete(this.polls.isRunning());
	}

	@RepeatedTest(200)
	void isRunningDuringFirstPoll() throws Exception {
		try (this.polls) {
			this.polls.start(Duration.ofHours(1));
			assertThat(this.running.get(1, TimeUnit.MINUTES)).isTrue();
		}
	}

	@Test
	void isNotRunningAfterStop() {
		try (this.polls) {
			this.polls.start(Duration.ofHours(1));
			this.polls.stop(() -> {
			});
			assertThat(this.polls.isRunning()).isFalse();
		}
	}

}
