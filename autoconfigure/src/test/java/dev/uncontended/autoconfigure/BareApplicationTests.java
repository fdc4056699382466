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
import java.util.Arrays;
import java.util.List;
import java.util.regex.Pattern;

import com.sun.management.OperatingSystemMXBean;
import dev.uncontended.ChildJvm;
import dev.uncontended.tls.session.SslSessionCache;
import dev.uncontended.uuid.NameUuidFactory;
import dev.uncontended.uuid.UuidGenerator;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;
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
		long without = figure("classes", start(web, false));
		long with = figure("classes", start(web, true));
		assertThat(with - without).isBetween(10L, 180L);
	}

	/**
	 * Not a test, because CPU time cannot be asserted. Prints the medians of the given
	 * number of starts.
	 */
	@ParameterizedTest
	@ValueSource(booleans = { false, true })
	@EnabledIfSystemProperty(named = "starts", matches = "\\d+")
	void printsCpuTimeOfStart(boolean web) throws Exception {
		int starts = Integer.getInteger("starts");
		long[] without = new long[starts];
		long[] with = new long[starts];
		for (int i = 0; i < starts; i++) {
			without[i] = figure("cpu", start(web, false));
			with[i] = figure("cpu", start(web, true));
		}
		Arrays.sort(without);
		Arrays.sort(with);
		System.out.printf("CPU time of a start %s, ms: %d without, %d with the starter (least: %d, %d)%n",
				web ? "with Tomcat" : "without a server", without[starts / 2], with[starts / 2], without[0], with[0]);
	}

	/**
	 * Uses both compilers, as an application does.
	 */
	private static String start(boolean web, boolean starter) throws Exception {
		return ChildJvm.run(List.of("-XX:TieredStopAtLevel=4"), (entry) -> isBoot(entry)
				|| (web && WEB.matcher(entry).matches()) || (starter && entry.equals("classes")),
				EmptyApplication.class, "--server.port=0");
	}

	private static long figure(String name, String output) {
		return output.lines()
			.filter((line) -> line.startsWith(name + "="))
			.mapToLong((line) -> Long.parseLong(line.substring(name.length() + 1)))
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
			System.out.println("cpu="
					+ ManagementFactory.getPlatformMXBean(OperatingSystemMXBean.class).getProcessCpuTime() / 1_000_000);
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
