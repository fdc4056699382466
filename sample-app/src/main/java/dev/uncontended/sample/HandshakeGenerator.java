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
import java.security.SecureRandom;
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

import dev.uncontended.tls.boringssl.BoringSslAvailability;
import dev.uncontended.tls.boringssl.BoringSslSessions;
import dev.uncontended.tls.boringssl.BoringSslTlsEngine;
import dev.uncontended.tls.boringssl.BoringSslUnavailableException;
import dev.uncontended.tls.engine.TlsEngine;
import dev.uncontended.tls.jdk.JdkTlsEngine;
import dev.uncontended.tls.session.SslSessionCache;
import dev.uncontended.tls.tickets.LocalTicketKeySource;
import dev.uncontended.tls.tickets.TicketKeyRotation;
import org.apache.catalina.connector.Connector;
import org.apache.coyote.AbstractProtocol;
import org.jspecify.annotations.Nullable;

import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.annotation.Value;
import org.springframework.boot.ssl.SslBundle;
import org.springframework.boot.ssl.SslBundles;
import org.springframework.boot.tomcat.TomcatWebServer;
import org.springframework.boot.web.server.servlet.context.ServletWebServerApplicationContext;
import org.springframework.stereotype.Component;

/**
 * Performs TLS handshakes with the HTTPS port of this application. Also performs
 * handshakes in memory, to compare the server's time with the JDK's engine and with
 * BoringSSL.
 */
@Component
class HandshakeGenerator {

	private static final TicketKeyRotation ROTATION = new TicketKeyRotation(Duration.ofHours(12), Duration.ofHours(24));

	/**
	 * The number of handshakes in memory that one engine performs before the other
	 * engine's turn.
	 */
	private static final int ROUND = 50;

	private static final int ROUNDS = 10;

	private final ServletWebServerApplicationContext context;

	private final ObjectProvider<TlsEngine> engines;

	private final SslBundle bundle;

	private final Duration warmUp;

	private final ReentrantLock running = new ReentrantLock();

	private volatile @Nullable Report last;

	HandshakeGenerator(ServletWebServerApplicationContext context, ObjectProvider<TlsEngine> engines,
			SslBundles bundles, @Value("${sample.handshake-warm-up}") Duration warmUp) {
		this.context = context;
		this.warmUp = warmUp;
		this.engines = engines;
		this.bundle = bundles.getBundle("self-signed");
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
		SslSessionCache cache = SslSessionCache.builder().build();
		EngineRun jdk = new EngineRun("jdk", new JdkTlsEngine());
		try (LocalTicketKeySource keys = new LocalTicketKeySource(ROTATION, new SecureRandom());
				BoringSslSessions sessions = boringSslSessions(cache, keys)) {
			return report(count, null, List.of(jdk, new EngineRun("boringssl", new BoringSslTlsEngine(sessions))));
		}
		catch (BoringSslUnavailableException ex) {
			return report(count, ex.getMessage(), List.of(jdk));
		}
	}

	private static BoringSslSessions boringSslSessions(SslSessionCache cache, LocalTicketKeySource keys) {
		BoringSslAvailability.require();
		return BoringSslSessions.inTickets(cache, keys);
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
		KeyStore trusted = Objects.requireNonNull(this.bundle.getStores().getKeyStore());
		List<TimedHandshake> handshakes = new ArrayList<>();
		String failure = null;
		int clients = count / 2;
		for (int i = 0; i < clients; i++) {
			try {
				TlsClient client = new TlsClient(address, trusted);
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

		EngineRun(String name, TlsEngine engine) {
			this.name = name;
			this.server = new InMemoryHandshakes(engine, HandshakeGenerator.this.bundle);
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
			return new Engine(this.name, this.name.equals(nameInUse()), Kind.of(this.handshakes, false),
					Kind.of(this.handshakes, true));
		}

		private String nameInUse() {
			return (HandshakeGenerator.this.engines.getIfUnique() instanceof BoringSslTlsEngine) ? "boringssl" : "jdk";
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
	 * @param inUse whether the application uses the engine
	 * @param full the full handshakes with their time in the server, or {@code null}
	 * @param resumed the resumed handshakes with their time in the server, or
	 * {@code null}
	 */
	record Engine(String engine, boolean inUse, @Nullable Kind full, @Nullable Kind resumed) {
	}

	/**
	 * Handshakes of one kind.
	 *
	 * @param count the number of handshakes
	 * @param micros the spread of the durations in microseconds, without the shortest and
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
