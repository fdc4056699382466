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

import java.util.ArrayList;
import java.util.List;

import org.jspecify.annotations.Nullable;

/**
 * Gathers what one operation removes while it holds a lock, and tells the listener once
 * the operation has let go of it.
 *
 * @param <K> the type of the keys
 * @param <V> the type of the values
 */
final class Removals<K, V> {

	private static final Removals<?, ?> UNHEARD = new Removals<>(null, List.of());

	private final @Nullable RemovalListener<K, V> listener;

	private final List<Removal<K, V>> removals;

	private Removals(@Nullable RemovalListener<K, V> listener, List<Removal<K, V>> removals) {
		this.listener = listener;
		this.removals = removals;
	}

	/**
	 * Starts gathering; where there is no listener, everybody shares one instance that
	 * gathers nothing.
	 */
	@SuppressWarnings("unchecked")
	static <K, V> Removals<K, V> forListener(@Nullable RemovalListener<K, V> listener) {
		return (listener != null) ? new Removals<>(listener, new ArrayList<>(2)) : (Removals<K, V>) UNHEARD;
	}

	void add(K key, V value, RemovalCause cause) {
		if (this.listener != null) {
			this.removals.add(new Removal<>(key, value, cause));
		}
	}

	void announce() {
		if (this.listener != null) {
			for (Removal<K, V> removal : this.removals) {
				this.listener.onRemoval(removal.key, removal.value, removal.cause);
			}
			this.removals.clear();
		}
	}

	private record Removal<K, V>(K key, V value, RemovalCause cause) {
	}

}
