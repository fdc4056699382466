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
 * Identifies the server of a handshake.
 *
 * @param name the name of the server software, such as {@code tomcat}
 * @param context the kind of the server's application context
 */
public record TlsServerId(String name, Context context) {

	/**
	 * Returns the software and the context, such as {@code tomcat (application)}.
	 */
	@Override
	public String toString() {
		return this.name + " (" + this.context + ")";
	}

	/** A kind of application context with a web server. */
	public enum Context {

		/** The main application context. */
		APPLICATION,

		/** The management context with a server on a separate port. */
		MANAGEMENT;

		@Override
		public String toString() {
			return name().toLowerCase(Locale.ROOT);
		}

	}

}
