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

import java.util.Locale;
import java.util.stream.Collectors;

import dev.uncontended.autoconfigure.EditDistance;
import dev.uncontended.autoconfigure.SingleProperty;
import dev.uncontended.random.UnavailableAlgorithmException;
import dev.uncontended.random.internal.RandomAlgorithm;
import org.jspecify.annotations.Nullable;

import org.springframework.boot.diagnostics.AbstractFailureAnalyzer;
import org.springframework.boot.diagnostics.FailureAnalysis;
import org.springframework.core.env.Environment;

/**
 * Analyzes an {@link UnavailableAlgorithmException}. Lists the pairs of algorithm and
 * provider that work in this JVM.
 */
class UnavailableAlgorithmFailureAnalyzer extends AbstractFailureAnalyzer<UnavailableAlgorithmException> {

	private static final String ALGORITHM = "uncontended.uuid.random.algorithm";

	private static final String PROVIDER = "uncontended.uuid.random.provider";

	/** Enough for two swapped letters. */
	private static final int MAXIMUM_EDITS = 2;

	private final Environment environment;

	UnavailableAlgorithmFailureAnalyzer(Environment environment) {
		this.environment = environment;
	}

	@Override
	protected @Nullable FailureAnalysis analyze(Throwable rootFailure, UnavailableAlgorithmException cause) {
		if (!this.environment.containsProperty(ALGORITHM) && !this.environment.containsProperty(PROVIDER)) {
			return null; // The application built the generator itself
		}
		String description = "%s.%n%n    %s%n    %s".formatted(cause.getDescription(),
				SingleProperty.describe(this.environment, ALGORITHM),
				SingleProperty.describe(this.environment, PROVIDER));
		String pairs = RandomAlgorithm.available()
			.stream()
			.map((pair) -> "    algorithm: %s, provider: %s".formatted(pair.name(), pair.provider()))
			.collect(Collectors.joining(System.lineSeparator()));
		return new FailureAnalysis(description,
				"%sSet both '%s' and '%s' to one of these pairs, which work in this JVM:%n%n%s".formatted(suggestion(),
						ALGORITHM, PROVIDER, pairs),
				cause);
	}

	private String suggestion() {
		String algorithm = SingleProperty.get(this.environment, ALGORITHM, String.class, "").toUpperCase(Locale.ROOT);
		return RandomAlgorithm.available().stream().map(RandomAlgorithm::name).filter((name) -> {
			int edits = EditDistance.of(algorithm, name.toUpperCase(Locale.ROOT));
			return edits > 0 && edits <= MAXIMUM_EDITS;
		}).findFirst().map("Did you mean '%s'? "::formatted).orElse("");
	}

}
