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
import java.util.Map;

import dev.uncontended.uuid.UuidGenerator;
import jakarta.servlet.http.HttpServletResponse;
import tools.jackson.databind.json.JsonMapper;

import org.springframework.beans.factory.annotation.Value;
import org.springframework.http.HttpStatus;
import org.springframework.http.MediaType;
import org.springframework.http.ResponseEntity;
import org.springframework.util.MultiValueMap;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.RestController;
import org.springframework.web.server.ResponseStatusException;

/**
 * Measures the throughput of drawing UUIDs.
 */
@RestController
class LoadController {

	private static final int MAXIMUM_THREADS = 300;

	private static final int MAXIMUM_SECONDS = 30;

	private static final int MAXIMUM_WARM_UP_SECONDS = 60;

	private final Map<String, LoadGenerator.Source> sources;

	private final LoadGenerator loadGenerator;

	private final JsonMapper json;

	private final int seconds;

	private final int warmUpSeconds;

	LoadController(UuidGenerator generator, LoadGenerator loadGenerator, JsonMapper json,
			@Value("${sample.load.seconds}") int seconds, @Value("${sample.load.warm-up-seconds}") int warmUpSeconds) {
		this.seconds = seconds;
		this.warmUpSeconds = warmUpSeconds;
		this.sources = Map.of("pool",
				new LoadGenerator.Source("pool", "UuidGenerator on " + generator.algorithm(), generator::randomUuid),
				"jdk", JdkUuids.source());
		this.loadGenerator = loadGenerator;
		this.json = json;
	}

	/**
	 * Runs a {@linkplain LoadGenerator load} and returns the measurement as JSON. While
	 * the load runs, this method writes spaces, which may precede JSON. Only a write
	 * detects that the client has disconnected. The measurement contains the samples only
	 * if the parameter {@code samples} is {@code true}.
	 */
	@PostMapping(path = "/load", produces = MediaType.APPLICATION_JSON_VALUE)
	void load(@RequestParam MultiValueMap<String, String> query, HttpServletResponse response)
			throws InterruptedException, IOException {
		Parameters parameters = new Parameters(query);
		LoadGenerator.Source source = parameters.oneOf("source", null, this.sources);
		int threads = parameters.wholeNumber("threads", 32, 1, MAXIMUM_THREADS);
		int seconds = parameters.wholeNumber("seconds", this.seconds, 1, MAXIMUM_SECONDS);
		int warmUp = parameters.wholeNumber("warmup", this.warmUpSeconds, 0, MAXIMUM_WARM_UP_SECONDS);
		boolean samples = parameters.oneOf("samples", "false", Map.of("false", false, "true", true));
		LoadGenerator.Measurement measurement = this.loadGenerator
			.run(source, new LoadGenerator.Plan(threads, seconds, warmUp), () -> writeSpace(response))
			.orElseThrow(() -> new ResponseStatusException(HttpStatus.CONFLICT,
					"Another load is running; try again when it has ended"));
		response.setContentType(MediaType.APPLICATION_JSON_VALUE);
		this.json.writeValue(response.getOutputStream(), samples ? measurement : measurement.withoutSamples());
	}

	private static void writeSpace(HttpServletResponse response) throws IOException {
		response.setContentType(MediaType.APPLICATION_JSON_VALUE);
		response.getOutputStream().write(' ');
		response.flushBuffer();
	}

	/**
	 * Returns the progress of the running load, or status 204 if none is running.
	 */
	@GetMapping("/load")
	ResponseEntity<LoadGenerator.Progress> progress() {
		return this.loadGenerator.progress()
			.map(ResponseEntity::ok)
			.orElseGet(() -> ResponseEntity.noContent().build());
	}

}
