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

package dev.uncontended.autoconfigure;

import java.util.Optional;
import java.util.function.BooleanSupplier;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import dev.uncontended.random.UncontendedProvider;
import dev.uncontended.tls.engine.TlsEngine;
import dev.uncontended.tls.server.TlsServers;
import dev.uncontended.tls.session.SslSessionCache;
import dev.uncontended.tls.tickets.TicketKeySource;
import dev.uncontended.uuid.UuidGenerator;
import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;

import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.web.server.context.WebServerApplicationContext;
import org.springframework.context.ApplicationContext;
import org.springframework.context.ApplicationListener;
import org.springframework.context.Lifecycle;
import org.springframework.context.annotation.Import;
import org.springframework.context.event.ContextRefreshedEvent;
import org.springframework.util.ClassUtils;

/**
 * Auto-configuration of the start-up log and of {@link ConfigurationCheck}, which fails
 * the start if a property is invalid. After all servers have started, this class logs the
 * effective configuration. It logs a warning if none of several {@link UuidGenerator}
 * beans is primary. In web applications, the same applies to {@link SslSessionCache}
 * beans.
 */
@AutoConfiguration
@Import(ConfigurationCheck.Registrar.class)
public final class StartupLogAutoConfiguration implements ApplicationListener<ContextRefreshedEvent> {

	private static final Log logger = LogFactory.getLog(StartupLogAutoConfiguration.class);

	private final ApplicationContext context;

	StartupLogAutoConfiguration(ApplicationContext context) {
		this.context = context;
	}

	@Override
	public void onApplicationEvent(ContextRefreshedEvent event) {
		if (event.getApplicationContext() != this.context) {
			return; // A child context was refreshed, such as the management context.
		}
		if (logger.isInfoEnabled()) {
			logger.info(Stream.of(generators(), hasServer() ? servers() : Stream.<String>empty(), Stream.of(jdk()))
				.flatMap((part) -> part)
				.collect(Collectors.joining("; ")));
		}
		warnIfNoneCanBeChosen(UuidGenerator.class);
		if (hasServer()) {
			warnIfNoneCanBeChosen(SslSessionCache.class);
		}
		if (SslEngine.of(this.context.getEnvironment()) == SslEngine.BORINGSSL) {
			checkEngineIsUsed();
		}
		warnIfWithoutEffect("uncontended.uuid.id-generator",
				() -> SingleProperty.isTrue(this.context.getEnvironment(), "uncontended.uuid.enabled", true),
				"'uncontended.uuid.enabled' is 'false'");
		warnIfWithoutEffect("management.health.ticket-keys.enabled", this::hasTicketKeys,
				"there are no ticket keys: they require an embedded server and '%s=boringssl'"
					.formatted(SslEngine.PROPERTY));
	}

	private void warnIfWithoutEffect(String property, BooleanSupplier used, String reason) {
		if (SingleProperty.isTrue(this.context.getEnvironment(), property, false) && !used.getAsBoolean()) {
			logger.warn("'%s=true' has no effect, because %s".formatted(property, reason));
		}
	}

	private boolean hasTicketKeys() {
		return this.context.getBeanNamesForType(TicketKeySource.class).length > 0;
	}

	/**
	 * Does not fail the start, because several profiles may share the properties.
	 */
	private void checkEngineIsUsed() {
		if (this.context.getBeanProvider(TlsServers.class)
			.stream()
			.allMatch((servers) -> servers.reached().isEmpty())) {
			logger.warn("'%s=boringssl' has no effect, because this application has no embedded server with TLS"
				.formatted(SslEngine.PROPERTY));
			this.context.getBeanProvider(TicketKeySource.class)
				.stream()
				.flatMap((keys) -> (keys instanceof Lifecycle polling) ? Stream.of(polling) : Stream.empty())
				.forEach(Lifecycle::stop);
		}
	}

	private Stream<String> generators() {
		return this.context.getBeansOfType(UuidGenerator.class)
			.entrySet()
			.stream()
			.map((entry) -> describe(entry.getKey(), entry.getValue()));
	}

	private static String describe(String name, UuidGenerator generator) {
		// In tests, a mocked generator may return null.
		int stripes = Optional.ofNullable(generator.stats()).map((stats) -> stats.pool().stripes().size()).orElse(0);
		return "%s draws from %s of %s, %d %s".formatted(name, generator.algorithm(), generator.provider(), stripes,
				(stripes == 1) ? "stripe" : "stripes");
	}

	private boolean hasServer() {
		return ClassUtils.isPresent("org.springframework.boot.web.server.context.WebServerApplicationContext",
				this.context.getClassLoader()) && this.context instanceof WebServerApplicationContext;
	}

	private Stream<String> servers() {
		String group = this.context.getBeanProvider(TlsEngine.class)
			.stream()
			.flatMap((engine) -> engine.groups().stream().limit(1))
			.map((first) -> ", preferred group " + first)
			.collect(Collectors.joining());
		String keys = this.context.getBeanProvider(TicketKeySource.class)
			.stream()
			.map((source) -> ", ticket keys from '" + source.status().source() + "'")
			.collect(Collectors.joining());
		return this.context.getBeanProvider(TlsServers.class)
			.stream()
			.flatMap(TlsServers::contexts)
			.map((context) -> "TLS of " + context + group + keys)
			.distinct()
			.sorted();
	}

	private static String jdk() {
		return "UUID.randomUUID() runs on "
				+ (UncontendedProvider.isEffective() ? "Uncontended" : "the JDK's own generator");
	}

	private void warnIfNoneCanBeChosen(Class<?> type) {
		String[] names = this.context.getBeanNamesForType(type);
		if (names.length > 1 && this.context.getBeanProvider(type).getIfUnique() == null) {
			logger.warn(("There are several beans of type %s, and none of them is primary: %s. Beans that need a single"
					+ " instance are not configured. Annotate one of them with @Primary.")
				.formatted(type.getSimpleName(), String.join(", ", names)));
		}
	}

}
