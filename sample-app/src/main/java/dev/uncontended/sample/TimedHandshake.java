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
package dev.uncontended.sample;

import javax.net.ssl.SSLSession;

/**
 * A completed handshake.
 *
 * @param resumed whether the session was resumed
 * @param nanos its time in nanoseconds
 */
record TimedHandshake(boolean resumed, long nanos) {

	private static final String SEEN = TimedHandshake.class.getName();

	/**
	 * Returns whether a session was resumed. Marks the session, so this method must be
	 * called once after each handshake.
	 * @param session the session of a client after its handshake
	 */
	static boolean isResumed(SSLSession session) {
		// Values of a session survive resumption.
		boolean resumed = session.getValue(SEEN) != null;
		session.putValue(SEEN, true);
		return resumed;
	}

}
