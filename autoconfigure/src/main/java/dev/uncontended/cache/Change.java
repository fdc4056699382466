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

import java.util.Map;

import org.jspecify.annotations.Nullable;

/**
 * Adds, removes or replaces one entry of a {@link LazyExpiryCache}.
 *
 * @param <K> the type of the keys
 * @param <V> the type of the values
 */
final class Change<K, V> {

	final @Nullable Entry<K, V> entering;

	final @Nullable Entry<K, V> leaving;

	final RemovalCause cause;

	@Nullable Change<K, V> next;

	Change(@Nullable Entry<K, V> entering, @Nullable Entry<K, V> leaving, RemovalCause cause) {
		this.entering = entering;
		this.leaving = leaving;
		this.cause = cause;
	}

	void applyTo(Map<K, Entry<K, V>> map) {
		if (this.entering != null) {
			map.put(this.entering.key, this.entering);
		}
		else if (this.leaving != null) {
			map.remove(this.leaving.key, this.leaving);
		}
	}

	boolean isAppliedTo(Map<K, Entry<K, V>> map) {
		if (this.entering != null) {
			return map.get(this.entering.key) == this.entering;
		}
		return this.leaving != null && map.get(this.leaving.key) != this.leaving;
	}

}
