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

import java.security.cert.X509Certificate;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.atomic.AtomicReference;

import io.netty.channel.Channel;
import io.netty.handler.ssl.OpenSslContextOption;
import io.netty.handler.ssl.OpenSslSession;
import io.netty.handler.ssl.SslContext;
import io.netty.handler.ssl.SslContextBuilder;
import io.netty.handler.ssl.SslHandler;
import io.netty.handler.ssl.SslProvider;
import reactor.netty.http.client.HttpClient;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * A client with BoringSSL that reports the group of its key exchange.
 */
final class GroupClient {

	/** IANA names by the client's names. */
	private static final Map<String, String> NAMES = Map.of("X25519", "x25519", "P-256", "secp256r1", "P-384",
			"secp384r1", "P-521", "secp521r1");

	private GroupClient() {
	}

	/**
	 * Sends a request, and returns the IANA name of the group.
	 */
	static String request(int port, X509Certificate trusted, String protocol, String offered) throws Exception {
		AtomicReference<String> group = new AtomicReference<>();
		SslContext client = SslContextBuilder.forClient()
			.sslProvider(SslProvider.OPENSSL)
			.protocols(protocol)
			.option(OpenSslContextOption.GROUPS, offered.split(" "))
			.trustManager(trusted)
			.build();
		String response = HttpClient.newConnection()
			.secure((spec) -> spec.sslContext(client))
			.doAfterRequest((request, connection) -> group.set(namedGroup(connection.channel())))
			.get()
			.uri("https://localhost:" + port + "/")
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

}
