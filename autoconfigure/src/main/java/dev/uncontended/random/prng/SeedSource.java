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

package dev.uncontended.random.prng;

/**
 * A source of entropy for generators.
 */
@FunctionalInterface
public interface SeedSource {

	/**
	 * Returns fresh entropy. The caller should wipe the returned array after use.
	 * @param length the number of bytes, at least 1
	 * @return a new array of this length
	 * @throws java.security.ProviderException if the source fails or its output fails a
	 * health test
	 */
	byte[] generate(int length);

}
