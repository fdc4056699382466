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

import java.security.SecureRandom;
import java.time.Duration;
import java.util.List;

import dev.uncontended.tls.tickets.TicketKeyRotation;
import dev.uncontended.tls.tickets.TicketSecret;

/**
 * The options of a {@link RedisTicketKeySource}.
 *
 * @param secrets the secrets that protect ticket keys in Redis, at least one. The first
 * secret encrypts new ticket keys, and all secrets decrypt. Closing the source destroys
 * the secrets
 * @param rotation how long a ticket key encrypts and decrypts
 * @param keyPrefix the name prefix of the Redis hashes and channel
 * @param pollInterval the time between two periodic reads of Redis, at most half the
 * {@linkplain TicketKeyRotation#interval() rotation interval}
 * @param random the generator of ticket keys, ids and nonces
 */
public record RedisTicketKeyOptions(List<TicketSecret> secrets, TicketKeyRotation rotation, String keyPrefix,
		Duration pollInterval, SecureRandom random) {

	/**
	 * Returns the minimum time from adding a new key to Redis until nodes encrypt with it
	 * instead of an older key from Redis. All nodes read the new key in this time, even
	 * if one poll fails.
	 */
	Duration lead() {
		return this.pollInterval.multipliedBy(2);
	}

	/**
	 * Returns the time after which Redis deletes a hash that no node accesses. By then,
	 * all keys in the hash have expired.
	 */
	Duration timeToLive() {
		return this.rotation.interval().multipliedBy(2).plus(this.rotation.lifetime()).plus(lead());
	}

}
