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

package dev.uncontended.autoconfigure.securerandom;

import dev.uncontended.ChildJvm;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for {@code uncontended.secure-random.install} in separate JVMs, because a JVM
 * chooses the generator of {@code UUID.randomUUID()} once.
 */
@Tag("integration")
@Tag("product")
class SecureRandomAutoConfigurationTests {

	private static final String INSTALL = "--uncontended.secure-random.install=true";

	/**
	 * The output of an application that starts, draws, uses random numbers, and stops.
	 */
	private static String installed = "";

	@BeforeAll
	static void runInstalled() throws Exception {
		installed = run(INSTALL, "--draw", "--use");
	}

	@Test
	void jdkUuidsUseProvider() {
		assertThat(installed).contains("installed=true effective=true")
			.contains("first=Uncontended")
			.doesNotContain("WARN");
	}

	@Test
	void startupLogReportsProvider() {
		assertThat(installed).contains("UUID.randomUUID() runs on Uncontended");
	}

	@Test
	void startupLogReportsProviderInstalledByApplication() throws Exception {
		assertThat(run("--install-first")).contains("UUID.randomUUID() runs on Uncontended");
	}

	@Test
	void lastContextUninstallsProvider() {
		assertThat(installed).contains("after close installed=false").contains("after close version=4");
	}

	@Test
	void exposesDrawsOfJdk() {
		assertThat(installed).contains("endpoint=1000 stripes=")
			.contains("failures=0 fast=true")
			.contains("alone stripes=true")
			.contains("meter=1000.0")
			.contains("refill failures=0.0");
	}

	@ParameterizedTest
	@EnumSource
	void otherRandomNumberGeneratorsWork(DropInApplication.Use use) {
		assertThat(installed).contains(use + " works");
	}

	@Test
	void isDisabledByDefault() throws Exception {
		assertThat(run()).contains("installed=false effective=false").doesNotContain("first=Uncontended");
	}

	@Test
	void warnsIfInstalledTooLate() throws Exception {
		assertThat(run("--draw-first", INSTALL)).contains("installed=true effective=false")
			.contains("WARN")
			.contains("UUID.randomUUID() does not run on the Uncontended provider");
	}

	@Test
	void failureBeforeContextUninstallsProvider() throws Exception {
		assertThat(run(INSTALL, "--fail=initialization")).contains("failed On purpose")
			.contains("after close installed=false");
	}

	@Test
	void failureOfContextUninstallsProvider() throws Exception {
		assertThat(run(INSTALL, "--fail=refresh")).contains("during start installed=true")
			.contains("failed On purpose")
			.contains("after close installed=false");
	}

	@Test
	void failureOfUninstalledGeneratorIsNotExposed() throws Exception {
		assertThat(run(INSTALL, "--break")).contains("after close health=UP");
	}

	@Test
	void exposesFailureOfJdkGenerator() throws Exception {
		assertThat(run(INSTALL, "--break")).contains("failures=1 last=java.security.ProviderException")
			.containsPattern("health=DOWN \\{dropIn=");
	}

	@Test
	void propertiesOfPoolApplyBeforeContextExists() throws Exception {
		assertThat(run(INSTALL, "--uncontended.uuid.random.stripes=5", "--fail=initialization"))
			.contains("during initialization stripes=8");
	}

	private static String run(String... arguments) throws Exception {
		return ChildJvm.run(DropInApplication.class, arguments);
	}

}
