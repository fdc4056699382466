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

package dev.uncontended.sample.demo;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.security.KeyStore;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.stream.Stream;

import org.apache.catalina.connector.Connector;
import org.apache.coyote.AbstractProtocol;
import org.jspecify.annotations.Nullable;

import org.springframework.boot.ssl.SslBundles;
import org.springframework.boot.tomcat.TomcatWebServer;
import org.springframework.boot.web.server.servlet.context.ServletWebServerApplicationContext;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.RestController;

/**
 * Connects clients to the HTTPS port of this application, so that its sessions come and
 * are found.
 */
@RestController
@RequestMapping("/clients")
class ClientController {

	private static final int COUNT = 25;

	private static final int MAXIMUM_COUNT = 20 * COUNT;

	private final ServletWebServerApplicationContext context;

	private final KeyStore trusted;

	private final List<TlsClient> clients = new ArrayList<>();

	ClientController(ServletWebServerApplicationContext context, SslBundles bundles) {
		this.context = context;
		this.trusted = Objects.requireNonNull(bundles.getBundle("self-signed").getStores().getKeyStore());
	}

	/**
	 * Connects new clients. Beyond a maximum, clients that have connected earlier are
	 * forgotten.
	 */
	@PostMapping
	synchronized Connections connectNew() {
		List<TlsClient> arriving = Stream.generate(() -> new TlsClient(address(), this.trusted)).limit(COUNT).toList();
		this.clients.addAll(arriving);
		this.clients.subList(0, Math.max(0, this.clients.size() - MAXIMUM_COUNT)).clear();
		return connect(arriving);
	}

	/**
	 * Connects all known clients again.
	 */
	@PostMapping("/return")
	synchronized Connections connectAgain() {
		return connect(this.clients);
	}

	private static Connections connect(List<TlsClient> clients) {
		int full = 0;
		int resumed = 0;
		String failure = null;
		for (TlsClient client : clients) {
			try {
				if (client.connect()) {
					resumed++;
				}
				else {
					full++;
				}
			}
			catch (IOException ex) {
				failure = ex.toString();
			}
		}
		return new Connections(full, resumed, clients.size() - full - resumed, failure);
	}

	private InetSocketAddress address() {
		TomcatWebServer server = (TomcatWebServer) Objects.requireNonNull(this.context.getWebServer());
		Connector connector = Stream.of(server.getTomcat().getService().findConnectors())
			.filter(Connector::getSecure)
			.findFirst()
			.orElseThrow(() -> new IllegalStateException("The application has no HTTPS port"));
		InetAddress address = ((AbstractProtocol<?>) connector.getProtocolHandler()).getAddress();
		return new InetSocketAddress(
				(address == null || address.isAnyLocalAddress()) ? InetAddress.getLoopbackAddress() : address,
				connector.getLocalPort());
	}

	/**
	 * The results of connections.
	 *
	 * @param full the number of full handshakes
	 * @param resumed the number of resumptions
	 * @param failed the number of failed connections
	 * @param failure the last failure, or {@code null}
	 */
	record Connections(int full, int resumed, int failed, @Nullable String failure) {
	}

}
