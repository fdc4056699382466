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

import java.util.Arrays;

/**
 * Compares with zeros as many bytes at a time as the processor can.
 */
final class Zeros {

	private static final byte[] ZEROS = new byte[8192];

	private Zeros() {
	}

	static boolean contains(byte[] bytes) {
		for (int from = 0; from < bytes.length; from += ZEROS.length) {
			int to = Math.min(bytes.length, from + ZEROS.length);
			if (!Arrays.equals(bytes, from, to, ZEROS, 0, to - from)) {
				return false;
			}
		}
		return true;
	}

}
