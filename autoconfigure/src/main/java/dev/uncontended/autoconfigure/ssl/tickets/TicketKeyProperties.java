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
package dev.uncontended.autoconfigure.ssl.tickets;

import java.time.Duration;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;

import dev.uncontended.autoconfigure.SingleProperty;
import dev.uncontended.autoconfigure.UnusableConfigurationException;
import dev.uncontended.tls.tickets.TicketKeyRotation;
import dev.uncontended.tls.tickets.TicketSecret;

import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;
import org.springframework.boot.context.properties.source.InvalidConfigurationPropertyValueException;
import org.springframework.boot.convert.DurationUnit;
import org.springframework.core.env.Environment;

/**
 * Configuration properties for the keys that encrypt TLS session tickets.
 *
 * @param source Source of the ticket keys. With 'secret' and 'redis', nodes resume each
 * other's sessions. Both require the engine 'boringssl' and a secret.
 * @param secrets Random secrets of at least 32 bytes, the same on all nodes. The first
 * secret protects new tickets. Tickets protected with any of the secrets are accepted.
 * @param generation Generation number of the secrets. To end all existing sessions
 * permanently, raise the number on all nodes, and never lower it.
 * @param rotationInterval Time during which a ticket key encrypts new tickets.
 * @param lifetime Time during which a ticket key still decrypts tickets after the next
 * key has replaced it.
 * @param redis the source 'redis'
 */
@ConfigurationProperties("uncontended.ssl.tickets")
record TicketKeyProperties(@DefaultValue("local") Source source, @DefaultValue List<String> secrets,
		@DefaultValue("0") Integer generation,
		@DefaultValue("12h") @DurationUnit(ChronoUnit.SECONDS) Duration rotationInterval,
		@DefaultValue("24h") @DurationUnit(ChronoUnit.SECONDS) Duration lifetime, @DefaultValue Redis redis) {

	static final String SOURCE = "uncontended.ssl.tickets.source";

	static final String SECRETS = "uncontended.ssl.tickets.secrets";

	private static final Duration DEFAULT_LIFETIME = Duration.ofHours(24);

	private static final String DEFAULT_KEY_PREFIX = "uncontended:tickets";

	TicketKeyRotation rotation() {
		requirePositive("rotation-interval", this.rotationInterval);
		requirePositive("lifetime", this.lifetime);
		try {
			return new TicketKeyRotation(this.rotationInterval, this.lifetime);
		}
		catch (IllegalArgumentException ex) {
			throw this.lifetime.equals(DEFAULT_LIFETIME) ? invalid("rotation-interval", this.rotationInterval,
					"must be at most 3650 days and at least 1/%d of 'uncontended.ssl.tickets.lifetime', which is '%s'"
						.formatted(TicketKeyRotation.MAXIMUM_INTERVALS, this.lifetime))
					: invalid("lifetime", this.lifetime,
							"must be at most 3650 days and %d times 'uncontended.ssl.tickets.rotation-interval', which is '%s'"
								.formatted(TicketKeyRotation.MAXIMUM_INTERVALS, this.rotationInterval));
		}
	}

	List<TicketSecret> secrets(Environment environment) {
		if (this.secrets.isEmpty()) {
			throw new UnusableConfigurationException(
					"%s, which requires a secret, but '%s' is empty%s".formatted(
							SingleProperty.describe(environment, SOURCE), SECRETS,
							SingleProperty.originOf(environment, SECRETS, 0)),
					"Set a random secret of at least %d bytes on all nodes, for example with 'openssl rand -base64 32'."
						.formatted(TicketSecret.MINIMUM_LENGTH));
		}
		if (this.generation < 0) {
			throw invalid("generation", this.generation, "must not be negative");
		}
		List<TicketSecret> result = new ArrayList<>();
		for (int i = 0; i < this.secrets.size(); i++) {
			result.add(secret(i, environment));
		}
		return result;
	}

	private TicketSecret secret(int index, Environment environment) {
		String secret = this.secrets.get(index);
		int first = this.secrets.indexOf(secret);
		if (first < index) {
			throw refused(index, environment, "it equals '%s[%d]'".formatted(SECRETS, first));
		}
		try {
			return new TicketSecret(secret, this.generation);
		}
		catch (IllegalArgumentException ex) {
			throw refused(index, environment, String.valueOf(ex.getMessage()));
		}
	}

	private static UnusableConfigurationException refused(int index, Environment environment, String reason) {
		return new UnusableConfigurationException(
				"'%s[%d]'%s is invalid: %s. Its value is not shown".formatted(SECRETS, index,
						SingleProperty.originOf(environment, SECRETS, index), reason),
				"Set a random secret of at least %d bytes, for example the output of 'openssl rand -base64 32'."
					.formatted(TicketSecret.MINIMUM_LENGTH));
	}

	private static void requirePositive(String name, Duration value) {
		if (value.compareTo(Duration.ofMillis(1)) < 0) {
			throw invalid(name, value, "must be positive, and at least one millisecond");
		}
	}

	private static InvalidConfigurationPropertyValueException invalid(String name, Object value, String rule) {
		return new InvalidConfigurationPropertyValueException("uncontended.ssl.tickets." + name, value, rule);
	}

	/**
	 * Omits the secrets.
	 */
	@Override
	public String toString() {
		return "TicketKeyProperties[source=" + this.source + "]";
	}

	/**
	 * The sources of the keys that encrypt session tickets.
	 */
	enum Source {

		/** Random keys of a single process. */
		LOCAL,

		/** Keys derived from a secret and the time. */
		SECRET,

		/** Random keys that nodes share through Redis. */
		REDIS

	}

	/**
	 * Configuration properties for the source 'redis'.
	 *
	 * @param keyPrefix Prefix of the names in Redis.
	 * @param pollInterval Interval at which each node reads Redis, at most half the
	 * rotation interval.
	 */
	record Redis(@DefaultValue(DEFAULT_KEY_PREFIX) String keyPrefix,
			@DefaultValue("5s") @DurationUnit(ChronoUnit.SECONDS) Duration pollInterval) {

		Redis {
			keyPrefix = keyPrefix.isBlank() ? DEFAULT_KEY_PREFIX : keyPrefix;
		}

		void validate(Duration rotationInterval) {
			requirePositive("redis.poll-interval", this.pollInterval);
			if (this.pollInterval.compareTo(rotationInterval.dividedBy(2)) > 0) {
				throw invalid("redis.poll-interval", this.pollInterval,
						"must be at most half the rotation interval " + rotationInterval);
			}
		}

	}

}
