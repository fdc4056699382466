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

package dev.uncontended.tls.boringssl;

import java.util.Collections;
import java.util.Enumeration;

import javax.net.ssl.SSLSession;
import javax.net.ssl.SSLSessionContext;

import dev.uncontended.tls.session.SslSessionCache;
import org.jspecify.annotations.Nullable;

/**
 * The session limits of one SSL context. It does not contain sessions: sessions with an
 * id are in the {@link SslSessionCache} of all contexts, others in the clients' tickets.
 */
final class SessionContext implements SSLSessionContext {

	private final SslSessionCache cache;

	private final BoringSslContext context;

	SessionContext(SslSessionCache cache, BoringSslContext context) {
		this.cache = cache;
		this.context = context;
	}

	@Override
	public @Nullable SSLSession getSession(byte[] sessionId) {
		return null;
	}

	@Override
	public Enumeration<byte[]> getIds() {
		return Collections.emptyEnumeration();
	}

	void remove(byte[] sessionId) {
		this.cache.remove(sessionId);
	}

	/**
	 * Sets the time after its full handshake at which a new session stops resuming, at
	 * most 7 days for TLS 1.3. The cache may remove sessions with an id earlier.
	 */
	@Override
	public void setSessionTimeout(int seconds) {
		if (seconds < 0) {
			throw new IllegalArgumentException(
					"The session timeout must be 0 (no limit) or positive, but was " + seconds + " seconds");
		}
		this.context.setSessionTimeout(seconds);
	}

	@Override
	public int getSessionTimeout() {
		return this.context.sessionTimeout();
	}

	/**
	 * Validates the argument and ignores it, because the cache is shared by all contexts.
	 */
	@Override
	public void setSessionCacheSize(int size) {
		if (size < 0) {
			throw new IllegalArgumentException(
					"The session cache size must be 0 (no limit) or positive, but was " + size);
		}
	}

	@Override
	public int getSessionCacheSize() {
		return this.cache.getSessionCacheSize();
	}

}
