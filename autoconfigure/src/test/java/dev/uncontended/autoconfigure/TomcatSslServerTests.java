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

import org.junit.jupiter.api.Test;

import org.springframework.boot.WebApplicationType;
import org.springframework.boot.autoconfigure.ImportAutoConfiguration;
import org.springframework.boot.autoconfigure.ssl.SslAutoConfiguration;
import org.springframework.boot.tomcat.autoconfigure.servlet.TomcatServletWebServerAutoConfiguration;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;

/**
 * Tests for TLS on Tomcat.
 */
class TomcatSslServerTests extends AbstractSslServerTests {

	TomcatSslServerTests() {
		super("tomcat", WebApplicationType.SERVLET, Application.class);
	}

	@Test
	void servesEachServerNameWithItsBundle() throws Exception {
		assertServesEachServerNameWithItsBundle();
	}

	@Configuration(proxyBeanMethods = false)
	@Import(OkServletConfiguration.class)
	@ImportAutoConfiguration({ SslAutoConfiguration.class, SslSessionCacheAutoConfiguration.class,
			SslServerAutoConfiguration.class, TomcatServletWebServerAutoConfiguration.class })
	static class Application {

	}

}
