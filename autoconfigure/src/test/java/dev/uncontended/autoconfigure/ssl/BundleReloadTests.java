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

import java.nio.file.Files;
import java.nio.file.Path;
import java.security.KeyStore;
import java.util.ArrayList;
import java.util.List;

import dev.uncontended.tls.CommandLine;
import dev.uncontended.tls.TestKeyStore;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIf;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.CsvSource;

import org.springframework.boot.ssl.SslBundle;
import org.springframework.boot.ssl.SslBundleKey;
import org.springframework.boot.ssl.SslBundleRegistry;
import org.springframework.boot.ssl.SslStoreBundle;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatException;

/**
 * Tests for sessions while Boot reloads bundles, of which one is for a server name. Boot
 * reloads no bundles of Jetty.
 */
@Tag("product")
@ParameterizedClass(name = "{0} {1}")
@CsvSource({ "TOMCAT, jdk", "TOMCAT, boringssl", "NETTY, jdk", "NETTY, boringssl" })
@EnabledIf("isOpenSslInstalled")
class BundleReloadTests extends AbstractTlsServerTests {

	private static final List<String> PROTOCOLS = List.of("-tls1_2", "-tls1_3");

	private static final String NAMED = "second.test";

	private static final String DEFAULT = "first.test";

	BundleReloadTests(TestServer server, String engine) {
		super(server, engine);
	}

	@Test
	void sessionOfReplacedCertificateDoesNotResume() throws Exception {
		startWithTwoBundles();
		for (String protocol : PROTOCOLS) {
			reload("web", first);
			assertFull(protocol, DEFAULT);
			assertResumed(protocol, DEFAULT);
			reload("web", second);
			assertThat(this.clients.servedCertificate()).isEqualTo(second.certificate());
			assertFull(protocol, DEFAULT);
			assertResumed(protocol, DEFAULT);
		}
		assertThat(contexts()).hasSize(2);
	}

	@Test
	void sessionOfReplacedCertificateOfServerNameDoesNotResume() throws Exception {
		startWithTwoBundles();
		for (String protocol : PROTOCOLS) {
			reload("other", second);
			assertFull(protocol, NAMED);
			assertResumed(protocol, NAMED);
			reload("other", first);
			assertThat(this.clients.servedCertificate(NAMED)).isEqualTo(first.certificate());
			assertFull(protocol, NAMED);
			assertResumed(protocol, NAMED);
		}
		assertThat(contexts()).hasSize(2);
	}

	@Test
	void sessionsOfOtherBundleSurviveReload() throws Exception {
		startWithTwoBundles();
		for (String protocol : PROTOCOLS) {
			assertFull(protocol, NAMED);
			reload("web", second);
			assertResumed(protocol, NAMED);
			reload("web", first);
		}
	}

	@Test
	void sessionsEndWithReloadsBeforeAndAfter() throws Exception {
		startWithTwoBundles();
		for (String protocol : PROTOCOLS) {
			for (String name : List.of(DEFAULT, NAMED)) {
				assertFull(protocol, name);
			}
			reload("web", second);
			reload("other", first);
			sessions().endAll();
			reload("web", first);
			reload("other", second);
			for (String name : List.of(DEFAULT, NAMED)) {
				assertFull(protocol, name);
				assertResumed(protocol, name);
			}
			sessions().endAll();
			for (String name : List.of(DEFAULT, NAMED)) {
				assertFull(protocol, name);
				assertResumed(protocol, name);
			}
		}
	}

	@Test
	void keyOfOtherCertificateKeepsOldCertificate() throws Exception {
		start();
		SslBundleRegistry bundles = context().getBean(SslBundleRegistry.class);
		SslBundle mixed = bundle(first.withCertificateOf(second));
		assertThatException().isThrownBy(() -> bundles.updateBundle("web", mixed))
			.havingRootCause()
			.withMessageContaining("does not belong to the certificate of CN=second.test");
		assertThat(this.clients.servedCertificate()).isEqualTo(first.certificate());
		assertServes();
		reload("web", second);
		assertThat(this.clients.servedCertificate()).isEqualTo(second.certificate());
	}

	private void startWithTwoBundles() {
		List<String> arguments = new ArrayList<>(bundle("other", second));
		arguments.addAll(List.of("--server.ssl.server-name-bundles[0].server-name=" + NAMED,
				"--server.ssl.server-name-bundles[0].bundle=other"));
		start(arguments.toArray(String[]::new));
	}

	private void reload(String bundle, TestKeyStore keyStore) {
		context().getBean(SslBundleRegistry.class).updateBundle(bundle, bundle(keyStore.keyStore()));
	}

	private static SslBundle bundle(KeyStore keyStore) {
		return SslBundle.of(SslStoreBundle.of(keyStore, TestKeyStore.PASSWORD, null),
				SslBundleKey.of(TestKeyStore.PASSWORD, "test"));
	}

	/**
	 * Asserts that a client with its last session, if any, makes a full handshake.
	 */
	private void assertFull(String protocol, String name) throws Exception {
		TestClients.assertHandshakes(connect(protocol, name), 1, 0);
	}

	private void assertResumed(String protocol, String name) throws Exception {
		TestClients.assertHandshakes(connect(protocol, name), 0, 1);
	}

	private String connect(String protocol, String name) throws Exception {
		Path session = directory.resolve(this.server + this.engine + name + protocol + ".pem");
		List<String> command = new ArrayList<>(List.of("openssl", "s_client", "-connect", "localhost:" + port(),
				"-servername", name, "-ign_eof", protocol, "-sess_out", session.toString()));
		if (Files.exists(session)) {
			command.addAll(List.of("-sess_in", session.toString()));
		}
		return CommandLine.run(TestClients.REQUEST, command);
	}

}
