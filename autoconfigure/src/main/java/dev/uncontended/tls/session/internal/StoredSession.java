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

package dev.uncontended.tls.session.internal;

import javax.net.ssl.SSLSession;

import dev.uncontended.tls.session.SslSessionCache;

/**
 * An entry of a {@link SslSessionCache}: what a client needs to resume. Implementations
 * must be thread-safe.
 */
@FunctionalInterface
public interface StoredSession {

	/**
	 * Returns the session that the client established or resumed last.
	 */
	SSLSession session();

	/**
	 * Returns whether no server can resume this entry any more, because the TLS context
	 * that stored the session has been replaced, or its sessions have ended.
	 */
	default boolean isObsolete() {
		return false;
	}

	/**
	 * Prevents further resumptions, and releases resources. The cache calls this method
	 * after it has removed or {@linkplain SessionAccess#put refused} this entry.
	 */
	default void released() {
	}

}
