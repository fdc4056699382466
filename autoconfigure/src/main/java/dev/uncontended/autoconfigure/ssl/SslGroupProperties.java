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

import java.util.List;
import java.util.function.Function;

import dev.uncontended.tls.engine.TlsEngine;

import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;
import org.springframework.boot.context.properties.source.InvalidConfigurationPropertyValueException;

/**
 * Configuration properties for the groups of TLS servers.
 *
 * @param groups Groups for key exchanges, by their IANA names. With TLS 1.3, the engine
 * 'boringssl' prefers them in this order. The engine 'jdk' follows the client's order and
 * requires Java 20 or later. By default, all groups that the JDK's properties permit;
 * with 'boringssl', X25519MLKEM768 first.
 */
@ConfigurationProperties("uncontended.ssl")
record SslGroupProperties(@DefaultValue List<String> groups) {

	/**
	 * Creates an engine with the groups.
	 * @throws InvalidConfigurationPropertyValueException if the engine refuses a group
	 */
	<T extends TlsEngine> T createEngine(Function<List<String>, T> factory) {
		try {
			return factory.apply(this.groups);
		}
		catch (IllegalArgumentException ex) {
			throw new InvalidConfigurationPropertyValueException("uncontended.ssl.groups", this.groups,
					ex.getMessage());
		}
	}

}
