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
package dev.uncontended.sample.demo;

import java.util.Map;

import javax.net.ssl.SSLEngine;

import org.apache.coyote.http11.AbstractHttp11Protocol;
import org.apache.tomcat.util.net.SSLContext;

import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.ssl.SslBundles;
import org.springframework.boot.tomcat.TomcatWebServer;
import org.springframework.boot.web.server.servlet.context.AnnotationConfigServletWebServerApplicationContext;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.env.MapPropertySource;
import org.springframework.core.env.MutablePropertySources;

/**
 * A second Tomcat server in this process, in an application of its own with its own
 * counts. It differs from the server of this application only in the TLS engine.
 */
final class EngineServer implements AutoCloseable {

	private final AnnotationConfigServletWebServerApplicationContext context = new AnnotationConfigServletWebServerApplicationContext();

	private final SSLContext sslContext;

	/**
	 * Starts a server.
	 * @param engine the value of {@code uncontended.ssl.engine}
	 * @param bundles contain the server's certificate
	 */
	EngineServer(String engine, SslBundles bundles) {
		MutablePropertySources properties = this.context.getEnvironment().getPropertySources();
		properties.stream().toList().forEach((source) -> properties.remove(source.getName()));
		properties.addFirst(new MapPropertySource("server",
				Map.of("server.address", "127.0.0.1", "server.port", "0", "server.ssl.bundle", "self-signed",
						"server.shutdown", "immediate", "server.tomcat.threads.min-spare", "1",
						"management.metrics.use-global-registry", "false", "uncontended.ssl.engine", engine)));
		this.context.register(Application.class);
		this.context.registerBean("bundles", SslBundles.class, () -> bundles);
		try {
			this.context.refresh();
			if (!(this.context.getWebServer() instanceof TomcatWebServer server)) {
				throw new IllegalStateException("The server is not Tomcat");
			}
			this.sslContext = ((AbstractHttp11Protocol<?>) server.getTomcat().getConnector().getProtocolHandler())
				.findSslHostConfigs()[0].getCertificates()
				.iterator()
				.next()
				.getSslContext();
		}
		catch (RuntimeException ex) {
			this.context.close();
			throw ex;
		}
	}

	SSLEngine createEngine() {
		return this.sslContext.createSSLEngine();
	}

	@Override
	public void close() {
		this.context.close();
	}

	@Configuration(proxyBeanMethods = false)
	@EnableAutoConfiguration
	static class Application {

	}

}
