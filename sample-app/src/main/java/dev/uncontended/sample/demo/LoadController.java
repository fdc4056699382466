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
import java.nio.ByteBuffer;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;

import dev.uncontended.random.UncontendedProvider;
import dev.uncontended.uuid.NameUuidFactory;
import dev.uncontended.uuid.UuidGenerator;
import jakarta.servlet.http.HttpServletResponse;
import tools.jackson.databind.json.JsonMapper;

import org.springframework.beans.factory.BeanCreationException;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.annotation.Qualifier;
import org.springframework.http.HttpStatus;
import org.springframework.http.MediaType;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.RestController;
import org.springframework.web.server.ResponseStatusException;

/**
 * Measures UUIDs per second, with one {@link Load} at a time.
 */
@RestController
class LoadController {

	/**
	 * Names of 16 bytes, as in the published figures.
	 */
	private static final byte[][] NAMES = IntStream.range(0, Load.CHUNK)
		.mapToObj((i) -> ByteBuffer.allocate(16).putInt(i).array())
		.toArray(byte[][]::new);

	private final UuidGenerator generator;

	private final ObjectProvider<NameUuidFactory> md5;

	private final JsonMapper json;

	private final Semaphore idle = new Semaphore(1);

	LoadController(UuidGenerator generator, @Qualifier("md5NameUuidFactory") ObjectProvider<NameUuidFactory> md5,
			JsonMapper json) {
		this.generator = generator;
		this.md5 = md5;
		this.json = json;
	}

	/**
	 * Runs a load. The response has one JSON object per line: the samples while the load
	 * runs, and the measurement at the end. A client that disconnects ends the load.
	 */
	@PostMapping(path = "/load", produces = MediaType.APPLICATION_NDJSON_VALUE)
	void load(@RequestParam String source, @RequestParam(defaultValue = "32") int threads,
			@RequestParam(defaultValue = "${sample.load.seconds}") int seconds,
			@RequestParam(defaultValue = "${sample.load.warm-up-seconds}") int warmup, HttpServletResponse response)
			throws InterruptedException, IOException {
		requireBetween(1, 300, threads, "threads");
		requireBetween(1, 30, seconds, "seconds");
		requireBetween(0, 60, warmup, "warmup");
		Load load = new Load(source(source), threads, seconds, warmup);
		// A load notices only at its next sample that its client has disconnected.
		if (!this.idle.tryAcquire(2, TimeUnit.SECONDS)) {
			throw new ResponseStatusException(HttpStatus.CONFLICT,
					"Another load is running; try again when it has ended");
		}
		try {
			response.setContentType(MediaType.APPLICATION_NDJSON_VALUE);
			writeLine(response, "result", load.run((sample) -> writeLine(response, "sample", sample)));
		}
		finally {
			this.idle.release();
		}
	}

	private Load.Source source(String name) {
		return switch (name) {
			case "pool" -> new Load.Source(name, "UuidGenerator on " + this.generator.algorithm(),
					(i) -> this.generator.randomUuid());
			case "time-ordered" ->
				new Load.Source(name, "UuidGenerator.timeOrderedUuid()", (i) -> this.generator.timeOrderedUuid());
			case "names" -> {
				NameUuidFactory factory = md5();
				yield new Load.Source(name, "NameUuidFactory, version 3", (i) -> factory.nameUuid(NAMES[i]));
			}
			case "jdk" -> new Load.Source(name,
					"UUID.randomUUID()" + (UncontendedProvider.isEffective() ? " on the pool of the drop-in" : ""),
					(i) -> UUID.randomUUID());
			case "jdk-names" ->
				new Load.Source(name, "UUID.nameUUIDFromBytes()", (i) -> UUID.nameUUIDFromBytes(NAMES[i]));
			default -> throw new ResponseStatusException(HttpStatus.BAD_REQUEST,
					"'source' must be pool, time-ordered, names, jdk or jdk-names");
		};
	}

	private NameUuidFactory md5() {
		try {
			return this.md5.getObject();
		}
		catch (BeanCreationException ex) {
			throw new ResponseStatusException(HttpStatus.NOT_IMPLEMENTED,
					"Version 3 requires MD5, which this JVM does not offer", ex);
		}
	}

	private void writeLine(HttpServletResponse response, String name, Object value) throws IOException {
		response.getOutputStream().write(this.json.writeValueAsBytes(Map.of(name, value)));
		response.getOutputStream().write('\n');
		response.flushBuffer();
	}

	private static void requireBetween(int minimum, int maximum, int value, String name) {
		if (value < minimum || value > maximum) {
			throw new ResponseStatusException(HttpStatus.BAD_REQUEST,
					"'%s' must be between %d and %d".formatted(name, minimum, maximum));
		}
	}

}
