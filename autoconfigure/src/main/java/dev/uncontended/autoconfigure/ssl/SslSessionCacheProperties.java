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

import org.springframework.beans.factory.InitializingBean;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.source.InvalidConfigurationPropertyValueException;
import org.springframework.boot.convert.DurationUnit;

/**
 * Properties of the TLS session cache. An empty value is none: the binder passes over one
 * that it cannot convert to an object, so setters take no primitive types.
 */
@ConfigurationProperties("uncontended.ssl.session-cache")
class SslSessionCacheProperties implements InitializingBean {

	static final String STATEFUL = "uncontended.ssl.session-cache.stateful";

	/**
	 * Whether the TLS session cache is provided.
	 */
	private boolean enabled = true;

	/**
	 * Number of sessions that each server's context holds, 0 to 2147483647; 0 means no
	 * limit.
	 */
	private int maximumSize = 20_480;

	/**
	 * Time after which a session no longer resumes, in whole seconds, 0 to 2147483647; 0
	 * means no limit.
	 */
	@DurationUnit(ChronoUnit.SECONDS)
	private Duration timeout = Duration.ofHours(24);

	/**
	 * Whether sessions are kept in memory instead of handing out stateless tickets. With
	 * the engine 'boringssl', sessions of TLS 1.3 do not resume then.
	 */
	private boolean stateful;

	public boolean isEnabled() {
		return this.enabled;
	}

	public void setEnabled(Boolean enabled) {
		this.enabled = enabled;
	}

	public int getMaximumSize() {
		return this.maximumSize;
	}

	public void setMaximumSize(Integer maximumSize) {
		this.maximumSize = maximumSize;
	}

	public Duration getTimeout() {
		return this.timeout;
	}

	public void setTimeout(Duration timeout) {
		this.timeout = timeout;
	}

	public boolean isStateful() {
		return this.stateful;
	}

	public void setStateful(Boolean stateful) {
		this.stateful = stateful;
	}

	/**
	 * Checks the values against their ranges.
	 * @throws InvalidConfigurationPropertyValueException if a value is out of range
	 */
	@Override
	public void afterPropertiesSet() {
		if (this.maximumSize < 0) {
			throw new InvalidConfigurationPropertyValueException("uncontended.ssl.session-cache.maximum-size",
					this.maximumSize, "must be from 0 to " + Integer.MAX_VALUE + "; 0 means no limit");
		}
		if (this.timeout.isNegative() || this.timeout.getSeconds() > Integer.MAX_VALUE || this.timeout.getNano() != 0) {
			throw new InvalidConfigurationPropertyValueException("uncontended.ssl.session-cache.timeout", this.timeout,
					"must be a whole number of seconds from 0 to " + Integer.MAX_VALUE + "; 0 means no limit");
		}
	}

}
