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

import java.util.stream.Stream;

import javax.net.ssl.SSLSessionContext;

/**
 * A server whose TLS follows an {@link SslSessionCache}: it takes over its limits, and it
 * ends its own sessions with those of the cache.
 */
public interface TlsServer extends SslSessionCacheListener {

	/**
	 * Return the contexts in which the server keeps its sessions, one for each
	 * certificate or host that it serves.
	 * @return the contexts that new connections use now
	 */
	Stream<SSLSessionContext> sessionContexts();

	/**
	 * Make the server use new contexts for new connections, so that nothing that clients
	 * hold resumes any longer, and leave open connections open.
	 */
	@Override
	void invalidateAll();

	@Override
	default void maximumSizeChanged(int maximumSize) {
		sessionContexts().forEach((context) -> context.setSessionCacheSize(maximumSize));
	}

	@Override
	default void timeoutChanged(int seconds) {
		sessionContexts().forEach((context) -> context.setSessionTimeout(seconds));
	}

}
