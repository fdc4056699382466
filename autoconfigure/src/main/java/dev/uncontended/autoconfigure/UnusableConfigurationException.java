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

	String getAction() {
		return this.action;
	}

}
