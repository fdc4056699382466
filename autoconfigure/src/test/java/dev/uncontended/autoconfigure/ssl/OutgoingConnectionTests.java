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

import javax.net.ssl.SSLContext;

import dev.uncontended.tls.engine.NamedGroups;
import dev.uncontended.tls.handshake.HandshakeKind;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

import org.springframework.boot.http.client.ClientHttpRequestFactoryBuilder;
import org.springframework.boot.http.client.HttpClientSettings;
import org.springframework.boot.http.client.reactive.ClientHttpConnectorBuilder;
import org.springframework.boot.ssl.SslBundles;
import org.springframework.web.client.RestClient;
import org.springframework.web.reactive.function.client.WebClient;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for the groups of Spring's HTTP clients, with netty-tcnative on the class path.
 */
@Tag("product")
class OutgoingConnectionTests extends AbstractTlsServerTests {

	OutgoingConnectionTests() {
		super(TestServer.TOMCAT, "boringssl");
	}

	@Test
	void restClientOverReactorNettyIsPostQuantum() {
		share();
		assertThat(get(ClientHttpRequestFactoryBuilder.reactor())).isEqualTo("ok");
		assertGroups("X25519MLKEM768");
	}

	@Test
	void webClientOverReactorNettyIsPostQuantum() {
		share();
		String body = WebClient.builder()
			.clientConnector(ClientHttpConnectorBuilder.reactor().build(settings()))
			.build()
			.get()
			.uri(uri())
			.retrieve()
			.bodyToMono(String.class)
			.block(Duration.ofSeconds(60));
		assertThat(body).isEqualTo("ok");
		assertGroups("X25519MLKEM768");
	}

	@ParameterizedTest
	@MethodSource
	void restClientOverOtherClientUsesGroupsOfJdk(ClientHttpRequestFactoryBuilder<?> client) throws Exception {
		share();
		assertThat(get(client)).isEqualTo("ok");
		List<String> groups = NamedGroups.of(SSLContext.getDefault().createSSLEngine().getSSLParameters());
		assertGroups((groups != null && groups.contains("X25519MLKEM768")) ? "X25519MLKEM768" : "x25519");
	}

	static List<ClientHttpRequestFactoryBuilder<?>> restClientOverOtherClientUsesGroupsOfJdk() {
		return List.of(ClientHttpRequestFactoryBuilder.jdk(), ClientHttpRequestFactoryBuilder.simple(),
				ClientHttpRequestFactoryBuilder.httpComponents(), ClientHttpRequestFactoryBuilder.jetty());
	}

	private String get(ClientHttpRequestFactoryBuilder<?> client) {
		return String.valueOf(RestClient.builder()
			.requestFactory(client.build(settings()))
			.build()
			.get()
			.uri(uri())
			.retrieve()
			.body(String.class));
	}

	private HttpClientSettings settings() {
		return HttpClientSettings.ofSslBundle(context().getBean(SslBundles.class).getBundle("web"));
	}

	private String uri() {
		return "https://localhost:" + port() + "/";
	}

	private void assertGroups(String... groups) {
		Awaitility.await()
			.untilAsserted(
					() -> assertThat(completed().keySet()).extracting(HandshakeKind::group).isEqualTo(List.of(groups)));
	}

}
