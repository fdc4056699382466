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

import java.io.IOException;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.TimeoutException;
import java.util.regex.Pattern;

import dev.uncontended.tls.tickets.internal.TicketClock;
import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;
import org.jspecify.annotations.Nullable;

import org.springframework.core.NestedExceptionUtils;
import org.springframework.dao.QueryTimeoutException;
import org.springframework.data.redis.RedisConnectionFailureException;

/**
 * The log messages of a {@link RedisTicketKeySource}. Thread-safe.
 * <p>
 * Logs a failure to use Redis when it begins, when its description or its cause changes,
 * and when it ends. Logs each description at most once a minute, even if failures and
 * recoveries alternate. Logs the number of invalid records removed from Redis, at most
 * once a minute.
 */
final class TicketKeyLog {

	private static final Log logger = LogFactory.getLog(RedisTicketKeySource.class);

	private static final long MINUTE = Duration.ofMinutes(1).toNanos();

	/** Matches Redis's error replies, which start with a code such as NOPERM. */
	private static final Pattern ERROR_REPLY = Pattern.compile("[A-Z]{2,} .*", Pattern.DOTALL);

	private static final Pattern AUTHENTICATION = Pattern
		.compile("(WRONGPASS|NOAUTH|ERR invalid password|ERR (Client sent )?AUTH).*", Pattern.DOTALL);

	private static final Pattern PERMISSION = Pattern
		.compile("(NOPERM|ERR The user executing the script can't (run|access)).*", Pattern.DOTALL);

	private final TicketClock clock;

	/** The description of the failure that is logged and has not ended. */
	private @Nullable String failure;

	/** The last line of each description. */
	private final Map<String, Line> lines = new HashMap<>();

	private long rejected;

	private @Nullable Long rejectedLogged;

	TicketKeyLog(TicketClock clock) {
		this.clock = clock;
	}

	/** Logs that Redis has been read, or the problem with what has been read. */
	synchronized void reached(@Nullable String problem) {
		if (problem != null) {
			failed(problem, problem);
		}
		else if (this.failure != null) {
			this.failure = null;
			logger.info("Reading TLS ticket keys from Redis again");
		}
	}

	/** Logs a failure if it is news, and returns its description. */
	synchronized String failed(Throwable ex) {
		Throwable cause = NestedExceptionUtils.getMostSpecificCause(ex);
		String failure = describe(ex, cause);
		failed(failure, failure + "; continuing with the known TLS ticket keys: " + cause);
		return failure;
	}

	private void failed(String failure, String text) {
		long now = this.clock.elapsedNanos();
		Line line = new Line(text, now);
		Line last = this.lines.get(failure);
		boolean news = last == null || !failure.equals(this.failure) || !line.text().equals(last.text());
		if (news && (last == null || now - last.nanos() >= MINUTE)) {
			this.failure = failure;
			this.lines.put(failure, line);
			logger.warn(line.text());
		}
	}

	private static String describe(Throwable ex, Throwable cause) {
		if (isReply(cause)) {
			return describeReply(String.valueOf(cause.getMessage()));
		}
		if (ex instanceof RedisConnectionFailureException || ex instanceof QueryTimeoutException
				|| cause instanceof IOException || cause instanceof TimeoutException) {
			return "Failed to reach Redis";
		}
		return "Failed to exchange keys with Redis";
	}

	private static String describeReply(String message) {
		if (AUTHENTICATION.matcher(message).matches()) {
			return "Failed to authenticate to Redis";
		}
		return PERMISSION.matcher(message).matches() ? "The Redis user lacks a required right (NOPERM)"
				: "Redis refused a command or the connection";
	}

	static boolean isReply(Throwable ex) {
		Throwable cause = NestedExceptionUtils.getMostSpecificCause(ex);
		return !(cause instanceof IOException) && cause.getMessage() != null
				&& ERROR_REPLY.matcher(cause.getMessage()).matches();
	}

	synchronized void rejected(int count) {
		this.rejected += count;
		long now = this.clock.elapsedNanos();
		if (this.rejected > 0 && (this.rejectedLogged == null || now - this.rejectedLogged >= MINUTE)) {
			logger.warn("Removed " + this.rejected + " invalid TLS ticket key records from Redis. They were not written"
					+ " by a node with this secret. Check which other programs write under the key prefix.");
			this.rejected = 0;
			this.rejectedLogged = now;
		}
	}

	private record Line(String text, long nanos) {

	}

}
