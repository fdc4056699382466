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
 * A key in the hash. Times are milliseconds since 1970, by the clock of Redis.
 *
 * @param id its field
 * @param value its sealed record
 * @param end the last end of all sessions when it was made; it is void after the next
 * @param activation from when it encrypts
 * @param expiry until when it decrypts
 * @param key the key
 */
record SharedKey(String id, String value, End end, long activation, long expiry, TicketKey key) {

	/**
	 * Returns whether the key belongs into the hash. If it does not, it has expired, or
	 * it was made while Redis's clock was far ahead.
	 */
	boolean isCurrent(long now) {
		return Math.abs(now - this.activation) < this.expiry - this.activation;
	}

}
