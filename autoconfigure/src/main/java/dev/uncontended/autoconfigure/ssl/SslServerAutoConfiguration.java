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

import dev.uncontended.tls.server.TlsServers;

import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnSingleCandidate;
import org.springframework.boot.web.server.WebServerFactoryCustomizer;
import org.springframework.context.annotation.Import;

/**
 * Auto-configuration of TLS for the web server. Registers the web server with
 * {@link TlsServers}.
 */
@AutoConfiguration(after = SslSessionCacheAutoConfiguration.class)
@ConditionalOnClass(WebServerFactoryCustomizer.class)
@ConditionalOnSingleCandidate(TlsServers.class)
@Import({ SslServerConfigurations.Tomcat.class, SslServerConfigurations.Jetty.class,
		SslServerConfigurations.ReactorNetty.class })
public final class SslServerAutoConfiguration {

}
