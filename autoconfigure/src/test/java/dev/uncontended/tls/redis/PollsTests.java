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
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;

import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.Tag;
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
	void errorOfFailureHandlerDoesNotEndPolls() throws Exception {
		CountDownLatch runs = new CountDownLatch(3);
		try (Polls failing = new Polls(Duration.ofMinutes(1), () -> {
			runs.countDown();
			throw new IllegalStateException("of the test");
		}, (failure) -> {
			throw new StackOverflowError("of the test");
		})) {
			failing.start(Duration.ofMillis(1));
			assertThat(runs.await(1, TimeUnit.MINUTES)).isTrue();
		}
	}

	@Test
	void requestDuringPollIsNotLost() throws Exception {
		CountDownLatch runs = new CountDownLatch(3);
		AtomicReference<Runnable> request = new AtomicReference<>();
		try (Polls requested = new Polls(Duration.ofMinutes(1), () -> {
			runs.countDown();
			if (runs.getCount() > 0) {
				request.get().run();
			}
		}, (failure) -> {
		})) {
			request.set(requested::request);
			requested.start(Duration.ofHours(1));
			assertThat(runs.await(1, TimeUnit.MINUTES)).isTrue();
		}
	}

	/*
	 * The first poll connects.
	 */
	@Test
	@Tag("slow")
	void firstPollTakesLonger() throws Exception {
		BlockingQueue<String> failures = new LinkedBlockingQueue<>();
		CountDownLatch never = new CountDownLatch(1);
		try (Polls hanging = new Polls(Duration.ofSeconds(1), () -> {
			try {
				never.await();
			}
			catch (InterruptedException ex) {
				Thread.currentThread().interrupt();
			}
		}, (failure) -> failures.add(String.valueOf(failure.getMessage())))) {
			hanging.start(Duration.ofMillis(1));
			assertThat(failures.poll(1, TimeUnit.MINUTES)).isEqualTo("No answer within 4 s");
			assertThat(failures.poll(1, TimeUnit.MINUTES)).isEqualTo("No answer within 1 s");
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
