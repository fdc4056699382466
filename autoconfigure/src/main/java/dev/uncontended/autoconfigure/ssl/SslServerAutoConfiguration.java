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

import dev.uncontended.autoconfigure.SslEngine;
import dev.uncontended.tls.engine.StatefulSessions;
import dev.uncontended.tls.handshake.TlsHandshakes;
import dev.uncontended.tls.session.SslSessionCache;
import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;

import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnSingleCandidate;
import org.springframework.boot.web.server.WebServerFactoryCustomizer;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Import;

/**
 * Auto-configuration that connects the web server's TLS to the {@link SslSessionCache}.
 */
@AutoConfiguration(after = SslSessionCacheAutoConfiguration.class)
@ConditionalOnClass(WebServerFactoryCustomizer.class)
@ConditionalOnSingleCandidate(TlsHandshakes.class)
@Import({ SslServerConfigurations.Tomcat.class, SslServerConfigurations.Jetty.class,
		SslServerConfigurations.ReactorNetty.class })
public final class SslServerAutoConfiguration {

	private static final Log logger = LogFactory.getLog(SslServerAutoConfiguration.class);

	@Bean
	StatefulSessions statefulSessions(SslSessionCacheProperties properties, SslProperties sslProperties) {
		if (sslProperties.getEngine() == SslEngine.BORINGSSL) {
			return new StatefulSessions(properties.isStateful(), properties.isStateful());
		}
		StatefulSessions sessions = StatefulSessions.current(properties.isStateful());
		if (sessions.requested() && !sessions.effective()) {
			logger.warn("'" + SslSessionCacheProperties.STATEFUL + "' has no effect: it was set too late, or the"
					+ " system property 'jdk.tls.server.enableSessionTicketExtension' overrides it");
		}
		return sessions;
	}

}
