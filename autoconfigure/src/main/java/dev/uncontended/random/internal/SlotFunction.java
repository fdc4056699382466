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

package dev.uncontended.random.internal;

/**
 * Converts one slot of a {@link StripedPool} to a result. A slot is 128 random bits.
 *
 * @param <T> the type of the result
 */
@FunctionalInterface
public interface SlotFunction<T> {

	/**
	 * Converts two halves of a slot. The thread that draws a slot calls this method once
	 * for the slot. The function must not retain the bits except in its result. If the
	 * function throws an exception, the pool discards the slot and propagates the
	 * exception.
	 */
	T apply(long first, long second);

}
