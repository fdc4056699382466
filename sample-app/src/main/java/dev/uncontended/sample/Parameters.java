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

package dev.uncontended.sample;

import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;

import org.jspecify.annotations.Nullable;

import org.springframework.http.HttpStatus;
import org.springframework.http.ProblemDetail;
import org.springframework.util.MultiValueMap;
import org.springframework.web.ErrorResponseException;

/**
 * Reads request parameters. A parameter that occurs more than once is invalid.
 */
final class Parameters {

	/**
	 * Stricter than Integer.parseInt, which accepts signs and the digits of every script.
	 */
	private static final Pattern WHOLE_NUMBER = Pattern.compile("[0-9]{1,9}");

	private final MultiValueMap<String, String> values;

	Parameters(MultiValueMap<String, String> values) {
		this.values = values;
	}

	String required(String name, String allowed) {
		String value = value(name, allowed);
		if (value == null) {
			throw invalid(name, null, allowed);
		}
		return value;
	}

	int wholeNumber(String name, int defaultValue, int minimum, int maximum) {
		String allowed = "a whole number from %d to %d".formatted(minimum, maximum);
		String value = value(name, allowed);
		if (value == null || value.isEmpty()) {
			return defaultValue;
		}
		int number = WHOLE_NUMBER.matcher(value).matches() ? Integer.parseInt(value) : -1;
		if (number < minimum || number > maximum) {
			throw invalid(name, value, allowed);
		}
		return number;
	}

	<T> T oneOf(String name, @Nullable String defaultValue, Map<String, T> choices) {
		String allowed = "one of " + choices.keySet().stream().sorted().toList();
		String value = value(name, allowed);
		if (value == null || value.isEmpty()) {
			value = defaultValue;
		}
		T choice = (value != null) ? choices.get(value) : null;
		if (choice == null) {
			throw invalid(name, value, allowed);
		}
		return choice;
	}

	private @Nullable String value(String name, String allowed) {
		List<String> given = this.values.getOrDefault(name, List.of());
		if (given.size() > 1) {
			throw invalid(name, String.join("' and '", given), allowed);
		}
		return given.isEmpty() ? null : given.get(0);
	}

	/**
	 * Returns an exception that is rendered as a problem detail with the valid values.
	 */
	private static ErrorResponseException invalid(String name, @Nullable String value, String allowed) {
		String detail = "Parameter '%s' must be %s, but was %s".formatted(name, allowed,
				(value != null) ? "'" + value + "'" : "missing");
		return new ErrorResponseException(HttpStatus.BAD_REQUEST,
				ProblemDetail.forStatusAndDetail(HttpStatus.BAD_REQUEST, detail), null);
	}

}
