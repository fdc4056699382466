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

import java.security.KeyStore;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.Semaphore;

import javax.net.ssl.SSLException;

import dev.uncontended.sample.demo.InMemoryHandshakes.Handshake;
import org.jspecify.annotations.Nullable;

import org.springframework.beans.BeansException;
import org.springframework.beans.factory.annotation.Value;
import org.springframework.boot.ssl.SslBundles;
import org.springframework.core.NestedExceptionUtils;
import org.springframework.http.HttpStatus;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RestController;
import org.springframework.web.server.ResponseStatusException;

/**
 * Compares the CPU time of TLS handshakes with the JDK's engine and with BoringSSL.
 */
@RestController
class ComparisonController {

	/**
	 * The number of clients that connect twice to one engine before the other engine's
	 * turn.
	 */
	private static final int CLIENTS = 25;

	private static final int ROUNDS = 10;

	private final SslBundles bundles;

	private final Duration warmUp;

	private final Semaphore idle = new Semaphore(1);

	ComparisonController(SslBundles bundles, @Value("${sample.handshake-warm-up}") Duration warmUp) {
		this.bundles = bundles;
		this.warmUp = warmUp;
	}

	@PostMapping("/comparison")
	Report compare() throws SSLException {
		if (!this.idle.tryAcquire()) {
			throw new ResponseStatusException(HttpStatus.CONFLICT,
					"Another comparison is running; try again when it has ended");
		}
		try (EngineServer jdk = new EngineServer("jdk", this.bundles)) {
			Run jdkRun = run("jdk", jdk);
			try (EngineServer boringSsl = new EngineServer("boringssl", this.bundles)) {
				return measure(List.of(jdkRun, run("boringssl", boringSsl)), null);
			}
			catch (BeansException ex) {
				return measure(List.of(jdkRun), NestedExceptionUtils.getMostSpecificCause(ex).getMessage());
			}
		}
		finally {
			this.idle.release();
		}
	}

	private Run run(String engine, EngineServer server) {
		KeyStore trusted = Objects.requireNonNull(this.bundles.getBundle("self-signed").getStores().getKeyStore());
		return new Run(engine, new InMemoryHandshakes(server::createEngine, trusted), new ArrayList<>());
	}

	/*
	 * The warm-up excludes interpreted code. The engines alternate, so that neither
	 * benefits from code compiled meanwhile.
	 */
	private Report measure(List<Run> runs, @Nullable String unavailable) throws SSLException {
		long start = System.nanoTime();
		while (System.nanoTime() - start < this.warmUp.toNanos()) {
			connect(runs);
		}
		runs.forEach((run) -> run.handshakes().clear());
		for (int i = 0; i < ROUNDS; i++) {
			connect(runs);
		}
		return new Report(Instant.now(), Machine.current(), runs.stream().map(Run::toCosts).toList(), unavailable);
	}

	private static void connect(List<Run> runs) throws SSLException {
		for (Run run : runs) {
			for (int i = 0; i < CLIENTS; i++) {
				run.handshakes().addAll(run.server().connectTwice());
			}
		}
	}

	private record Run(String engine, InMemoryHandshakes server, List<Handshake> handshakes) {

		Costs toCosts() {
			return new Costs(this.engine, Cost.of(this.handshakes, false), Cost.of(this.handshakes, true));
		}

	}

	/**
	 * The result of a comparison.
	 *
	 * @param at when the comparison ended
	 * @param machine the machine
	 * @param engines the costs by engine
	 * @param unavailable why BoringSSL is unavailable, or {@code null}
	 */
	record Report(Instant at, Machine machine, List<Costs> engines, @Nullable String unavailable) {
	}

	/**
	 * The costs of one engine.
	 *
	 * @param engine the name of the engine
	 * @param full the cost of full handshakes, or {@code null} if there were none
	 * @param resumed the cost of resumptions, or {@code null} if there were none
	 */
	record Costs(String engine, @Nullable Cost full, @Nullable Cost resumed) {
	}

	/**
	 * The server's CPU time of handshakes.
	 *
	 * @param count the number of handshakes
	 * @param micros the spread of the CPU times in microseconds, without the shortest and
	 * the longest 5 percent
	 */
	record Cost(int count, Spread micros) {

		static @Nullable Cost of(List<Handshake> handshakes, boolean resumed) {
			double[] micros = handshakes.stream()
				.filter((each) -> each.resumed() == resumed)
				.mapToDouble((each) -> each.nanos() / 1e3)
				.sorted()
				.toArray();
			int outliers = micros.length / 20;
			return (micros.length > 0)
					? new Cost(micros.length, Spread.of(Arrays.stream(micros, outliers, micros.length - outliers)))
					: null;
		}

	}

}
