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
package dev.uncontended.tls.tickets.internal;

import java.security.SecureRandom;

import dev.uncontended.tls.tickets.TicketKey;

/**
 * A ticket key with its times, in nanoseconds of {@link TicketClock#elapsedNanos()}.
 *
 * @param key the key
 * @param activation when the key starts to encrypt; {@link #NEVER} if it only decrypts
 * @param expiry when the key stops decrypting, unless it still encrypts at that time;
 * {@link #UNKNOWN} if this time is not known yet
 */
public record ScheduledKey(TicketKey key, long activation, long expiry) {

	/**
	 * The activation of a key that only decrypts.
	 */
	public static final long NEVER = Long.MIN_VALUE;

	/**
	 * An expiry that is not known yet. It is later than any known expiry.
	 */
	public static final long UNKNOWN = Long.MAX_VALUE;

	/**
	 * Returns a random key whose expiry is not known yet.
	 */
	public static ScheduledKey generate(SecureRandom random, long activation) {
		return new ScheduledKey(TicketKey.generate(random), activation, UNKNOWN);
	}

	/**
	 * Returns whether this key has started to encrypt.
	 */
	public boolean isActivated(long now) {
		return this.activation != NEVER && this.activation <= now;
	}

	public ScheduledKey expiringBy(long latest) {
		return (this.expiry <= latest) ? this : new ScheduledKey(this.key, this.activation, latest);
	}

	public ScheduledKey decryptingOnly() {
		return new ScheduledKey(this.key, NEVER, this.expiry);
	}

}
