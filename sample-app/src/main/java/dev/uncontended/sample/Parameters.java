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

import java.util.Map;

import org.jspecify.annotations.Nullable;

/**
 * Reads request parameters.
 */
final class Parameters {

	private Parameters() {
	}

	static String required(String name, @Nullable String value, String allowed) {
		if (value == null) {
			throw new InvalidParameterException(name, null, allowed);
		}
		return value;
	}

	static int wholeNumber(String name, String value, int minimum, int maximum) {
		try {
			int number = Integer.parseInt(value);
			if (number >= minimum && number <= maximum) {
				return number;
			}
		}
		catch (NumberFormatException ex) {
			// Told below like a number out of range
		}
		throw new InvalidParameterException(name, value, "a whole number from %d to %d".formatted(minimum, maximum));
	}

	static <T> T oneOf(String name, @Nullable String value, Map<String, T> allowed) {
		T choice = (value != null) ? allowed.get(value) : null;
		if (choice == null) {
			throw new InvalidParameterException(name, value, "one of " + allowed.keySet().stream().sorted().toList());
		}
		return choice;
	}

}
