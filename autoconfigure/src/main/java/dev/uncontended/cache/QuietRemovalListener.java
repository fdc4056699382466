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

import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * Catches all exceptions and errors of a listener, and logs only the first.
 *
 * @param <K> the type of the keys
 * @param <V> the type of the values
 */
final class QuietRemovalListener<K, V> implements RemovalListener<K, V> {

	private static final Logger logger = System.getLogger(LazyExpiryCache.class.getName());

	private final RemovalListener<? super K, ? super V> listener;

	private final AtomicBoolean failed = new AtomicBoolean();

	QuietRemovalListener(RemovalListener<? super K, ? super V> listener) {
		this.listener = listener;
	}

	@Override
	public void onRemoval(K key, V value, RemovalCause cause) {
		try {
			this.listener.onRemoval(key, value, cause);
		}
		catch (Throwable ex) {
			if (this.failed.compareAndSet(false, true)) {
				logger.log(Level.WARNING,
						"The removal listener of a cache threw an exception; further exceptions are not logged", ex);
			}
		}
	}

}
