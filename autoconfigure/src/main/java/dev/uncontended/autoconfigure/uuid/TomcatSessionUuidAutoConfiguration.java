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

package dev.uncontended.autoconfigure.uuid;

import dev.uncontended.autoconfigure.ConditionalOnFeature;
import dev.uncontended.integration.TomcatSessionIdGenerator;
import dev.uncontended.uuid.UuidGenerator;
import org.apache.catalina.Context;
import org.apache.catalina.Manager;
import org.apache.catalina.SessionIdGenerator;
import org.apache.catalina.session.StandardManager;

import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnSingleCandidate;
import org.springframework.boot.tomcat.servlet.TomcatServletWebServerFactory;
import org.springframework.boot.web.server.WebServerFactoryCustomizer;
import org.springframework.context.annotation.Bean;

/**
 * Auto-configuration that makes the session ids of an embedded Tomcat from random bytes
 * of the {@link UuidGenerator}. Has no effect where Spring Session keeps the sessions.
 */
@AutoConfiguration(after = UuidAutoConfiguration.class)
@ConditionalOnClass({ SessionIdGenerator.class, TomcatServletWebServerFactory.class })
@ConditionalOnFeature("uncontended.uuid.tomcat-session")
@ConditionalOnSingleCandidate(UuidGenerator.class)
public final class TomcatSessionUuidAutoConfiguration {

	@Bean
	@ConditionalOnMissingBean
	SessionIdGenerator tomcatSessionIdGenerator(UuidGenerator generator) {
		return new TomcatSessionIdGenerator(generator);
	}

	@Bean
	WebServerFactoryCustomizer<TomcatServletWebServerFactory> sessionIdTomcatCustomizer(
			SessionIdGenerator sessionIdGenerator) {
		return (factory) -> factory
			.addContextCustomizers((context) -> manager(context).setSessionIdGenerator(sessionIdGenerator));
	}

	/**
	 * Tomcat makes its default manager when the context starts and gives it a generator
	 * of its own as it does.
	 */
	private static Manager manager(Context context) {
		if (context.getManager() == null) {
			context.setManager(new StandardManager());
		}
		return context.getManager();
	}

}
