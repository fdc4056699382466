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

import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;

import dev.uncontended.actuate.SslSessionsEndpoint;
import dev.uncontended.tls.CommandLine;
import dev.uncontended.tls.handshake.HandshakeCount;
import dev.uncontended.tls.handshake.HandshakeKind;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIf;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import org.springframework.boot.autoconfigure.ImportAutoConfiguration;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for the groups of key exchanges, with BoringSSL as the client.
 */
@EachServerAndEngine
class GroupTests extends AbstractTlsServerTests {

	GroupTests(TestServer server, String engine) {
		super(server, engine);
	}

	@Override
	List<Class<?>> sources() {
		return List.of(Endpoint.class);
	}

	@ParameterizedTest
	@ValueSource(strings = { "x25519 X25519MLKEM768", "P-256 x25519", "P-384", "P-521 x25519" })
	void reportsGroupThatClientReports(String offered) throws Exception {
		share();
		awaitGroup(GroupClient.request(port(), first.certificate(), "TLSv1.3", offered));
	}

	@Test
	void groupOfTls12IsUnknown() throws Exception {
		share();
		GroupClient.request(port(), first.certificate(), "TLSv1.2", "x25519 P-256");
		awaitGroup("unknown");
	}

	private void awaitGroup(String group) {
		Awaitility.await()
			.untilAsserted(
					() -> assertThat(completed().keySet()).extracting(HandshakeKind::group).containsExactly(group));
	}

	@Test
	void endpointListsGroups() {
		share("--management.endpoints.web.exposure.include=sslsessions");
		SslSessionsEndpoint endpoint = context().getBean(SslSessionsEndpoint.class);
		if (this.engine.equals("jdk")) {
			assertThat(endpoint.sslSessions().groups()).isEmpty();
		}
		else {
			assertThat(endpoint.sslSessions().groups()).startsWith("X25519MLKEM768", "x25519");
		}
	}

	@Test
	@EnabledIf("isOpenSslInstalled")
	void countsRetryThatClientSees() throws Exception {
		share();
		AtomicInteger retries = countRetries();
		String messages = CommandLine.openSslClient(port(), TestClients.REQUEST, "-ign_eof", "-tls1_3", "-groups",
				"P-521:P-256", "-msg");
		int serverHellos = messages.split("ServerHello", -1).length - 1;
		assertThat(retries).hasValue(serverHellos - 1);
	}

	@Test
	@EnabledIf("isOpenSslInstalled")
	void resumptionWithTls13HasKeyExchange() throws Exception {
		share();
		for (String protocol : List.of("-tls1_2", "-tls1_3")) {
			this.clients.assertFull(protocol);
			this.clients.assertResumed(protocol);
		}
		Awaitility.await()
			.untilAsserted(
					() -> assertThat(completed().entrySet()).filteredOn((entry) -> entry.getValue().resumed() > 0)
						.extracting((entry) -> entry.getKey().protocol() + " " + entry.getKey().group())
						.containsExactlyInAnyOrder("TLSv1.2 unknown", "TLSv1.3 x25519"));
		assertThat(completed().values()).containsOnly(new HandshakeCount(1, 1));
	}

	@ImportAutoConfiguration(SslActuatorAutoConfiguration.class)
	static class Endpoint {

	}

}
