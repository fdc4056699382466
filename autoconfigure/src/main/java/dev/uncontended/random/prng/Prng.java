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
 * A pseudo-random number generator. Not thread-safe.
 */
public interface Prng {

	/**
	 * Fills an array with random bytes.
	 * @throws java.security.ProviderException if the generator fails
	 */
	void nextBytes(byte[] bytes);

	/**
	 * Mixes fresh entropy from the operating system into the state.
	 * @throws java.security.ProviderException if the entropy source fails
	 */
	void reseed();

	/**
	 * Mixes a seed into the state without replacing the state.
	 * @param seed any number of bytes, not modified
	 */
	void addSeed(byte[] seed);

	/**
	 * Wipes the state, except in a {@link JcaPrng}. The generator must not be used
	 * afterwards.
	 */
	void wipe();

}
