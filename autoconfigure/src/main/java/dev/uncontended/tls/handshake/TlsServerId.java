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

package dev.uncontended.tls.handshake;

import java.util.Locale;

/**
 * The server that takes part in a handshake.
 *
 * @param name the name of its software, such as {@code tomcat}
 * @param context the application context that it belongs to
 */
public record TlsServerId(String name, Context context) {

	/**
	 * An application context with a web server.
	 */
	public enum Context {

		/**
		 * The application's own, also where it serves the management endpoints.
		 */
		APPLICATION,

		/**
		 * That of management endpoints on a port of their own.
		 */
		MANAGEMENT;

		/**
		 * Returns the name in lower case, as endpoints and meters have it.
		 */
		@Override
		public String toString() {
			return name().toLowerCase(Locale.ROOT);
		}

	}

}
