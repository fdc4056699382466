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

package dev.uncontended.tls;

/**
 * Follows what happens to an {@link SslSessionCache} as a whole; a server's adapter
 * carries it out in the server. Called by the thread that makes the change, after the
 * cache has taken the new setting. Implementations must be safe for use by several
 * threads.
 */
public interface SslSessionCacheListener {

	/**
	 * Every session is to end. The cache calls {@code invalidate} on the sessions it
	 * holds, but a client may hold a stateless ticket: make the server forget what it
	 * needs to accept those, too. Called before the cache is emptied. An exception does
	 * not keep other listeners and the cache from doing their part and is then passed on
	 * to the caller of {@link SslSessionCache#invalidateAll()}.
	 */
	default void invalidateAll() {
	}

	/**
	 * The maximum size has changed.
	 * @param maximumSize the number of sessions; 0 means no limit
	 */
	default void maximumSizeChanged(int maximumSize) {
	}

	/**
	 * The timeout has changed.
	 * @param seconds the timeout in seconds; 0 means no limit
	 */
	default void timeoutChanged(int seconds) {
	}

}
