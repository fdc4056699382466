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

import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;

import dev.uncontended.random.UncontendedProvider;
import dev.uncontended.tls.engine.TlsEngine;
import dev.uncontended.tls.server.TlsServers;
import dev.uncontended.tls.session.SslSessionCache;
import dev.uncontended.tls.tickets.TicketKeySource;
import dev.uncontended.uuid.UuidGenerator;
import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;

import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.web.server.context.WebServerApplicationContext;
import org.springframework.context.ApplicationContext;
import org.springframework.context.ApplicationListener;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.event.ContextRefreshedEvent;
import org.springframework.util.ClassUtils;

/**
 * Auto-configuration of the start-up log. After all servers have started, this class logs
 * the effective configuration. It logs a warning if none of several {@link UuidGenerator}
 * beans is primary. In web applications, the same applies to {@link SslSessionCache}
 * beans.
 * <p>
 * Code that runs in every start uses neither streams nor lambdas, because the JVM creates
 * a class for each lambda.
 */
@AutoConfiguration
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
		boolean hasServer = hasServer();
		try {
			logger.info(String.join("; ", configuration(hasServer)));
		}
		catch (RuntimeException ex) {
			logger.debug("Failed to describe the configuration", ex); // A generator of
																		// the application
		}
		warnIfNoneCanBeChosen(UuidGenerator.class);
		if (hasServer) {
			warnIfNoneCanBeChosen(SslSessionCache.class);
		}
		if (SslEngine.of(this.context.getEnvironment()) == SslEngine.BORINGSSL
				&& servers().stream().allMatch((servers) -> servers.reached().isEmpty())) {
			logger.warn("'" + SslEngine.PROPERTY + "=boringssl' has no effect, because this application has no embedded"
					+ " server with TLS");
		}
	}

	private List<String> configuration(boolean hasServer) {
		List<String> parts = new ArrayList<>();
		for (String name : this.context.getBeanNamesForType(UuidGenerator.class)) {
			parts.add(describe(name, this.context.getBean(name, UuidGenerator.class)));
		}
		if (hasServer) {
			parts.addAll(describe(servers()));
		}
		parts.add("UUID.randomUUID() runs on "
				+ (UncontendedProvider.isEffective() ? "Uncontended" : "the JDK's own generator"));
		return parts;
	}

	private static String describe(String name, UuidGenerator generator) {
		int stripes = generator.stats().pool().stripes().size();
		return "%s draws from %s of %s, %d %s".formatted(name, generator.algorithm(), generator.provider(), stripes,
				(stripes == 1) ? "stripe" : "stripes");
	}

	private List<String> describe(List<TlsServers> servers) {
		if (servers.isEmpty()) {
			return List.of();
		}
		String engine = this.context.getBeanProvider(TlsEngine.class)
			.stream()
			.map(this::describe)
			.collect(Collectors.joining());
		return servers.stream()
			.flatMap(TlsServers::contexts)
			.map((context) -> "TLS of " + context + engine)
			.distinct()
			.sorted()
			.toList();
	}

	private String describe(TlsEngine engine) {
		String group = engine.groups().isEmpty() ? "" : ", preferred group " + engine.groups().get(0);
		if (!engine.usesSessionCache()) {
			return group + ", which keeps its sessions outside the session cache";
		}
		if (engine.isStateful()) {
			return group + ", sessions in the server";
		}
		String keys = this.context.getBeanProvider(TicketKeySource.class)
			.stream()
			.map((source) -> ", ticket keys from '" + source.status().source() + "'")
			.collect(Collectors.joining());
		return group + keys + ", sessions in the clients' tickets";
	}

	private boolean hasServer() {
		return ClassUtils.isPresent("org.springframework.boot.web.server.context.WebServerApplicationContext",
				this.context.getClassLoader()) && this.context instanceof WebServerApplicationContext;
	}

	/**
	 * Returns the registries that exist. Servers without TLS create none.
	 */
	private List<TlsServers> servers() {
		List<TlsServers> servers = new ArrayList<>();
		ApplicationContext context = this.context;
		while (context instanceof ConfigurableApplicationContext configurable) {
			ConfigurableListableBeanFactory beanFactory = configurable.getBeanFactory();
			for (String name : beanFactory.getBeanNamesForType(TlsServers.class)) {
				if (beanFactory.containsSingleton(name)) {
					servers.add(beanFactory.getBean(name, TlsServers.class));
				}
			}
			context = context.getParent();
		}
		return servers;
	}

	private void warnIfNoneCanBeChosen(Class<?> type) {
		String[] names = this.context.getBeanNamesForType(type);
		if (names.length > 1 && this.context.getBeanProvider(type).getIfUnique() == null) {
			logger.warn("There are several beans of type " + type.getSimpleName() + ", and none of them is primary: "
					+ String.join(", ", names) + ". Beans that need a single instance are not configured. Annotate one"
					+ " of them with @Primary.");
		}
	}

}
