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
import java.security.KeyStore;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.ToDoubleFunction;
import java.util.stream.Stream;

import dev.uncontended.tls.boringssl.BoringSslTlsEngine;
import dev.uncontended.tls.boringssl.BoringSslUnavailableException;
import dev.uncontended.tls.engine.TlsEngine;
import org.apache.catalina.connector.Connector;
import org.jspecify.annotations.Nullable;

import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.annotation.Value;
import org.springframework.boot.ssl.SslBundle;
import org.springframework.boot.ssl.SslBundles;
import org.springframework.boot.tomcat.TomcatWebServer;
import org.springframework.boot.web.server.servlet.context.ServletWebServerApplicationContext;
import org.springframework.stereotype.Component;

/**
 * Performs TLS handshakes with the HTTPS port of this application, and with a second port
 * that uses the other engine.
 */
@Component
class HandshakeGenerator {

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
	 * @param count the number of handshakes per engine
	 * @return the handshakes, or empty if others are running
	 */
	Optional<Report> run(int count) {
		if (!this.running.tryLock()) {
			return Optional.empty();
		}
		try {
			Report report = compare(count);
			this.last = report;
			return Optional.of(report);
		}
		finally {
			this.running.unlock();
		}
	}

	/**
	 * Returns the last handshakes.
	 */
	Optional<Report> last() {
		return Optional.ofNullable(this.last);
	}

	private Report compare(int count) {
		Connector own = Stream
			.of(((TomcatWebServer) Objects.requireNonNull(this.context.getWebServer())).getTomcat()
				.getService()
				.findConnectors())
			.filter(Connector::getSecure)
			.findFirst()
			.orElseThrow(() -> new IllegalStateException("The application has no HTTPS port"));
		try (SecondHttpsPort jdk = SecondHttpsPort.withJdk(own, this.bundle)) {
			try (SecondHttpsPort boringSsl = SecondHttpsPort.withBoringSsl(own, this.bundle)) {
				warmUp(jdk, boringSsl);
				return report(count, null, ownRun(own),
						(engineInUse() == Name.JDK) ? new Run(Name.BORINGSSL, false, boringSsl.connector())
								: new Run(Name.JDK, false, jdk.connector()));
			}
			catch (BoringSslUnavailableException ex) {
				warmUp(jdk);
				return report(count, ex.getMessage(), ownRun(own));
			}
		}
	}

	private Name engineInUse() {
		return (this.engines.getIfUnique() instanceof BoringSslTlsEngine) ? Name.BORINGSSL : Name.JDK;
	}

	private Run ownRun(Connector own) {
		return new Run(engineInUse(), true, own);
	}

	/*
	 * Excludes interpreted code from the measurement. These handshakes do not count as
	 * the application's.
	 */
	private void warmUp(SecondHttpsPort... ports) {
		if (this.last != null) {
			return;
		}
		List<Run> runs = Stream.of(ports).map((port) -> new Run(Name.JDK, false, port.connector())).toList();
		long start = System.nanoTime();
		while (System.nanoTime() - start < this.warmUp.toNanos()) {
			connect(runs);
		}
	}

	private Report report(int count, @Nullable String unavailable, Run... runs) {
		for (int i = 0; i < count; i += 2) {
			connect(List.of(runs));
		}
		return new Report(Instant.now(), Machine.current(), Stream.of(runs).map(Run::toEngine).toList(), unavailable);
	}

	/*
	 * Alternates the engines, so that neither benefits from code compiled meanwhile.
	 */
	private void connect(List<Run> runs) {
		KeyStore trusted = Objects.requireNonNull(this.bundle.getStores().getKeyStore());
		for (Run run : runs) {
			TlsClient client = new TlsClient(run.port.address(), trusted);
			run.connect(client);
			run.connect(client);
		}
	}

	private static final class Run {

		private final Name engine;

		private final boolean inUse;

		private final HttpsPort port;

		private final List<Measured> measured = new ArrayList<>();

		private int failed;

		private @Nullable String failure;

		Run(Name engine, boolean inUse, Connector connector) {
			this.engine = engine;
			this.inUse = inUse;
			this.port = new HttpsPort(connector);
		}

		void connect(TlsClient client) {
			long before = this.port.cpuNanos();
			try {
				TlsClient.Handshake handshake = client.connect();
				this.measured.add(new Measured(handshake.resumed(), handshake.nanos() / 1e3,
						(this.port.cpuNanos() - before) / 1e3));
			}
			catch (IOException ex) {
				this.failed++;
				this.failure = ex.toString();
			}
		}

		Engine toEngine() {
			return new Engine(this.engine.toString().toLowerCase(Locale.ROOT), this.inUse, toKind(false), toKind(true),
					this.failed, this.failure);
		}

		private @Nullable Kind toKind(boolean resumed) {
			List<Measured> measured = this.measured.stream().filter((each) -> each.resumed == resumed).toList();
			return measured.isEmpty() ? null : new Kind(measured.size(), spread(measured, Measured::micros),
					this.port.measuresCpu() ? spread(measured, Measured::serverMicros) : null);
		}

		private static Spread spread(List<Measured> measured, ToDoubleFunction<Measured> figure) {
			return Spread.of(measured.stream().mapToDouble(figure));
		}

	}

	private enum Name {

		JDK, BORINGSSL

	}

	private record Measured(boolean resumed, double micros, double serverMicros) {
	}

	/**
	 * The results of handshakes.
	 *
	 * @param at when the handshakes were performed
	 * @param machine the machine
	 * @param engines the handshakes by engine, the application's own engine first
	 * @param unavailable why there is no second engine, or {@code null}
	 */
	record Report(Instant at, Machine machine, List<Engine> engines, @Nullable String unavailable) {
	}

	/**
	 * The handshakes with one engine.
	 *
	 * @param engine the name of the engine
	 * @param inUse whether the application uses the engine
	 * @param full the full handshakes, or {@code null}
	 * @param resumed the resumed handshakes, or {@code null}
	 * @param failed the number of failed handshakes
	 * @param failure the last failure, or {@code null}
	 */
	record Engine(String engine, boolean inUse, @Nullable Kind full, @Nullable Kind resumed, int failed,
			@Nullable String failure) {
	}

	/**
	 * Handshakes of one kind.
	 *
	 * @param count the number of handshakes
	 * @param clientMicros the duration of a handshake for the client, in microseconds
	 * @param serverMicros the server's CPU time for a connection with one small request,
	 * in microseconds; {@code null} with virtual threads
	 */
	record Kind(int count, Spread clientMicros, @Nullable Spread serverMicros) {
	}

}
