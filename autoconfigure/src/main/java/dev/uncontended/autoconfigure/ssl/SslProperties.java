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

import dev.uncontended.autoconfigure.SslEngine;
import org.jspecify.annotations.Nullable;

import org.springframework.beans.factory.InitializingBean;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;
import org.springframework.boot.context.properties.source.InvalidConfigurationPropertyValueException;
import org.springframework.boot.convert.DurationUnit;

/**
 * Configuration properties for the TLS of servers.
 *
 * @param enabled Whether to manage the TLS of servers: the session cache, the engine,
 * ticket keys, counts of handshakes, and the endpoint. If false, servers use TLS as
 * without Uncontended.
 * @param engine TLS engine of the servers, by default the JDK's. 'boringssl' requires
 * Netty and its BoringSSL library on the class path. Set 'jdk' explicitly to prevent
 * Reactor Netty from selecting Netty's OpenSSL or BoringSSL.
 * @param groups Groups for key exchanges, by their IANA names. With TLS 1.3, the engine
 * 'boringssl' prefers them in this order. The engine 'jdk' follows the client's order and
 * requires Java 20 or later. By default, all groups that the JDK's properties permit;
 * with 'boringssl', also X25519MLKEM768.
 * @param sessionCache the session cache
 */
@ConfigurationProperties("uncontended.ssl")
record SslProperties(@DefaultValue("true") Boolean enabled, @Nullable SslEngine engine,
		@DefaultValue List<String> groups, @DefaultValue SessionCache sessionCache) implements InitializingBean {

	@Override
	public void afterPropertiesSet() {
		this.sessionCache.validate();
	}

	boolean usesBoringSsl() {
		return this.engine == SslEngine.BORINGSSL;
	}

	/**
	 * Configuration properties for the session cache.
	 *
	 * @param maximumSize Maximum number of sessions in the session cache, which all
	 * servers share, 0 to 2147483647. 0 means no limit.
	 * @param timeout Time after which a session in the session cache no longer resumes,
	 * in whole seconds, 0 to 2147483647. 0 means no limit.
	 * @param stateful Whether to keep sessions in the session cache instead of issuing
	 * stateless tickets. By default, true with the engine 'jdk'. The engine 'boringssl'
	 * always issues tickets.
	 */
	record SessionCache(@DefaultValue("20480") Integer maximumSize,
			@DefaultValue("24h") @DurationUnit(ChronoUnit.SECONDS) Duration timeout, @Nullable Boolean stateful) {

		void validate() {
			if (this.maximumSize < 0) {
				throw invalid("maximum-size", this.maximumSize,
						"must be from 0 to " + Integer.MAX_VALUE + "; 0 means no limit");
			}
			if (this.timeout.isNegative() || this.timeout.getSeconds() > Integer.MAX_VALUE
					|| this.timeout.getNano() != 0) {
				throw invalid("timeout", this.timeout,
						"must be a whole number of seconds from 0 to " + Integer.MAX_VALUE + "; 0 means no limit");
			}
		}

		private static InvalidConfigurationPropertyValueException invalid(String name, Object value, String rule) {
			return new InvalidConfigurationPropertyValueException("uncontended.ssl.session-cache." + name, value, rule);
		}

	}

}
