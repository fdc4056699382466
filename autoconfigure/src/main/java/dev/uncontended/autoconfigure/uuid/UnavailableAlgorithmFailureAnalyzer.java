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

package dev.uncontended.autoconfigure.uuid;

import java.util.List;

import dev.uncontended.random.UnavailableAlgorithmException;

import org.springframework.boot.diagnostics.AbstractFailureAnalyzer;
import org.springframework.boot.diagnostics.FailureAnalysis;

/**
 * Names the property behind an {@link UnavailableAlgorithmException} and lists what this
 * JVM offers instead.
 */
class UnavailableAlgorithmFailureAnalyzer extends AbstractFailureAnalyzer<UnavailableAlgorithmException> {

	@Override
	protected FailureAnalysis analyze(Throwable rootFailure, UnavailableAlgorithmException cause) {
		String provider = cause.getProvider();
		List<String> providers = cause.getAvailableProviders();
		if (provider != null && !providers.contains(provider)) {
			return analysis(UuidProperties.Random.PROVIDER, provider, providers, cause);
		}
		return analysis(UuidProperties.Random.ALGORITHM, cause.getAlgorithm(), cause.getAvailableAlgorithms(), cause);
	}

	private static FailureAnalysis analysis(String property, String value, List<String> alternatives,
			UnavailableAlgorithmException cause) {
		return new FailureAnalysis(
				"Invalid value '%s' for configuration property '%s': %s".formatted(value, property, cause.getMessage()),
				"Set '%s' to one of %s, or leave it out.".formatted(property, String.join(", ", alternatives)), cause);
	}

}
