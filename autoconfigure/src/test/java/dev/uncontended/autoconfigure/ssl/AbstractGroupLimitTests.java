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

import java.util.Set;

import dev.uncontended.tls.CommandLine;
import dev.uncontended.tls.TestKeyStore;
import io.netty.pkitesting.CertificateBuilder;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIf;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatException;

/**
 * Tests for servers with configured groups, to which clients connect that offer exactly
 * one group.
 */
abstract class AbstractGroupLimitTests extends AbstractTlsServerTests {

	static final String GROUPS = "--uncontended.ssl.groups=";

	private static final String LIMIT = GROUPS + "secp384r1,X25519";

	/** The alerts of BoringSSL and of the JDK. */
	private static final String REFUSAL = "sslv3 alert (handshake failure|unexpected message)";

	private static final Set<String> WITHIN_LIMIT = Set.of("secp384r1", "x25519");

	AbstractGroupLimitTests(TestServer server, String engine) {
		super(server, engine);
	}

	/*
	 * TLS 1.2 requires of clients that their groups contain the curve of the certificate,
	 * so the server has a certificate without a curve.
	 */
	@BeforeAll
	static void createRsaKeyStore() {
		first = TestKeyStore.create(directory.resolve("first.p12"), "first.test", CertificateBuilder::rsa2048);
	}

	@ParameterizedTest
	@CsvSource({ "TLSv1.3, X25519, x25519", "TLSv1.3, P-256, secp256r1", "TLSv1.3, P-384, secp384r1",
			"TLSv1.3, P-521, secp521r1", "TLSv1.3, X25519MLKEM768, X25519MLKEM768", "TLSv1.2, X25519, x25519",
			"TLSv1.2, P-256, secp256r1", "TLSv1.2, P-384, secp384r1", "TLSv1.2, P-521, secp521r1" })
	void acceptsConfiguredGroupsOnly(String protocol, String offered, String name) throws Exception {
		share(LIMIT);
		if (WITHIN_LIMIT.contains(name)) {
			assertThat(GroupClient.request(port(), first.certificate(), protocol, offered)).isEqualTo(name);
		}
		else {
			assertThatException().isThrownBy(() -> GroupClient.request(port(), first.certificate(), protocol, offered));
		}
	}

	@Test
	@EnabledIf("isOpenSslInstalled")
	void refusesFiniteFieldGroups() throws Exception {
		share(LIMIT);
		assertThat(openSsl("-tls1_3", "-groups", "ffdhe2048")).containsPattern(REFUSAL);
	}

	@ParameterizedTest
	@ValueSource(strings = { "-tls1_2", "-tls1_3" })
	@EnabledIf("isOpenSslInstalled")
	void resumesWithConfiguredGroup(String protocol) throws Exception {
		share(LIMIT);
		this.clients.assertFull(protocol, "-groups", "P-384");
		this.clients.assertResumed(protocol, "-groups", "X25519");
	}

	@Test
	@EnabledIf("isOpenSslInstalled")
	void resumptionCannotUseAnotherGroup() throws Exception {
		share(LIMIT);
		this.clients.assertFull("-tls1_3", "-groups", "P-384");
		assertThat(openSsl("-tls1_3", "-groups", "P-256", "-sess_in", this.clients.session("-tls1_3")))
			.containsPattern(REFUSAL);
	}

	@ParameterizedTest
	@ValueSource(strings = { "secp224r1", "x25519,X25519MLKEM786", "*x25519" })
	void unknownGroupFailsStart(String groups) {
		assertThatException().isThrownBy(() -> start(GROUPS + groups))
			.withStackTraceContaining("uncontended.ssl.groups")
			.withStackTraceContaining("x25519, secp256r1, secp384r1, secp521r1");
	}

	private String openSsl(String... options) throws Exception {
		return CommandLine.openSslClient(port(), TestClients.REQUEST, options);
	}

}
