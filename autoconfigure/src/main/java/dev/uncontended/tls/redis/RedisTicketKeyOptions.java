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

import org.springframework.util.Assert;

/**
 * The options of a {@link RedisTicketKeySource}.
 *
 * @param secrets the secrets that protect ticket keys in Redis. The first secret encrypts
 * new ticket keys, and all secrets decrypt. Closing the source destroys the secrets
 * @param rotation how long a ticket key encrypts and decrypts
 * @param keyPrefix the name prefix of the Redis hashes and channel
 * @param pollInterval the time between two periodic reads of Redis
 * @param random the generator of ticket keys, ids and nonces
 */
public record RedisTicketKeyOptions(List<TicketSecret> secrets, TicketKeyRotation rotation, String keyPrefix,
		Duration pollInterval, SecureRandom random) {

	/**
	 * Creates options.
	 * @param secrets the secrets, at least one
	 * @param rotation how long a ticket key encrypts and decrypts
	 * @param keyPrefix the name prefix of the Redis hashes and channel
	 * @param pollInterval the time between two periodic reads of Redis
	 * @param random the generator of ticket keys, ids and nonces
	 * @throws IllegalArgumentException if there is no secret, if the prefix is blank, or
	 * if the poll interval is less than a millisecond or more than half the
	 * {@linkplain TicketKeyRotation#interval() rotation interval}
	 */
	public RedisTicketKeyOptions {
		Assert.notEmpty(secrets, "secrets must not be empty");
		Assert.hasText(keyPrefix, "keyPrefix must not be empty");
		Assert.isTrue(
				pollInterval.compareTo(Duration.ofMillis(1)) >= 0
						&& pollInterval.compareTo(rotation.interval().dividedBy(2)) <= 0,
				() -> "pollInterval must be from 1 millisecond to half the rotation interval " + rotation.interval()
						+ ", but was " + pollInterval);
		secrets = List.copyOf(secrets);
	}

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
