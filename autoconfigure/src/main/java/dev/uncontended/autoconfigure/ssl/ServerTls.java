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

package dev.uncontended.autoconfigure.ssl;

import dev.uncontended.tls.engine.TlsEngine;
import dev.uncontended.tls.handshake.TlsServerId;
import dev.uncontended.tls.server.TlsServers;

import org.springframework.boot.web.server.context.WebServerApplicationContext;
import org.springframework.context.ApplicationContext;

/**
 * What a server with TLS uses.
 *
 * @param engine the TLS engine
 * @param servers the registry of the servers
 * @param context the kind of the server's application context
 */
record ServerTls(TlsEngine engine, TlsServers servers, TlsServerId.Context context) {

	/**
	 * Returns the beans for a server of the given context. A management server uses the
	 * beans of the application.
	 */
	static ServerTls of(ApplicationContext context) {
		return new ServerTls(context.getBean(TlsEngine.class), context.getBean(TlsServers.class),
				WebServerApplicationContext.hasServerNamespace(context, "management") ? TlsServerId.Context.MANAGEMENT
						: TlsServerId.Context.APPLICATION);
	}

}
