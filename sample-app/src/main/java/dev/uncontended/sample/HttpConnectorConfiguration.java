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

package dev.uncontended.sample;

import org.apache.catalina.connector.Connector;
import org.apache.coyote.AbstractProtocol;

import org.springframework.beans.factory.annotation.Value;
import org.springframework.boot.tomcat.servlet.TomcatServletWebServerFactory;
import org.springframework.boot.web.server.WebServerFactoryCustomizer;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/**
 * Adds an HTTP port next to the HTTPS port, on the same address. {@code server.port} sets
 * the HTTP port, which the page's address names.
 */
@Configuration(proxyBeanMethods = false)
class HttpConnectorConfiguration {

	@Bean
	WebServerFactoryCustomizer<TomcatServletWebServerFactory> httpConnector(
			@Value("${sample.https-port}") int httpsPort) {
		return (factory) -> {
			Connector connector = new Connector(TomcatServletWebServerFactory.DEFAULT_PROTOCOL);
			connector.setPort(factory.getPort());
			factory.setPort(httpsPort);
			((AbstractProtocol<?>) connector.getProtocolHandler()).setAddress(factory.getAddress());
			factory.addAdditionalConnectors(connector);
		};
	}

}
