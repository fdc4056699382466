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

import org.jspecify.annotations.Nullable;

import org.springframework.beans.factory.InitializingBean;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;
import org.springframework.boot.context.properties.source.InvalidConfigurationPropertyValueException;
import org.springframework.boot.convert.DurationUnit;

/**
 * Configuration properties for the TLS session cache.
 *
 * @param maximumSize Maximum number of sessions in the session cache, which all servers
 * share, 0 to 2147483647. 0 means no limit.
 * @param timeout Time after which a session no longer resumes, in whole seconds, 0 to
 * 2147483647. 0 means no limit.
 * @param stateful Whether to keep sessions in the server's memory instead of issuing
 * stateless tickets. The engine 'boringssl' always issues tickets.
 */
@ConfigurationProperties("uncontended.ssl.session-cache")
record SslSessionCacheProperties(@DefaultValue("20480") Integer maximumSize,
		@DefaultValue("24h") @DurationUnit(ChronoUnit.SECONDS) Duration timeout,
		@Nullable Boolean stateful) implements InitializingBean {

	@Override
	public void afterPropertiesSet() {
		if (this.maximumSize < 0) {
			throw invalid("maximum-size", this.maximumSize,
					"must be from 0 to " + Integer.MAX_VALUE + "; 0 means no limit");
		}
		if (this.timeout.isNegative() || this.timeout.getSeconds() > Integer.MAX_VALUE || this.timeout.getNano() != 0) {
			throw invalid("timeout", this.timeout,
					"must be a whole number of seconds from 0 to " + Integer.MAX_VALUE + "; 0 means no limit");
		}
	}

	private static InvalidConfigurationPropertyValueException invalid(String name, Object value, String rule) {
		return new InvalidConfigurationPropertyValueException("uncontended.ssl.session-cache." + name, value, rule);
	}

}
