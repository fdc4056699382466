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

import java.util.function.Supplier;

import dev.uncontended.tls.engine.TlsEngine;
import dev.uncontended.tls.handshake.TlsHandshakeListener;
import dev.uncontended.tls.handshake.TlsHandshakes;
import dev.uncontended.tls.handshake.TlsServerId;
import dev.uncontended.tls.jdk.JdkTlsEngine;
import dev.uncontended.tls.server.TlsServers;
import dev.uncontended.tls.session.SslSessionCache;
import dev.uncontended.tls.session.internal.Lineages;
import org.apache.commons.logging.LogFactory;

import org.springframework.boot.web.server.context.WebServerApplicationContext;
import org.springframework.context.ApplicationContext;
import org.springframework.context.support.GenericApplicationContext;
import org.springframework.core.env.Environment;

/**
 * The beans that a server with TLS uses. The first such server registers them: as bean
 * definitions of a configuration class, their classes would be loaded in every
 * application.
 *
 * @param engine the TLS engine
 * @param servers the registry of the servers
 * @param context the kind of the server's application context
 */
record ServerTls(TlsEngine engine, TlsServers servers, TlsServerId.Context context) {

	static final String SERVERS = "tlsServers";

	private static final String TIMEOUT = "uncontended.ssl.session-cache.timeout";

	/**
	 * Returns the beans for a server of the given context. A management server uses the
	 * beans of the application.
	 * @throws IllegalStateException if the application has replaced the session cache
	 */
	static ServerTls of(ApplicationContext context) {
		GenericApplicationContext owner = owner(context);
		SslProperties properties = owner.getBean(SslProperties.class);
		if (!(owner.getBeanProvider(SslSessionCache.class).getIfUnique() instanceof Lineages cache)) {
			throw new IllegalStateException("TLS requires the auto-configured SslSessionCache bean."
					+ " Do not define another one, or set 'uncontended.ssl.enabled=false'.");
		}
		TlsEngine engine = get(owner, TlsEngine.class, "tlsEngine", () -> createEngine(owner, properties, cache));
		TlsHandshakes handshakes = get(owner, TlsHandshakes.class, "tlsHandshakes", () -> createHandshakes(owner));
		return new ServerTls(engine, get(owner, TlsServers.class, SERVERS, () -> new TlsServers(cache, handshakes)),
				WebServerApplicationContext.hasServerNamespace(context, "management") ? TlsServerId.Context.MANAGEMENT
						: TlsServerId.Context.APPLICATION);
	}

	private static GenericApplicationContext owner(ApplicationContext context) {
		ApplicationContext owner = context;
		while (owner.getParent() != null && owner.getBeanNamesForType(SslProperties.class).length == 0) {
			owner = owner.getParent();
		}
		return (GenericApplicationContext) owner;
	}

	static <T> T get(GenericApplicationContext owner, Class<T> type, String name, Supplier<T> factory) {
		T existing = owner.getBeanProvider(type).getIfUnique();
		if (existing != null) {
			return existing;
		}
		T bean = factory.get();
		// Not a bean definition, for which Spring would load and read more classes.
		owner.getBeanFactory().registerSingleton(name, bean);
		if (bean instanceof AutoCloseable closeable) {
			owner.getDefaultListableBeanFactory().registerDisposableBean(name, closeable::close);
		}
		return bean;
	}

	private static TlsHandshakes createHandshakes(ApplicationContext context) {
		TlsHandshakes handshakes = new TlsHandshakes();
		context.getBeanProvider(TlsHandshakeListener.class).orderedStream().forEach(handshakes::addListener);
		return handshakes;
	}

	private static TlsEngine createEngine(GenericApplicationContext context, SslProperties properties, Lineages cache) {
		try {
			return properties.usesBoringSsl() ? BoringSslFactory.create(context, properties, cache)
					: createJdkEngine(properties, cache, context.getEnvironment());
		}
		catch (IllegalArgumentException ex) {
			throw SslProperties.invalid("groups", properties.groups(), String.valueOf(ex.getMessage()));
		}
	}

	private static JdkTlsEngine createJdkEngine(SslProperties properties, Lineages cache, Environment environment) {
		Boolean stateful = properties.sessionCache().stateful();
		JdkTlsEngine engine = new JdkTlsEngine(cache, !Boolean.FALSE.equals(stateful), properties.groups());
		boolean required = Boolean.TRUE.equals(stateful);
		if (!engine.isStateful() && (required || environment.containsProperty(TIMEOUT))) {
			LogFactory.getLog(ServerTls.class)
				.warn("'" + (required ? "uncontended.ssl.session-cache.stateful" : TIMEOUT)
						+ "' has no effect, because TLS sessions of " + engine + " are " + engine.sessions()
						+ ". Remove it, or keep sessions in the session cache: without 'stateful=false' and the system"
						+ " property 'jdk.tls.server.enableSessionTicketExtension', and with 'SunJSSE' as the first JSSE"
						+ " provider.");
		}
		return engine;
	}

}
