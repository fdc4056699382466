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
package dev.uncontended.sample;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.security.KeyStore;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.locks.ReentrantLock;
import java.util.stream.Stream;

import javax.net.ssl.SSLException;

import org.apache.catalina.connector.Connector;
import org.apache.coyote.AbstractProtocol;
import org.jspecify.annotations.Nullable;

import org.springframework.beans.BeansException;
import org.springframework.beans.factory.annotation.Value;
import org.springframework.boot.ssl.SslBundles;
import org.springframework.boot.tomcat.TomcatWebServer;
import org.springframework.boot.web.server.servlet.context.ServletWebServerApplicationContext;
import org.springframework.core.NestedExceptionUtils;
import org.springframework.stereotype.Component;

/**
 * Performs TLS handshakes with the HTTPS port of this application. Also performs
 * handshakes in memory, to compare the server's CPU time with the JDK's engine and with
 * BoringSSL.
 */
@Component
class HandshakeGenerator {

	/**
	 * The number of handshakes in memory that one engine performs before the other
	 * engine's turn.
	 */
	private static final int ROUND = 50;

	private static final int ROUNDS = 10;

	private final ServletWebServerApplicationContext context;

	private final SslBundles bundles;

	private final KeyStore trusted;

	private final Duration warmUp;

	private final ReentrantLock running = new ReentrantLock();

	private volatile @Nullable Report last;

	HandshakeGenerator(ServletWebServerApplicationContext context, SslBundles bundles,
			@Value("${sample.handshake-warm-up}") Duration warmUp) {
		this.context = context;
		this.warmUp = warmUp;
		this.bundles = bundles;
		this.trusted = Objects.requireNonNull(bundles.getBundle("self-signed").getStores().getKeyStore());
	}

	/**
	 * Performs handshakes, half with new and half with returning clients.
	 * @param count the number of handshakes with the port; an odd number is rounded down
	 * @return the results, or empty if other handshakes are running
	 */
	Optional<Report> run(int count) {
		if (!this.running.tryLock()) {
			return Optional.empty();
		}
		try {
			Report report = report(count);
			this.last = report;
			return Optional.of(report);
		}
		finally {
			this.running.unlock();
		}
	}

	/**
	 * Returns the results of the last handshakes.
	 */
	Optional<Report> last() {
		return Optional.ofNullable(this.last);
	}

	private Report report(int count) {
		try (EngineServer jdk = new EngineServer("jdk", this.bundles)) {
			EngineRun jdkRun = new EngineRun("jdk", jdk);
			try (EngineServer boringSsl = new EngineServer("boringssl", this.bundles)) {
				return report(count, null, List.of(jdkRun, new EngineRun("boringssl", boringSsl)));
			}
			catch (BeansException ex) {
				return report(count, NestedExceptionUtils.getMostSpecificCause(ex).getMessage(), List.of(jdkRun));
			}
		}
	}

	private Report report(int count, @Nullable String unavailable, List<EngineRun> runs) {
		Connections connections = connect(count);
		if (this.last == null) {
			warmUp(runs);
		}
		for (int i = 0; i < ROUNDS; i++) {
			runs.forEach((run) -> run.connect(ROUND));
		}
		return new Report(Instant.now(), Machine.current(), connections,
				runs.stream().map(EngineRun::toEngine).toList(), unavailable);
	}

	/*
	 * Excludes interpreted code from the measurement. Here and later, the engines
	 * alternate, so that neither benefits from code compiled meanwhile.
	 */
	private void warmUp(List<EngineRun> runs) {
		long start = System.nanoTime();
		while (System.nanoTime() - start < this.warmUp.toNanos()) {
			runs.forEach((run) -> run.connect(ROUND));
		}
		runs.forEach(EngineRun::clear);
	}

	private Connections connect(int count) {
		InetSocketAddress address = address();
		List<TimedHandshake> handshakes = new ArrayList<>();
		String failure = null;
		int clients = count / 2;
		for (int i = 0; i < clients; i++) {
			try {
				TlsClient client = new TlsClient(address, this.trusted);
				handshakes.add(client.connect());
				handshakes.add(client.connect());
			}
			catch (IOException ex) {
				failure = ex.toString();
			}
		}
		return new Connections(2 * clients, Kind.of(handshakes, false), Kind.of(handshakes, true), failure);
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

	private final class EngineRun {

		private final String name;

		private final InMemoryHandshakes server;

		private final List<TimedHandshake> handshakes = new ArrayList<>();

		private int clients;

		EngineRun(String name, EngineServer server) {
			this.name = name;
			this.server = new InMemoryHandshakes(server::createEngine, HandshakeGenerator.this.trusted);
		}

		void connect(int count) {
			try {
				for (int i = 0; i < count; i += 2) {
					String client = "client-" + this.clients++;
					this.handshakes.add(this.server.connect(client));
					this.handshakes.add(this.server.connect(client));
				}
			}
			catch (SSLException ex) {
				throw new IllegalStateException("A handshake in memory failed with the engine " + this.name, ex);
			}
		}

		void clear() {
			this.handshakes.clear();
		}

		Engine toEngine() {
			return new Engine(this.name, Kind.of(this.handshakes, false), Kind.of(this.handshakes, true));
		}

	}

	/**
	 * The results of handshakes.
	 *
	 * @param at when the handshakes were performed
	 * @param machine the machine
	 * @param connections the handshakes with the application's HTTPS port
	 * @param engines the handshakes in memory, by engine
	 * @param unavailable why BoringSSL is unavailable, or {@code null}
	 */
	record Report(Instant at, Machine machine, Connections connections, List<Engine> engines,
			@Nullable String unavailable) {
	}

	/**
	 * The handshakes with the application's HTTPS port.
	 *
	 * @param attempted the number of attempted handshakes, two for each client
	 * @param full the full handshakes with their duration for the client, or {@code null}
	 * @param resumed the resumed handshakes with their duration for the client, or
	 * {@code null}
	 * @param failure the last failure, or {@code null}
	 */
	record Connections(int attempted, @Nullable Kind full, @Nullable Kind resumed, @Nullable String failure) {
	}

	/**
	 * The handshakes with one engine.
	 *
	 * @param engine the name of the engine
	 * @param full the full handshakes with the server's CPU time, or {@code null}
	 * @param resumed the resumed handshakes with the server's CPU time, or {@code null}
	 */
	record Engine(String engine, @Nullable Kind full, @Nullable Kind resumed) {
	}

	/**
	 * Handshakes of one kind.
	 *
	 * @param count the number of handshakes
	 * @param micros the spread of their times in microseconds, without the shortest and
	 * the longest 5 percent
	 */
	record Kind(int count, Spread micros) {

		static @Nullable Kind of(List<TimedHandshake> handshakes, boolean resumed) {
			double[] micros = handshakes.stream()
				.filter((each) -> each.resumed() == resumed)
				.mapToDouble((each) -> each.nanos() / 1e3)
				.sorted()
				.toArray();
			int outliers = micros.length / 20;
			return (micros.length > 0)
					? new Kind(micros.length, Spread.of(Arrays.stream(micros, outliers, micros.length - outliers)))
					: null;
		}

	}

}
