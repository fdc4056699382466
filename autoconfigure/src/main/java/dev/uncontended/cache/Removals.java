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

package dev.uncontended.cache;

import java.util.function.Consumer;

import org.jspecify.annotations.Nullable;

/**
 * The entries that one write to a cache removes or replaces, as a linked list of the
 * {@link Change} objects. {@link #close} reports them to the listener after the cache's
 * lock was released.
 *
 * @param <K> the type of the keys
 * @param <V> the type of the values
 */
final class Removals<K, V> implements AutoCloseable {

	private final Consumer<V> listener;

	@Nullable Change<K, V> head;

	@Nullable Change<K, V> tail;

	Removals(Consumer<V> listener) {
		this.listener = listener;
	}

	@Override
	public void close() {
		for (Change<K, V> change = this.head; change != null; change = change.next) {
			if (change.leaving != null) {
				this.listener.accept(change.leaving.value);
			}
		}
	}

}
