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

import org.mockito.BDDMockito;
import org.mockito.Mockito;

/**
 * Session caches and sessions of tests.
 */
public final class TestSessions {

	/** No limit, as in the default configuration. */
	private static final int NO_TIMEOUT = 0;

	private TestSessions() {
	}

	/**
	 * Returns a new cache with the default limits.
	 */
	public static SessionTokens cache() {
		return new SessionTokens(200_000, null, System::nanoTime);
	}

	/**
	 * Puts the session of a full handshake.
	 */
	public static Long put(SessionTokens cache) {
		Long token = cache.create();
		cache.put(token, NO_TIMEOUT, cache.ends());
		return token;
	}

	/**
	 * Returns a session of a connection.
	 */
	static SSLSession session(Long token, byte... id) {
		SSLSession session = Mockito.mock(SSLSession.class);
		BDDMockito.given(session.getId()).willReturn(id);
		BDDMockito.given(session.getPeerHost()).willReturn(SessionTokens.toHost(token));
		return session;
	}

}
