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

package dev.uncontended.cache;

import org.jspecify.annotations.Nullable;

/**
 * The timeouts of the entries that are held, by the time at which they were put: for each
 * entry the shortest that has been in force since.
 * <p>
 * So a shorter timeout applies to all, and a longer one to what is put from then on: it
 * brings nothing back, without anybody having to clear away first what has expired. And
 * as the timeouts never decrease from old entries to new, the order of the puts stays the
 * order of expiry whatever the timeout is changed to.
 * <p>
 * Immutable. The entries put since {@code since} have {@code timeout}; of those put
 * earlier, {@code earlier} knows.
 */
final class Timeouts {

	/**
	 * Nothing becomes that old.
	 */
	static final long NONE = Long.MAX_VALUE;

	private final long timeout;

	private final long since;

	private final @Nullable Timeouts earlier;

	Timeouts(long timeout) {
		this(timeout, 0, null);
	}

	private Timeouts(long timeout, long since, @Nullable Timeouts earlier) {
		this.timeout = timeout;
		this.since = since;
		this.earlier = earlier;
	}

	/**
	 * The timeout of what is put now, in nanoseconds.
	 */
	long current() {
		return this.timeout;
	}

	/**
	 * Whether an entry has expired by now. Reads the clock only if there is a timeout.
	 */
	boolean isExpired(long writeTime, Ticker ticker) {
		boolean unlimited = this.timeout == NONE && this.earlier == null;
		return !unlimited && isExpired(writeTime, ticker.read());
	}

	boolean isExpired(long writeTime, long now) {
		Timeouts valid = this;
		while (valid.earlier != null && writeTime - valid.since < 0) {
			valid = valid.earlier;
		}
		return now - writeTime >= valid.timeout;
	}

	/**
	 * The timeouts after a change at the given time.
	 */
	Timeouts changedTo(long timeout, long now) {
		long since = now;
		Timeouts rest = this;
		while (rest != null && rest.timeout >= timeout) {
			since = rest.since;
			rest = rest.earlier;
		}
		return new Timeouts(timeout, since, rest);
	}

	/**
	 * These timeouts without those under which everything had expired by the given time.
	 * Only for when all that has been removed: it would come back.
	 */
	Timeouts since(long now) {
		if (this.earlier == null) {
			return this;
		}
		boolean gone = now - this.since >= this.earlier.timeout;
		return new Timeouts(this.timeout, this.since, gone ? null : this.earlier.since(now));
	}

}
