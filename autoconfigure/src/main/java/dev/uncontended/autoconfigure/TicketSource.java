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

package dev.uncontended.autoconfigure;

import java.util.Locale;

import org.springframework.core.env.Environment;

/**
 * The sources of the keys that encrypt TLS session tickets. The property
 * {@value #PROPERTY} selects one of them.
 */
public enum TicketSource {

	/** Random keys of a single process. */
	LOCAL,

	/** Keys derived from a secret and the time. */
	SECRET,

	/** Random keys that nodes share through Redis. */
	REDIS;

	/** The name of the property that selects the source. */
	public static final String PROPERTY = "uncontended.ssl.tickets.source";

	/**
	 * Returns the configured source, by default {@link #LOCAL}. Ignores the case, dashes
	 * and underscores of the property's value.
	 * @throws org.springframework.boot.context.properties.bind.BindException if the value
	 * is not the name of a source
	 */
	public static TicketSource of(Environment environment) {
		return SingleProperty.get(environment, PROPERTY, TicketSource.class, LOCAL);
	}

	@Override
	public String toString() {
		return name().toLowerCase(Locale.ROOT);
	}

}
