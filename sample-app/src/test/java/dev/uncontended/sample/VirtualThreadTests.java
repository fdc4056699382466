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

import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.security.KeyStore;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;

import jdk.jfr.Recording;
import jdk.jfr.consumer.RecordedEvent;
import jdk.jfr.consumer.RecordingFile;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledForJreRange;
import org.junit.jupiter.api.condition.JRE;
import org.junit.jupiter.api.io.TempDir;

import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.ssl.SslBundle;
import org.springframework.boot.ssl.SslBundles;
import org.springframework.boot.ssl.SslStoreBundle;
import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.boot.test.web.server.LocalServerPort;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests that request-handling virtual threads are not pinned. Before JDK 24,
 * {@code synchronized} blocks pin them.
 */
@EnabledForJreRange(min = JRE.JAVA_25, disabledReason = "Before JDK 24 the JDK's own locks pin virtual threads")
@SpringBootTest(webEnvironment = SpringBootTest.WebEnvironment.RANDOM_PORT,
		properties = { "sample.https-port=0", "spring.threads.virtual.enabled=true" })
@Tag("integration")
class VirtualThreadTests {

	private static final String PINNED = "jdk.VirtualThreadPinned";

	private static final String STARTED = "jdk.VirtualThreadStart";

	private static final int REQUESTS = 500;

	private static final int ROUNDS = 4;

	private static final List<String> PATHS = List.of("/uuids?count=1000&version=4", "/uuids?count=1000&version=7",
			"/uuids/name?namespace=dns&name=www.example.com&version=3", "/actuator/uuid", "/actuator/sslsessions");

	@LocalServerPort
	private int port;

	@Autowired
	private SslBundles bundles;

	@Test
	void virtualThreadsAreNotPinned(@TempDir Path directory) throws Exception {
		KeyStore trusted = this.bundles.getBundle("self-signed").getStores().getKeyStore();
		List<RecordedEvent> pinned;
		int round = 0;
		// Loading and initializing a class pins threads, but only once.
		do {
			request(trusted);
			pinned = pinned(trusted, directory.resolve(round + ".jfr"));
			round++;
		}
		while (!pinned.isEmpty() && round < ROUNDS);
		assertThat(pinned).isEmpty();
	}

	private List<RecordedEvent> pinned(KeyStore trusted, Path file) throws Exception {
		try (Recording recording = new Recording()) {
			recording.enable(PINNED).withThreshold(Duration.ZERO).withStackTrace();
			recording.enable(STARTED);
			recording.start();
			request(trusted);
			recording.stop();
			recording.dump(file);
		}
		List<RecordedEvent> events = RecordingFile.readAllEvents(file);
		assertThat(events.stream().filter((event) -> event.getEventType().getName().equals(STARTED)))
			.hasSizeGreaterThanOrEqualTo(REQUESTS);
		return events.stream()
			.filter((event) -> event.getEventType().getName().equals(PINNED))
			.filter((event) -> !isOfTheRecorder(event))
			.toList();
	}

	/**
	 * Returns whether the recorder itself pinned a starting thread.
	 */
	private static boolean isOfTheRecorder(RecordedEvent event) {
		return event.getStackTrace() != null && event.getStackTrace()
			.getFrames()
			.stream()
			.anyMatch((frame) -> frame.getMethod().getType().getName().startsWith("jdk.internal.event."));
	}

	/**
	 * Makes requests. Each uses its own client, and therefore new connections and
	 * handshakes.
	 */
	private void request(KeyStore trusted) {
		HttpClient client = HttpClient.newBuilder()
			.version(HttpClient.Version.HTTP_1_1)
			.sslContext(SslBundle.of(SslStoreBundle.of(null, null, trusted)).createSslContext())
			.build();
		List<CompletableFuture<HttpResponse<String>>> responses = new ArrayList<>();
		for (int i = 0; i < REQUESTS; i++) {
			URI uri = URI.create("https://localhost:" + this.port + PATHS.get(i % PATHS.size()));
			responses.add(client.sendAsync(HttpRequest.newBuilder(uri).build(), HttpResponse.BodyHandlers.ofString()));
		}
		assertThat(responses).allSatisfy((response) -> assertThat(response.join().statusCode()).isEqualTo(200));
	}

}
