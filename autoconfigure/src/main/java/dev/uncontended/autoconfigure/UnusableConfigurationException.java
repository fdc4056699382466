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

import org.springframework.core.env.Environment;

/**
 * Thrown if the configuration is invalid or cannot take effect. Messages do not contain
 * secrets.
 */
public final class UnusableConfigurationException extends RuntimeException {

	private static final long serialVersionUID = 1L;

	private final String action;

	/**
	 * Creates an exception.
	 * @param message the problem, without a final period
	 * @param action what the user can do
	 */
	public UnusableConfigurationException(String message, String action) {
		super(message);
		this.action = action;
	}

	/**
	 * Returns the exception for a property that has changed since ahead-of-time
	 * processing, which has fixed the beans.
	 */
	public static UnusableConfigurationException changedSinceProcessing(Environment environment, String property) {
		return new UnusableConfigurationException(
				SingleProperty.describe(environment, property) + ", but ahead-of-time processing saw another value",
				"Repeat ahead-of-time processing with the current value, or restore the value.");
	}

	String getAction() {
		return this.action;
	}

}
