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

import dev.uncontended.tls.tickets.TicketKey;

/**
 * A decrypted ticket key from a Redis hash. Times are milliseconds since 1970 by Redis's
 * clock.
 *
 * @param id the name of the field
 * @param value the encrypted value of the field
 * @param end the last end of all sessions before the key was created
 * @param activation when the key starts to encrypt
 * @param expiry when the key stops decrypting if the next key is activated on time
 * @param key the key
 */
record SharedKey(String id, String value, End end, long activation, long expiry, TicketKey key) {

	/**
	 * Returns whether the key should remain in the Redis hash at Redis's time
	 * {@code now}. The result is {@code false} for expired keys, and for keys created
	 * while Redis's clock was far ahead.
	 */
	boolean isCurrent(long now) {
		return Math.abs(now - this.activation) < this.expiry - this.activation;
	}

}
