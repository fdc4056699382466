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

import java.util.concurrent.Callable;

/**
 * Lets the JDK store sessions of new SSL contexts, or issue tickets.
 */
public final class StatefulSessions {

	private static final String TICKETS = "jdk.tls.server.enableSessionTicketExtension";

	private StatefulSessions() {
	}

	/**
	 * Runs an action that creates SSL contexts that store their sessions.
	 */
	public static <T> T call(Callable<T> action) {
		return call(true, action);
	}

	/**
	 * Runs an action that creates SSL contexts. Only one thread at a time does.
	 */
	public static synchronized <T> T call(boolean stateful, Callable<T> action) {
		String before = System.getProperty(TICKETS);
		System.setProperty(TICKETS, Boolean.toString(!stateful));
		try {
			return action.call();
		}
		catch (Exception ex) {
			throw new IllegalStateException(ex);
		}
		finally {
			if (before != null) {
				System.setProperty(TICKETS, before);
			}
			else {
				System.clearProperty(TICKETS);
			}
		}
	}

}
