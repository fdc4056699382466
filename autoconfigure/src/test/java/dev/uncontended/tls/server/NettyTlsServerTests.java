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

package dev.uncontended.tls.server;

import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;

import javax.net.ssl.KeyManagerFactory;

import dev.uncontended.tls.TestKeyStore;
import dev.uncontended.tls.engine.TlsEngine;
import dev.uncontended.tls.handshake.TlsHandshakes;
import dev.uncontended.tls.handshake.TlsServerId;
import dev.uncontended.tls.jdk.JdkTlsEngine;
import dev.uncontended.tls.server.netty.NettyTlsServer;
import dev.uncontended.tls.session.internal.SessionTokens;
import dev.uncontended.tls.session.internal.TestSessions;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import reactor.netty.DisposableServer;
import reactor.netty.http.Http11SslContextSpec;
import reactor.netty.http.server.HttpServer;
import reactor.netty.resources.LoopResources;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for {@link NettyTlsServer}.
 */
class NettyTlsServerTests {

	private static final String NAME = "netty (application) by the JDK";

	private final SessionTokens cache = TestSessions.cache();

	private final TlsServers servers = new TlsServers(this.cache, new TlsHandshakes());

	/** A server that is bound again has another thread than its stopped predecessor. */
	private final LoopResources loops = LoopResources.create("test", 2, 2, true);

	private final CompletableFuture<Boolean> report = new CompletableFuture<>();

	private final CompletableFuture<Boolean> reported = new CompletableFuture<>();

	@AfterEach
	void close() {
		this.loops.disposeLater(Duration.ZERO, Duration.ofMinutes(1)).block();
	}

	@Test
	void serverIsRegisteredWhileBound(@TempDir Path directory) throws Exception {
		HttpServer server = secure(HttpServer.create(), directory);
		assertThat(this.servers.reached()).isEmpty();
		DisposableServer bound = bind(server);
		assertThat(this.servers.reached()).containsExactly(NAME);
		bound.disposeNow();
		Awaitility.await().untilAsserted(() -> assertThat(this.servers.reached()).isEmpty());
	}

	@Test
	void serverStaysRegisteredIfItsPredecessorIsReportedLate(@TempDir Path directory) throws Exception {
		HttpServer server = stopWithoutReport(directory);
		DisposableServer second = bind(server);
		report();
		assertThat(this.servers.reached()).containsExactly(NAME);
		second.disposeNow();
		Awaitility.await().untilAsserted(() -> assertThat(this.servers.reached()).isEmpty());
	}

	@Test
	void serverIsRegisteredAgainIfItsPredecessorIsReportedWhileItBinds(@TempDir Path directory) throws Exception {
		HttpServer server = stopWithoutReport(directory);
		DisposableServer second = bind(server.doOnBind((configuration) -> report()));
		assertThat(this.servers.reached()).containsExactly(NAME);
		second.disposeNow();
	}

	/*
	 * Returns a server that was bound and stopped, of which TlsServers does not know yet.
	 */
	private HttpServer stopWithoutReport(Path directory) throws Exception {
		CompletableFuture<Boolean> stopped = new CompletableFuture<>();
		HttpServer server = secure(HttpServer.create().doOnUnbound((unbound) -> {
			stopped.complete(true);
			this.report.join();
		}), directory).doOnUnbound((unbound) -> this.reported.complete(true));
		bind(server).dispose();
		stopped.join();
		return server;
	}

	/*
	 * Reactor Netty can report a bound server after bindNow() has returned.
	 */
	private static DisposableServer bind(HttpServer server) {
		CompletableFuture<Boolean> reported = new CompletableFuture<>();
		DisposableServer bound = server.doOnBound((ready) -> reported.complete(true)).bindNow();
		reported.join();
		return bound;
	}

	private void report() {
		this.report.complete(true);
		this.reported.join();
	}

	private HttpServer secure(HttpServer server, Path directory) throws Exception {
		TestKeyStore store = TestKeyStore.create(directory.resolve("server.p12"), "localhost");
		KeyManagerFactory keys = KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
		keys.init(store.keyStore(), TestKeyStore.PASSWORD.toCharArray());
		return new NettyTlsServer(new JdkTlsEngine(this.cache, List.of()), this.servers,
				TlsServerId.Context.APPLICATION,
				Map.of(TlsEngine.DEFAULT_HOST, () -> Http11SslContextSpec.forServer(keys)))
			.secure(server.runOn(this.loops).host("127.0.0.1").port(0));
	}

}
