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

import java.io.EOFException;
import java.net.ConnectException;
import java.time.Duration;
import java.util.concurrent.TimeoutException;
import java.util.stream.Stream;

import dev.uncontended.tls.tickets.ManualTicketClock;
import dev.uncontended.tls.tickets.internal.TicketClock;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.dao.QueryTimeoutException;
import org.springframework.data.redis.RedisConnectionFailureException;
import org.springframework.data.redis.RedisSystemException;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.params.provider.Arguments.arguments;

/**
 * Tests for {@link TicketKeyLog}.
 */
@ExtendWith(OutputCaptureExtension.class)
class TicketKeyLogTests {

	private final ManualTicketClock clock = new ManualTicketClock();

	@ParameterizedTest
	@MethodSource("failures")
	void describesFailure(Throwable failure, String description) {
		assertThat(new TicketKeyLog(TicketClock.system()).failed(failure)).isEqualTo(description);
	}

	@Test
	void logsFailureOnce(CapturedOutput output) {
		TicketKeyLog log = new TicketKeyLog(this.clock);
		for (int i = 0; i < 10; i++) {
			log.failed(new TimeoutException("No answer"));
			this.clock.advance(Duration.ofSeconds(30));
		}
		log.reached(null);
		log.reached(null);
		assertThat(output).containsOnlyOnce("No answer").containsOnlyOnce("again");
	}

	@Test
	void logsRepeatedFailureAndRecoveryOnceAMinute(CapturedOutput output) {
		TicketKeyLog log = new TicketKeyLog(this.clock);
		for (int i = 0; i < 30; i++) {
			log.failed(new TimeoutException("No answer"));
			log.reached(null);
			this.clock.advance(Duration.ofSeconds(2));
		}
		assertThat(output).containsOnlyOnce("No answer").containsOnlyOnce("again");
		log.failed(new TimeoutException("No answer"));
		assertThat(output.toString().split("No answer")).hasSize(3);
	}

	/**
	 * Both the poll and the driver have a timeout.
	 */
	@Test
	void logsAlternatingFailuresOnceAMinute(CapturedOutput output) {
		TicketKeyLog log = new TicketKeyLog(this.clock);
		for (int i = 0; i < 10; i++) {
			log.failed(new TimeoutException("No answer"));
			log.reached(null);
			log.failed(new QueryTimeoutException("Command timed out"));
			log.reached(null);
			log.failed(reply("LOADING Redis is loading the dataset in memory"));
			log.reached(null);
			this.clock.advance(Duration.ofSeconds(6));
		}
		assertThat(output).containsOnlyOnce("No answer")
			.containsOnlyOnce("LOADING")
			.doesNotContain("Command timed out");
		log.failed(new QueryTimeoutException("Command timed out"));
		assertThat(output).containsOnlyOnce("Command timed out");
	}

	@Test
	void logsOtherCauseAfterMinute(CapturedOutput output) {
		TicketKeyLog log = new TicketKeyLog(this.clock);
		log.failed(new TimeoutException("No answer"));
		log.failed(failure(new ConnectException("Connection refused")));
		assertThat(output).doesNotContain("Connection refused");
		this.clock.advance(Duration.ofMinutes(1));
		log.failed(failure(new ConnectException("Connection refused")));
		assertThat(output).containsOnlyOnce("Connection refused");
	}

	@Test
	void logsOtherFailureImmediately(CapturedOutput output) {
		TicketKeyLog log = new TicketKeyLog(this.clock);
		log.failed(new TimeoutException("No answer"));
		log.failed(reply("WRONGPASS invalid username-password pair"));
		assertThat(output).containsOnlyOnce("Failed to authenticate to Redis");
	}

	static Stream<Arguments> failures() {
		String unreachable = "Failed to reach Redis";
		String unauthenticated = "Failed to authenticate to Redis";
		String right = "The Redis user lacks a required right (NOPERM)";
		String refused = "Redis refused a command or the connection";
		String other = "Failed to exchange keys with Redis";
		return Stream.of(arguments(new TimeoutException("No answer within 3 s"), unreachable),
				arguments(new QueryTimeoutException("Command timed out"), unreachable),
				arguments(failure(new ConnectException("Connection refused")), unreachable),
				arguments(failure(new EOFException("SSL peer shut down incorrectly")), unreachable),
				arguments(reply("WRONGPASS invalid username-password pair"), unauthenticated),
				arguments(reply("NOAUTH Authentication required."), unauthenticated),
				arguments(reply("ERR invalid password"), unauthenticated),
				arguments(reply("ERR Client sent AUTH, but no password is set"), unauthenticated),
				arguments(reply("ERR AUTH <password> called without any password configured"), unauthenticated),
				arguments(reply("NOPERM this user has no permissions to run the 'evalsha' command"), right),
				arguments(reply("ERR The user executing the script can't run this command or subcommand"), right),
				arguments(reply("ERR The user executing the script can't access at least one of the keys"), right),
				arguments(reply("READONLY You can't write against a read only replica."), refused),
				arguments(new OutOfMemoryError("Java heap space"), other),
				arguments(new IllegalStateException(), other));
	}

	private static Exception failure(Exception cause) {
		return new RedisConnectionFailureException("Unable to connect to Redis", cause);
	}

	private static Exception reply(String message) {
		return new RedisSystemException("Error in execution", new IllegalStateException(message));
	}

}
