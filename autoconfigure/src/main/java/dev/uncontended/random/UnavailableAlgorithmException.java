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

package dev.uncontended.random;

import dev.uncontended.random.internal.RandomAlgorithm;
import org.jspecify.annotations.Nullable;

/**
 * Thrown if a requested random number generator does not exist or does not work in this
 * JVM.
 */
public class UnavailableAlgorithmException extends IllegalArgumentException {

	private static final long serialVersionUID = 1L;

	/** The message without the available algorithms. */
	private final String description;

	/**
	 * Creates an exception.
	 * @param algorithm the name of the requested algorithm
	 * @param provider the name of the requested provider, or {@code null}
	 * @param reason why the algorithm is not available
	 * @param cause the cause, or {@code null}
	 */
	public UnavailableAlgorithmException(String algorithm, @Nullable String provider, String reason,
			@Nullable Throwable cause) {
		super(cause);
		this.description = "The SecureRandom algorithm '" + algorithm + "'"
				+ ((provider != null) ? " of the provider '" + provider + "'" : "") + " is not available: " + reason;
	}

	@Override
	public String getMessage() {
		return this.description + ". Available algorithms: " + RandomAlgorithm.available();
	}

	/**
	 * Returns the name of the requested algorithm and why it is not available.
	 * @return the message without the available algorithms
	 */
	public String getDescription() {
		return this.description;
	}

}
