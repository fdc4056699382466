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

import java.time.Duration;

import javax.net.ssl.SSLSession;

import dev.uncontended.tls.session.SslSessionCache;
import org.mockito.BDDMockito;
import org.mockito.Mockito;

/**
 * Puts sessions into a {@link SslSessionCache} without handshakes.
 */
public final class TestSessions {

	private TestSessions() {
	}

	/**
	 * Returns a new cache with JSSE's defaults.
	 */
	public static Lineages cache() {
		return new Lineages(20_480, Duration.ofHours(24), System::nanoTime);
	}

	/**
	 * Returns a valid session with an id of one byte.
	 */
	public static SSLSession session(int id) {
		SSLSession session = Mockito.mock(SSLSession.class);
		BDDMockito.given(session.getId()).willReturn(new byte[] { (byte) id });
		BDDMockito.given(session.isValid()).willReturn(true);
		BDDMockito.given(session.getPeerHost()).willReturn(new String("client"));
		return session;
	}

	/**
	 * Puts the session of a full handshake.
	 */
	public static void put(SslSessionCache cache, SSLSession session) {
		lineages(cache).put(session);
	}

	/**
	 * Resumes a session, unless it has been removed.
	 */
	public static boolean resume(SslSessionCache cache, SSLSession session) {
		Lineage lineage = lineages(cache).find(session);
		return lineage != null && lineages(cache).resumed(lineage, session);
	}

	static Lineages lineages(SslSessionCache cache) {
		return (Lineages) cache;
	}

}
