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

import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;

import dev.uncontended.tls.CommandLine;
import dev.uncontended.tls.handshake.FailedTlsHandshake;
import dev.uncontended.tls.handshake.FailedTlsHandshake.Reason;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIf;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatException;

/**
 * Tests for the groups of servers with BoringSSL.
 */
@ParameterizedClass
@EnumSource
class BoringSslGroupTests extends AbstractGroupLimitTests {

	BoringSslGroupTests(TestServer server) {
		super(server, "boringssl");
	}

	@ParameterizedTest
	@CsvSource({ "X25519MLKEM768 x25519, X25519MLKEM768", "x25519 X25519MLKEM768, x25519", "P-256 x25519, secp256r1" })
	void followsOrderOfClient(String offered, String negotiated) throws Exception {
		share();
		assertThat(GroupClient.request(port(), first.certificate(), "TLSv1.3", offered)).isEqualTo(negotiated);
	}

	@ParameterizedTest
	@CsvSource({ "'secp384r1,x25519', x25519 P-384, secp384r1", "'secp384r1,x25519', x25519, x25519",
			"'x25519,X25519MLKEM768', X25519MLKEM768 x25519, x25519",
			"'mlkem1024, X25519MLKEM768', X25519MLKEM768 MLKEM1024, MLKEM1024",
			"X25519MLKEM768, x25519 X25519MLKEM768, X25519MLKEM768" })
	void followsOrderOfConfiguredGroups(String configured, String offered, String negotiated) throws Exception {
		start(GROUPS + configured);
		assertThat(GroupClient.request(port(), first.certificate(), "TLSv1.3", offered)).isEqualTo(negotiated);
	}

	@Test
	@EnabledIf("isOpenSslInstalled")
	void postQuantumGroupAloneRefusesClassicalClients() throws Exception {
		share(GROUPS + "X25519MLKEM768");
		assertThat(refusal("-tls1_3")).contains("alert handshake failure");
		assertThat(refusal("-tls1_2")).contains("alert protocol version");
		Awaitility.await()
			.untilAsserted(
					() -> assertThat(failed()).containsOnly(Map.entry(new FailedTlsHandshake(id(), Reason.CIPHER), 1L),
							Map.entry(new FailedTlsHandshake(id(), Reason.PROTOCOL), 1L)));
	}

	private String refusal(String protocol) throws Exception {
		return CommandLine.openSslClient(port(), TestClients.REQUEST, "-ign_eof", protocol);
	}

	@Test
	void postQuantumGroupAloneWithoutTls13FailsStart() {
		assertThatException().isThrownBy(
				() -> start(GROUPS + "X25519MLKEM768", "--spring.ssl.bundle.jks.web.options.enabled-protocols=TLSv1.2"))
			.withStackTraceContaining("require TLS 1.3, but the usable protocols of the server are [TLSv1.2]");
	}

	@Test
	@EnabledIf("isOpenSslInstalled")
	void countsRetries() throws Exception {
		share(GROUPS + "secp256r1");
		AtomicInteger retries = countRetries();
		CommandLine.openSslClient(port(), TestClients.REQUEST, "-ign_eof", "-tls1_3", "-groups", "P-256");
		assertThat(retries).hasValue(0);
		CommandLine.openSslClient(port(), TestClients.REQUEST, "-ign_eof", "-tls1_3", "-groups", "X25519:P-256");
		assertThat(retries).hasValue(1);
	}

}
