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
import dev.uncontended.tls.handshake.TlsHandshakes;
import dev.uncontended.tls.jdk.JdkTlsEngine;
import dev.uncontended.tls.server.TlsServers;
import dev.uncontended.tls.session.SslSessionCache;

import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.AnyNestedCondition;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBooleanProperty;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnSingleCandidate;
import org.springframework.boot.autoconfigure.condition.ConditionalOnWebApplication;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.boot.web.server.WebServerFactoryCustomizer;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Conditional;
import org.springframework.context.annotation.Lazy;

/**
 * Auto-configuration of the TLS session cache, the JDK's engine, the registry of TLS
 * servers, and the handshake counts. The properties bean is not lazy, so that invalid
 * properties fail the start.
 */
@Lazy
@AutoConfiguration
@Conditional(SslSessionCacheAutoConfiguration.OnServer.class)
@ConditionalOnBooleanProperty(name = "uncontended.ssl.enabled", matchIfMissing = true)
@EnableConfigurationProperties({ SslSessionCacheProperties.class, SslGroupProperties.class })
public final class SslSessionCacheAutoConfiguration {

	@Bean
	@ConditionalOnMissingBean
	SslSessionCache sslSessionCache(SslSessionCacheProperties properties) {
		return SslSessionCache.builder().maximumSize(properties.maximumSize()).timeout(properties.timeout()).build();
	}

	@Bean
	@ConditionalOnSingleCandidate(SslSessionCache.class)
	@ConditionalOnMissingBean(TlsEngine.class)
	JdkTlsEngine tlsEngine(SslSessionCacheProperties properties, SslGroupProperties groups) {
		return groups.createEngine((names) -> new JdkTlsEngine(Boolean.TRUE.equals(properties.stateful()), names));
	}

	@Bean
	@ConditionalOnSingleCandidate(SslSessionCache.class)
	@ConditionalOnMissingBean
	TlsHandshakes tlsHandshakes() {
		return new TlsHandshakes();
	}

	@Bean
	@ConditionalOnSingleCandidate(SslSessionCache.class)
	@ConditionalOnMissingBean
	TlsServers tlsServers(SslSessionCache sessions, TlsHandshakes handshakes) {
		return new TlsServers(sessions, handshakes);
	}

	/**
	 * Also matches in a WAR without Spring Boot's module for web servers, so that the
	 * endpoint answers there.
	 */
	static class OnServer extends AnyNestedCondition {

		OnServer() {
			super(ConfigurationPhase.PARSE_CONFIGURATION);
		}

		@ConditionalOnClass(WebServerFactoryCustomizer.class)
		static class Embedded {

		}

		@ConditionalOnWebApplication
		static class External {

		}

	}

}
