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
 * The Levenshtein distance, for suggestions to correct a misspelled name.
 */
public final class EditDistance {

	private EditDistance() {
	}

	/**
	 * Returns the number of characters to insert, remove or replace.
	 */
	public static int of(String a, String b) {
		int[] row = new int[b.length() + 1];
		for (int j = 0; j <= b.length(); j++) {
			row[j] = j;
		}
		for (int i = 1; i <= a.length(); i++) {
			int diagonal = row[0];
			row[0] = i;
			for (int j = 1; j <= b.length(); j++) {
				int substitution = diagonal + ((a.charAt(i - 1) != b.charAt(j - 1)) ? 1 : 0);
				diagonal = row[j];
				row[j] = Math.min(substitution, Math.min(row[j], row[j - 1]) + 1);
			}
		}
		return row[b.length()];
	}

}
