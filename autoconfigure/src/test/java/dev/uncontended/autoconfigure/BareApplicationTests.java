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

import java.lang.management.ManagementFactory;
import java.util.regex.Pattern;

import dev.uncontended.ChildJvm;
import dev.uncontended.tls.session.SslSessionCache;
import dev.uncontended.uuid.NameUuidFactory;
import dev.uncontended.uuid.UuidGenerator;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import org.springframework.boot.SpringApplication;
import org.springframework.boot.SpringBootConfiguration;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.context.ConfigurableApplicationContext;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for an application with the starter only.
 */
@Tag("integration")
@Tag("product")
class BareApplicationTests {

	private static final Pattern STARTER = Pattern
		.compile("(spring-(boot|boot-autoconfigure|core|context|beans|aop|expression)|micrometer-(commons|observation)"
				+ "|commons-logging|jspecify|slf4j-api|logback-\\w+|log4j-(api|to-slf4j)|jul-to-slf4j|snakeyaml"
				+ "|jakarta\\.annotation-api)-\\d.*\\.jar|test-classes");

	private static final Pattern WEB = Pattern
		.compile("(spring-(web|webmvc|boot-(http-converter|jackson|servlet|tomcat|web-server|webmvc))|tomcat-embed-\\w+"
				+ "|jackson-(annotations|core|databind))-\\d.*\\.jar");

	@Test
	void hasGeneratorsButNoTls() throws Exception {
		assertThat(ChildJvm.run(BareApplicationTests::isStarter, Application.class)).contains("generator=4",
				"factories=2", "caches=0");
	}

	@ParameterizedTest
	@ValueSource(booleans = { false, true })
	void loadsFewMoreClassesThanWithoutStarter(boolean web) throws Exception {
		long without = classes(web, false);
		long with = classes(web, true);
		assertThat(with - without).isBetween(10L, 200L);
	}

	private static long classes(boolean web, boolean starter) throws Exception {
		return ChildJvm
			.run((entry) -> isBoot(entry) || (web && WEB.matcher(entry).matches())
					|| (starter && entry.equals("classes")), EmptyApplication.class, "--server.port=0")
			.lines()
			.filter((line) -> line.startsWith("classes="))
			.mapToLong((line) -> Long.parseLong(line.substring("classes=".length())))
			.sum();
	}

	private static boolean isBoot(String entry) {
		return STARTER.matcher(entry).matches();
	}

	private static boolean isStarter(String entry) {
		return isBoot(entry) || entry.equals("classes");
	}

	@SpringBootConfiguration(proxyBeanMethods = false)
	@EnableAutoConfiguration
	static class EmptyApplication {

		public static void main(String[] args) {
			ConfigurableApplicationContext context = SpringApplication.run(EmptyApplication.class, args);
			System.out.println("classes=" + ManagementFactory.getClassLoadingMXBean().getTotalLoadedClassCount());
			context.close();
		}

	}

	@SpringBootConfiguration(proxyBeanMethods = false)
	@EnableAutoConfiguration
	static class Application {

		public static void main(String[] args) {
			try (ConfigurableApplicationContext context = SpringApplication.run(Application.class, args)) {
				System.out.println("generator=" + context.getBean(UuidGenerator.class).randomUuid().version());
				System.out.println("factories=" + context.getBeansOfType(NameUuidFactory.class).size());
				System.out.println("caches=" + context.getBeanNamesForType(SslSessionCache.class).length);
			}
		}

	}

}
