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

import java.security.cert.X509Certificate;
import java.util.Collections;
import java.util.Enumeration;

import javax.net.ssl.SSLSession;
import javax.net.ssl.SSLSessionContext;

import dev.uncontended.tls.SslSessionCache;
import org.jspecify.annotations.Nullable;

/**
 * The limits of the sessions of one SSL context. It holds no session: those with an id
 * are in the {@link SslSessionCache} of all contexts, those in tickets with the clients.
 */
final class SessionContext implements SSLSessionContext {

	private final SslSessionCache cache;

	private final NativeContexts contexts;

	SessionContext(SslSessionCache cache, NativeContexts contexts) {
		this.cache = cache;
		this.contexts = contexts;
	}

	@Override
	public @Nullable SSLSession getSession(byte[] sessionId) {
		return null;
	}

	@Override
	public Enumeration<byte[]> getIds() {
		return Collections.emptyEnumeration();
	}

	X509Certificate @Nullable [] localCertificates() {
		return this.contexts.localCertificates();
	}

	void remove(byte[] sessionId) {
		this.cache.remove(sessionId);
	}

	/**
	 * Sets how long new sessions can be resumed, from their full handshake on: those of
	 * TLS 1.3 for 7 days at most. The cache may end sessions with an id before.
	 */
	@Override
	public void setSessionTimeout(int seconds) {
		if (seconds < 0) {
			throw new IllegalArgumentException(
					"The session timeout must be 0 (no limit) or positive, but was " + seconds + " seconds");
		}
		this.contexts.setSessionTimeout(seconds);
	}

	@Override
	public int getSessionTimeout() {
		return this.contexts.sessionTimeout();
	}

	/**
	 * Checks the argument, and leaves the bound of the cache as it is.
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
