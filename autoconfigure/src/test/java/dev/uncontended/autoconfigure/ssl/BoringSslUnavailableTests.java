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

import java.nio.file.FileSystem;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.function.Predicate;

import dev.uncontended.ChildJvm;
import dev.uncontended.tls.TestKeyStore;
import io.netty.internal.tcnative.SSL;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledForJreRange;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.JRE;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.ImportAutoConfiguration;
import org.springframework.boot.tomcat.autoconfigure.servlet.TomcatServletWebServerAutoConfiguration;
import org.springframework.context.annotation.Configuration;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for the output of an application whose engine BoringSSL is not available.
 */
@Tag("integration")
@Tag("product")
class BoringSslUnavailableTests {

	private static final String STARTED = "started with BoringSSL";

	private static final Predicate<String> ALL = (jar) -> true;

	@TempDir
	private static Path directory;

	private static TestKeyStore keyStore;

	@BeforeAll
	static void createKeyStore() {
		keyStore = TestKeyStore.create(directory.resolve("server.p12"), "server.test");
	}

	@Test
	void startsIfBoringSslIsAvailable() throws Exception {
		assertThat(run(ALL)).contains(STARTED).doesNotContain("CVE");
	}

	@Test
	void warnsAboutVulnerableVersion(@TempDir Path folder) throws Exception {
		Path jar = folder.resolve("netty-tcnative-classes.jar");
		try (FileSystem classes = FileSystems.newFileSystem(Files.copy(tcnativeClasses(), jar))) {
			Path manifest = classes.getPath("META-INF/MANIFEST.MF");
			Files.writeString(manifest, Files.readString(manifest)
				.replaceFirst("Implementation-Version: .*", "Implementation-Version: 2.0.83.Final"));
		}
		assertThat(ChildJvm.run(List.of(), jar.toString(), Application.class, keyStore.location())).contains(STARTED)
			.containsOnlyOnce("CVE-2026-116541")
			.contains("WARN", "netty-tcnative 2.0.83.Final has vulnerabilities", "CVE-2026-116539", "CVE-2026-116542",
					"'netty.version'");
	}

	@Test
	void reportsMissingNetty() throws Exception {
		assertThat(run((jar) -> !jar.startsWith("netty-"))).doesNotContain(STARTED)
			.contains("APPLICATION FAILED TO START",
					"Invalid value 'boringssl' for configuration property 'uncontended.ssl.engine'",
					"io.netty:netty-handler");
	}

	@Test
	void reportsMissingNativeLibrary() throws Exception {
		assertThat(run((jar) -> !jar.startsWith("netty-tcnative"))).doesNotContain(STARTED)
			.contains("APPLICATION FAILED TO START", "native library is not on the class path",
					"io.netty:netty-tcnative-boringssl-static");
	}

	@Test
	void reportsMissingNativeLibraryOfPlatform() throws Exception {
		assertThat(run((jar) -> !jar.startsWith("netty-tcnative-boringssl-static"))).doesNotContain(STARTED)
			.contains("APPLICATION FAILED TO START", "native library for this platform",
					"io.netty:netty-tcnative-boringssl-static");
	}

	@Test
	@EnabledOnOs(OS.LINUX)
	void reportsReadOnlyTemporaryFolder() throws Exception {
		assertThat(run(ALL, "-Dio.netty.native.workdir=/proc")).doesNotContain(STARTED)
			.contains("APPLICATION FAILED TO START", "Make '/proc' writable and executable", "io.netty.native.workdir");
	}

	@Test
	void reportsDisabledNativeTls() throws Exception {
		assertThat(run(ALL, "-Dio.netty.handler.ssl.noOpenSsl=true")).doesNotContain(STARTED)
			.contains("APPLICATION FAILED TO START", "-Dio.netty.handler.ssl.noOpenSsl=true");
	}

	@Test
	@EnabledForJreRange(min = JRE.JAVA_24)
	void reportsDeniedNativeAccess() throws Exception {
		assertThat(run(ALL, "--illegal-native-access=deny")).doesNotContain(STARTED)
			.contains("APPLICATION FAILED TO START", "--enable-native-access=ALL-UNNAMED");
		assertThat(run(ALL, "--illegal-native-access=deny", "--enable-native-access=ALL-UNNAMED")).contains(STARTED);
	}

	private static Path tcnativeClasses() throws Exception {
		return Path.of(SSL.class.getProtectionDomain().getCodeSource().getLocation().toURI());
	}

	private static String run(Predicate<String> jars, String... options) throws Exception {
		return ChildJvm.run(List.of(options), jars, Application.class, keyStore.location());
	}

	@Configuration(proxyBeanMethods = false)
	@ImportAutoConfiguration({ SslServerAutoConfiguration.class, TomcatServletWebServerAutoConfiguration.class })
	static class Application {

		public static void main(String[] args) {
			try {
				SpringApplication.run(Application.class, "--server.port=0", "--server.address=127.0.0.1",
						"--server.ssl.key-store=" + args[0], "--server.ssl.key-store-password=" + TestKeyStore.PASSWORD,
						"--uncontended.ssl.engine=boringssl");
				System.out.println(STARTED);
			}
			catch (RuntimeException ex) {
				// Printed by the failure analysis
			}
			System.exit(0);
		}

	}

}
