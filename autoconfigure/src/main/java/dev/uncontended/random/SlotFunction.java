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

/**
 * Makes something of the 128 bits of a slot.
 *
 * @param <T> what is made
 */
@FunctionalInterface
public interface SlotFunction<T> {

	/**
	 * Makes something of 128 random bits. Called once for each slot, on the thread that
	 * draws it; it must not keep the bits in any other way than in its result.
	 * @param first the first 64 bits
	 * @param second the other 64 bits
	 * @return what is made of them
	 */
	T apply(long first, long second);

}
