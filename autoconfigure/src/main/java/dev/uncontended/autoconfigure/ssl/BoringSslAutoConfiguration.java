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

import java.util.Collections;
import java.util.List;
import java.util.stream.Stream;

import dev.uncontended.autoconfigure.SingleProperty;
import dev.uncontended.autoconfigure.SslEngine;
import dev.uncontended.autoconfigure.UnusableConfigurationException;
import dev.uncontended.autoconfigure.ssl.tickets.TicketKeyAutoConfiguration;
import dev.uncontended.tls.boringssl.BoringSslAvailability;
import dev.uncontended.tls.boringssl.BoringSslSessions;
import dev.uncontended.tls.boringssl.BoringSslTlsEngine;
import dev.uncontended.tls.boringssl.BoringSslUnavailableException;
import dev.uncontended.tls.engine.TlsEngine;
import dev.uncontended.tls.server.TlsServers;
import dev.uncontended.tls.session.SslSessionCache;
import dev.uncontended.tls.tickets.TicketKeySource;

import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBooleanProperty;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnNotWarDeployment;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.boot.web.server.AbstractConfigurableWebServerFactory;
import org.springframework.boot.web.server.Ssl;
import org.springframework.boot.web.server.WebServerFactoryCustomizer;
import org.springframework.boot.web.server.WebServerSslBundle;
import org.springframework.context.ApplicationContext;
import org.springframework.context.ApplicationListener;
import org.springframework.context.Lifecycle;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Conditional;
import org.springframework.context.event.ContextRefreshedEvent;
import org.springframework.core.env.Environment;

/**
 * Auto-configuration of the TLS engine {@code boringssl}, which uses BoringSSL through
 * Netty. This class has no condition on Netty's classes, so that the start fails if they
 * are missing.
 */
@AutoConfiguration(before = SslSessionCacheAutoConfiguration.class, after = TicketKeyAutoConfiguration.class)
@ConditionalOnClass(WebServerFactoryCustomizer.class)
@ConditionalOnNotWarDeployment
@ConditionalOnBooleanProperty(name = "uncontended.ssl.enabled", matchIfMissing = true)
@Conditional(SslEngine.OnBoringSsl.class)
@EnableConfigurationProperties(SslGroupProperties.class)
public final class BoringSslAutoConfiguration {

	private static final String STATEFUL = "uncontended.ssl.session-cache.stateful";

	private static final List<String> PROTOCOLS = List.of("TLSv1.3", "TLSv1.2");

	@Bean
	@ConditionalOnMissingBean(TlsEngine.class)
	BoringSslSessions boringSslSessions(ObjectProvider<SslSessionCache> caches,
			ObjectProvider<SslSessionCacheProperties> properties, TicketKeySource ticketKeys, Environment environment) {
		if (SslEngine.of(environment) != SslEngine.BORINGSSL) {
			throw UnusableConfigurationException.changedSinceProcessing(environment, SslEngine.PROPERTY);
		}
		String engine = SingleProperty.describe(environment, SslEngine.PROPERTY);
		try {
			BoringSslAvailability.require();
		}
		catch (BoringSslUnavailableException ex) {
			throw new UnusableConfigurationException(engine + ", which is not available: " + ex.getMessage(),
					ex.getAction() + " To use the JDK's engine instead, remove '" + SslEngine.PROPERTY + "'.");
		}
		SslSessionCache cache = caches.getIfUnique();
		if (cache == null) {
			throw new UnusableConfigurationException(
					engine + ", which requires a single or primary SslSessionCache bean",
					"Annotate one of several beans with @Primary, or remove '" + SslEngine.PROPERTY + "'.");
		}
		if (properties.stream().map(SslSessionCacheProperties::stateful).anyMatch(Boolean.TRUE::equals)) {
			throw new UnusableConfigurationException(
					SingleProperty.describe(environment, STATEFUL)
							+ ", but the TLS engine 'boringssl' keeps sessions in the clients' tickets only",
					"Remove '%s', or remove '%s' to use the JDK's engine.".formatted(STATEFUL, SslEngine.PROPERTY));
		}
		return new BoringSslSessions(cache, ticketKeys);
	}

	@Bean
	static WebServerFactoryCustomizer<AbstractConfigurableWebServerFactory> boringSslProtocolCheck(
			Environment environment) {
		return (factory) -> {
			Ssl ssl = factory.getSsl();
			if (ssl != null && ssl.isEnabled()) {
				String[] enabled = WebServerSslBundle.get(ssl, factory.getSslBundles())
					.getOptions()
					.getEnabledProtocols();
				if (enabled != null && Collections.disjoint(List.of(enabled), PROTOCOLS)) {
					throw new UnusableConfigurationException(
							"%s, which supports %s, but the server enables only %s".formatted(
									SingleProperty.describe(environment, SslEngine.PROPERTY), PROTOCOLS,
									List.of(enabled)),
							"Add one of these to 'server.ssl.enabled-protocols' or to the options of the SSL bundle, or"
									+ " remove '%s'.".formatted(SslEngine.PROPERTY));
				}
			}
		};
	}

	@Bean
	@ConditionalOnMissingBean
	TlsEngine boringSslTlsEngine(BoringSslSessions sessions, SslGroupProperties properties) {
		return properties.createEngine((groups) -> new BoringSslTlsEngine(sessions, groups));
	}

	/**
	 * Stops the polls for keys that no server uses, once all servers have started.
	 * Servers without TLS have created no {@link TlsServers}.
	 */
	@Bean
	ApplicationListener<ContextRefreshedEvent> unusedTicketKeyPolls(ConfigurableListableBeanFactory beans,
			ObjectProvider<TicketKeySource> sources, ApplicationContext context) {
		return (event) -> {
			if (event.getApplicationContext() == context && Stream.of(beans.getBeanNamesForType(TlsServers.class))
				.filter(beans::containsSingleton)
				.allMatch((name) -> beans.getBean(name, TlsServers.class).reached().isEmpty())) {
				sources.stream().filter(Lifecycle.class::isInstance).forEach((source) -> ((Lifecycle) source).stop());
			}
		};
	}

}
