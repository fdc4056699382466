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

package dev.uncontended.war;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Predicate;

import dev.uncontended.ChildJvm;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for a WAR in an external Tomcat with TLS.
 */
@Tag("integration")
@Tag("slow")
@Tag("product")
class WarTests {

	private static final String INSTALL = "uncontended.secure-random.install=true";

	/*
	 * The class UUID keeps the generator of the first deployment.
	 */
	@Test
	void dropInOfRedeploymentIsNotEffective() throws Exception {
		String output = deployTwice(INSTALL);
		assertThat(lines(output, "uuid=")).satisfiesExactly(
				(first) -> assertThat(first).contains("\"installed\":true,\"effective\":true"),
				(second) -> assertThat(second).contains("\"installed\":true,\"effective\":false"));
		assertThat(lines(output, "UUID.randomUUID() does not run")).singleElement()
			.asString()
			.contains("drawn before the provider was installed");
		assertThat(output).contains("class loaders left: 1");
	}

	@Test
	void dropInOfContainerStaysInstalled() throws Exception {
		String output = deployTwice(ServletContainer.INSTALL, INSTALL);
		assertThat(lines(output, "uuid=")).hasSize(2)
			.allMatch((line) -> line.contains("\"installed\":false,\"effective\":false"));
		assertThat(lines(output, "another class loader")).hasSize(2);
		assertThat(output).contains("class loaders left: 0");
	}

	private static List<String> lines(String output, String content) {
		return output.lines().filter((line) -> line.contains(content)).toList();
	}

	private static String deployTwice(String... properties) throws Exception {
		return deploy((entry) -> true, "2", properties);
	}

	private static String deploy(Predicate<String> entries, String times, String... properties) throws Exception {
		List<String> arguments = new ArrayList<>(List.of(times));
		arguments.addAll(List.of(properties));
		arguments.add("management.endpoints.web.exposure.include=uuid");
		// Soft references would keep class loaders.
		return ChildJvm.run(List.of("-XX:SoftRefLRUPolicyMSPerMB=0"), entries, ServletContainer.class,
				arguments.toArray(String[]::new));
	}

}
