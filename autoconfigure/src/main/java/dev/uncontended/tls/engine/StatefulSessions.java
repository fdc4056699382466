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

package dev.uncontended.tls.engine;

/**
 * Whether the JDK's TLS servers keep their sessions in memory, rather than hand them to
 * the clients as encrypted, stateless tickets.
 * <p>
 * By default they hand out tickets. A system property changes that for each SSL context
 * that is created after it has been set, and for none that there is already.
 *
 * @param requested whether the application asks for sessions in memory
 * @param effective whether the SSL contexts that were created since this was looked at
 * keep their sessions in memory
 */
public record StatefulSessions(boolean requested, boolean effective) {

	private static final String PROPERTY = "jdk.tls.server.enableSessionTicketExtension";

	/**
	 * Asks the JDK for sessions in memory, unless the system property has a value
	 * already, for instance from the command line.
	 */
	public static void request() {
		if (System.getProperty(PROPERTY) == null) {
			System.setProperty(PROPERTY, "false");
		}
	}

	/**
	 * Looks at what is in effect. Call it before the servers' SSL contexts are created.
	 * @param requested whether the application asks for sessions in memory
	 * @return what is requested and what is in effect
	 */
	public static StatefulSessions current(boolean requested) {
		return new StatefulSessions(requested, "false".equalsIgnoreCase(System.getProperty(PROPERTY)));
	}

}
