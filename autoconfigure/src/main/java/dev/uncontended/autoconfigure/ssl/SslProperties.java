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
package dev.uncontended.autoconfigure.ssl;

import java.time.Duration;
import java.time.temporal.ChronoUnit;
import java.util.List;

import dev.uncontended.tls.tickets.TicketKeyRotation;
import dev.uncontended.tls.tickets.TicketSecret;
import org.jspecify.annotations.Nullable;

import org.springframework.beans.factory.InitializingBean;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;
import org.springframework.boot.context.properties.source.InvalidConfigurationPropertyValueException;
import org.springframework.boot.convert.DurationUnit;

/**
 * Configuration properties for the TLS of servers.
 *
 * @param engine TLS engine of the servers. 'boringssl' requires Netty and its BoringSSL
 * library on the class path.
 * @param groups Groups for key exchanges, by their IANA names. With TLS 1.3, the engine
 * 'boringssl' prefers them in this order. The engine 'jdk' follows the client's order and
 * requires Java 20 or later. By default, all groups that the JDK's properties permit;
 * with 'boringssl', also X25519MLKEM768.
 * @param sessionCache the session cache
 */
@ConfigurationProperties("uncontended.ssl")
record SslProperties(@DefaultValue("jdk") Engine engine, @DefaultValue List<String> groups,
		@DefaultValue SessionCache sessionCache) implements InitializingBean {

	/** The name of the property that selects the engine. */
	static final String ENGINE = "uncontended.ssl.engine";

	@Override
	public void afterPropertiesSet() {
		this.sessionCache.validate();
	}

	boolean usesBoringSsl() {
		return this.engine == Engine.BORINGSSL;
	}

	/** The TLS engines; BoringSSL runs through Netty. */
	enum Engine {

		JDK, BORINGSSL

	}

	static InvalidConfigurationPropertyValueException invalid(String name, Object value, String rule) {
		return new InvalidConfigurationPropertyValueException("uncontended.ssl." + name, value, rule);
	}

	/**
	 * Configuration properties for the session cache.
	 *
	 * @param maximumSize Maximum number of TLS sessions that can resume, for all servers
	 * together, 0 to 2147483647. 0 means no limit. A session takes at most 200 bytes.
	 * @param timeout Time after a full handshake during which its session can resume, in
	 * whole seconds, 0 to 2147483647. 0 means no limit by this property, but tickets last
	 * at most 7 days, except with BoringSSL and TLS 1.2. By default, 24 hours with
	 * BoringSSL, otherwise the timeout of the JDK or the server, at most 24 hours.
	 */
	record SessionCache(@DefaultValue("200000") Integer maximumSize,
			@DurationUnit(ChronoUnit.SECONDS) @Nullable Duration timeout) {

		void validate() {
			if (this.maximumSize < 0) {
				throw invalid("session-cache.maximum-size", this.maximumSize,
						"must be from 0 to " + Integer.MAX_VALUE + "; 0 means no limit");
			}
			Duration timeout = this.timeout;
			if (timeout != null
					&& (timeout.isNegative() || timeout.getSeconds() > Integer.MAX_VALUE || timeout.getNano() != 0)) {
				throw invalid("session-cache.timeout", timeout,
						"must be a whole number of seconds from 0 to " + Integer.MAX_VALUE + "; 0 means no limit");
			}
		}

	}

	/**
	 * Configuration properties for the keys that encrypt session tickets. They are bound
	 * for the engine 'boringssl' only.
	 *
	 * @param source Source of the ticket keys. With 'secret' and 'redis', nodes resume
	 * each other's sessions. Both require the engine 'boringssl' and a secret.
	 * @param secrets Random secrets of at least 32 bytes, the same on all nodes. The
	 * first secret protects new tickets. Tickets protected with any of the secrets are
	 * accepted.
	 * @param generation Generation number of the secrets. To end all existing sessions
	 * permanently, raise the number on all nodes, and never lower it.
	 * @param rotationInterval Time during which a ticket key encrypts new tickets, 1 ms
	 * to 3650 days.
	 * @param lifetime Time during which a ticket key still decrypts tickets after the
	 * next key has replaced it, 1 ms to 3650 days, and at most 256 rotation intervals.
	 * @param redis the source 'redis'
	 */
	@ConfigurationProperties("uncontended.ssl.tickets")
	record Tickets(@DefaultValue("local") Source source, @DefaultValue List<String> secrets,
			@DefaultValue("0") Integer generation,
			@DefaultValue("12h") @DurationUnit(ChronoUnit.SECONDS) Duration rotationInterval,
			@DefaultValue("24h") @DurationUnit(ChronoUnit.SECONDS) Duration lifetime, @DefaultValue Redis redis) {

		static final String SECRETS = "uncontended.ssl.tickets.secrets";

		private static final Duration DEFAULT_LIFETIME = Duration.ofHours(24);

		TicketKeyRotation rotation() {
			try {
				return new TicketKeyRotation(this.rotationInterval, this.lifetime);
			}
			catch (IllegalArgumentException ex) {
				// Boot describes a property only if it is set.
				throw this.lifetime.equals(DEFAULT_LIFETIME)
						? invalid("tickets.rotation-interval", this.rotationInterval, String.valueOf(ex.getMessage()))
						: invalid("tickets.lifetime", this.lifetime, String.valueOf(ex.getMessage()));
			}
		}

		/**
		 * Returns the different secrets.
		 * @throws InvalidConfigurationPropertyValueException if a secret is missing or
		 * invalid; it names the source, because Boot shows the value of the named
		 * property
		 */
		List<TicketSecret> validSecrets() {
			if (this.generation < 0) {
				throw invalid("tickets.generation", this.generation, "must not be negative");
			}
			try {
				if (this.secrets.isEmpty()) {
					throw new IllegalArgumentException("there is none");
				}
				return this.secrets.stream().distinct().map(TicketSecret::new).toList();
			}
			catch (IllegalArgumentException ex) {
				throw invalid("tickets.source", this.source,
						("requires random secrets of at least %d bytes in '%s',"
								+ " for example from 'openssl rand -base64 32', but %s")
							.formatted(TicketSecret.MINIMUM_LENGTH, SECRETS, ex.getMessage()));
			}
		}

		/**
		 * Omits the secrets.
		 */
		@Override
		public String toString() {
			return "Tickets[source=" + this.source + "]";
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
		 * @param pollInterval Interval at which each node reads Redis, at most 20 seconds
		 * and half the rotation interval, the same on all nodes.
		 */
		record Redis(@DefaultValue("uncontended:tickets") String keyPrefix,
				@DefaultValue("5s") @DurationUnit(ChronoUnit.SECONDS) Duration pollInterval) {

		}

	}

}
