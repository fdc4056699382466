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

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicReference;

import dev.uncontended.actuate.SslSessionsEndpoint;
import dev.uncontended.tls.CommandLine;
import dev.uncontended.tls.handshake.FailedTlsHandshake;
import dev.uncontended.tls.handshake.FailedTlsHandshake.Reason;
import dev.uncontended.tls.handshake.HandshakeCount;
import dev.uncontended.tls.handshake.HandshakeKind;
import io.netty.channel.Channel;
import io.netty.handler.ssl.OpenSslContextOption;
import io.netty.handler.ssl.OpenSslSession;
import io.netty.handler.ssl.SslContext;
import io.netty.handler.ssl.SslContextBuilder;
import io.netty.handler.ssl.SslHandler;
import io.netty.handler.ssl.SslProvider;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIf;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import org.springframework.boot.autoconfigure.ImportAutoConfiguration;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatException;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

/**
 * Tests for the groups of key exchanges, with BoringSSL as the client.
 */
@EachServerAndEngine
class GroupTests extends AbstractTlsServerTests {

	private static final String GROUPS = "--uncontended.ssl.groups=";

	/** IANA names by the client's names. */
	private static final Map<String, String> NAMES = Map.of("X25519", "x25519", "P-256", "secp256r1", "P-384",
			"secp384r1", "P-521", "secp521r1");

	GroupTests(TestServer server, String engine) {
		super(server, engine);
	}

	@Override
	List<Class<?>> sources() {
		return List.of(Endpoint.class);
	}

	@ParameterizedTest
	@CsvSource({ "TLSv1.3, X25519MLKEM768", "TLSv1.3, x25519 X25519MLKEM768", "TLSv1.3, P-256 x25519", "TLSv1.3, P-384",
			"TLSv1.3, P-521 x25519", "TLSv1.2, x25519 P-256", "TLSv1.2, P-384 P-256" })
	void reportsGroupThatClientReports(String protocol, String offered) throws Exception {
		assumeTrue(this.engine.equals("boringssl") || !offered.equals("X25519MLKEM768"));
		share();
		String group = request(protocol, offered);
		String expected = (this.engine.equals("jdk") && protocol.equals("TLSv1.2")) ? "unknown" : group;
		Awaitility.await()
			.untilAsserted(
					() -> assertThat(completed().keySet()).extracting(HandshakeKind::group).containsExactly(expected));
	}

	@ParameterizedTest
	@CsvSource({ "X25519MLKEM768, X25519MLKEM768", "x25519 X25519MLKEM768, X25519MLKEM768",
			"P-256 x25519 X25519MLKEM768, X25519MLKEM768", "P-256 x25519, secp256r1" })
	void prefersPostQuantumGroup(String offered, String negotiated) throws Exception {
		requireBoringSsl();
		share();
		assertThat(request("TLSv1.3", offered)).isEqualTo(negotiated);
	}

	@ParameterizedTest
	@CsvSource({ "'secp384r1,x25519', x25519 P-384, secp384r1", "'secp384r1,x25519', x25519, x25519",
			"'x25519,X25519MLKEM768', X25519MLKEM768 x25519, x25519",
			"'mlkem1024, X25519MLKEM768', X25519MLKEM768 MLKEM1024, MLKEM1024",
			"X25519MLKEM768, x25519 X25519MLKEM768, X25519MLKEM768" })
	void followsOrderOfConfiguredGroups(String configured, String offered, String negotiated) throws Exception {
		requireBoringSsl();
		start(GROUPS + configured);
		assertThat(request("TLSv1.3", offered)).isEqualTo(negotiated);
	}

	@Test
	@EnabledIf("isOpenSslInstalled")
	void postQuantumGroupAloneRefusesClassicalClients() throws Exception {
		requireBoringSsl();
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

	@ParameterizedTest
	@CsvSource({ "secp224r1", "'x25519,X25519MLKEM786'" })
	void unknownGroupFailsStart(String groups) {
		requireBoringSsl();
		assertThatException().isThrownBy(() -> start(GROUPS + groups))
			.withStackTraceContaining("is not a group that BoringSSL supports and the JDK's properties permit:"
					+ " [X25519MLKEM768, x25519, secp256r1, secp384r1, secp521r1, MLKEM1024]");
	}

	@Test
	void postQuantumGroupAloneWithoutTls13FailsStart() {
		requireBoringSsl();
		assertThatException().isThrownBy(
				() -> start(GROUPS + "X25519MLKEM768", "--spring.ssl.bundle.jks.web.options.enabled-protocols=TLSv1.2"))
			.withStackTraceContaining("require TLS 1.3, but the usable protocols of the server are [TLSv1.2]");
	}

	@Test
	@EnabledIf("isOpenSslInstalled")
	void countsRetries() throws Exception {
		requireBoringSsl();
		share(GROUPS + "secp256r1");
		long before = handshakes().retriedCount(id());
		CommandLine.openSslClient(port(), TestClients.REQUEST, "-ign_eof", "-tls1_3", "-groups", "P-256");
		assertThat(handshakes().retriedCount(id())).isEqualTo(before);
		CommandLine.openSslClient(port(), TestClients.REQUEST, "-ign_eof", "-tls1_3", "-groups", "X25519:P-256");
		assertThat(handshakes().retriedCount(id())).isEqualTo(before + 1);
	}

	@Test
	@EnabledIf("isOpenSslInstalled")
	void countsRetryThatClientSees() throws Exception {
		share();
		long before = handshakes().retriedCount(id());
		String messages = CommandLine.openSslClient(port(), TestClients.REQUEST, "-ign_eof", "-tls1_3", "-groups",
				"P-521:P-256", "-msg");
		int serverHellos = messages.split("ServerHello", -1).length - 1;
		assertThat(handshakes().retriedCount(id()) - before).isEqualTo(serverHellos - 1);
	}

	@Test
	@EnabledIf("isOpenSslInstalled")
	void onlyResumptionWithTls13HasKeyExchange() throws Exception {
		share();
		for (String protocol : List.of("-tls1_2", "-tls1_3")) {
			this.clients.assertFull(protocol);
			this.clients.assertResumed(protocol);
		}
		Awaitility.await()
			.untilAsserted(
					() -> assertThat(completed().entrySet()).filteredOn((entry) -> entry.getValue().resumed() > 0)
						.extracting((entry) -> entry.getKey().protocol() + " " + entry.getKey().group())
						.containsExactlyInAnyOrder("TLSv1.2 none", "TLSv1.3 x25519"));
		assertThat(completed().values()).contains(new HandshakeCount(0, 1));
	}

	private void requireBoringSsl() {
		assumeTrue(this.engine.equals("boringssl"));
	}

	/**
	 * Sends a request, and returns the IANA name of the group.
	 */
	private String request(String protocol, String offered) throws Exception {
		AtomicReference<String> group = new AtomicReference<>();
		SslContext client = SslContextBuilder.forClient()
			.sslProvider(SslProvider.OPENSSL)
			.protocols(protocol)
			.option(OpenSslContextOption.GROUPS, offered.split(" "))
			.trustManager(first.certificate())
			.build();
		String response = reactor.netty.http.client.HttpClient.newConnection()
			.secure((spec) -> spec.sslContext(client))
			.doAfterRequest((request, connection) -> group.set(namedGroup(connection.channel())))
			.get()
			.uri("https://localhost:" + port() + "/")
			.responseContent()
			.aggregate()
			.asString()
			.block(Duration.ofSeconds(60));
		assertThat(response).isEqualTo("ok");
		return NAMES.getOrDefault(group.get(), group.get());
	}

	private static String namedGroup(Channel channel) {
		return ((OpenSslSession) channel.pipeline().get(SslHandler.class).engine().getSession()).getNamedGroup();
	}

	@ImportAutoConfiguration(SslSessionsEndpointAutoConfiguration.class)
	static class Endpoint {

	}

}
