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

import java.security.Provider;
import java.security.Security;
import java.util.ArrayList;
import java.util.List;

import org.jspecify.annotations.Nullable;

/**
 * Thrown if a requested random number generator does not exist or does not work in this
 * JVM. The message lists the algorithms that the JVM offers.
 */
public class UnavailableAlgorithmException extends IllegalArgumentException {

	private static final long serialVersionUID = 1L;

	/**
	 * Creates an exception.
	 * @param algorithm the name of the requested algorithm
	 * @param provider the name of the requested provider, or {@code null}
	 * @param reason why the algorithm is not available
	 * @param cause the cause, or {@code null}
	 */
	public UnavailableAlgorithmException(String algorithm, @Nullable String provider, String reason,
			@Nullable Throwable cause) {
		super("The SecureRandom algorithm '" + algorithm + "'"
				+ ((provider != null) ? " of the provider '" + provider + "'" : "") + " is not available: " + reason
				+ ". Available algorithms: " + offered(), cause);
	}

	/**
	 * Does not create generators, because those of other providers may block.
	 */
	private static List<String> offered() {
		List<String> offered = new ArrayList<>();
		offered.add(UncontendedProvider.CTR_DRBG + " of " + UncontendedProvider.NAME);
		for (Provider provider : Security.getProviders()) {
			for (Provider.Service service : provider.getServices()) {
				if (service.getType().equals("SecureRandom") && !provider.getName().equals(UncontendedProvider.NAME)) {
					offered.add(service.getAlgorithm() + " of " + provider.getName());
				}
			}
		}
		return offered;
	}

}
