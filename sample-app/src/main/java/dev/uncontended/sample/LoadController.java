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

import java.util.Map;
import java.util.UUID;

import dev.uncontended.uuid.UuidGenerator;
import org.jspecify.annotations.Nullable;

import org.springframework.http.HttpStatus;
import org.springframework.http.ResponseEntity;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.RestController;
import org.springframework.web.server.ResponseStatusException;

/**
 * Measures how fast UUIDs are drawn in this application.
 */
@RestController
class LoadController {

	private static final int MAXIMUM_THREADS = 300;

	private static final int MAXIMUM_SECONDS = 30;

	private static final int MAXIMUM_WARM_UP_SECONDS = 60;

	private final Map<String, LoadGenerator.Source> sources;

	private final LoadGenerator loadGenerator;

	LoadController(UuidGenerator generator, LoadGenerator loadGenerator) {
		this.sources = Map.of("pool", new LoadGenerator.Source("pool", generator::randomUuid), "jdk",
				new LoadGenerator.Source("jdk", UUID::randomUUID));
		this.loadGenerator = loadGenerator;
	}

	@PostMapping("/load")
	LoadGenerator.Measurement load(@RequestParam(required = false) @Nullable String source,
			@RequestParam(defaultValue = "32") String threads, @RequestParam(defaultValue = "3") String seconds,
			@RequestParam(defaultValue = "10") String warmup) throws InterruptedException {
		LoadGenerator.Source from = Parameters.oneOf("source", source, this.sources);
		int threadCount = Parameters.wholeNumber("threads", threads, 1, MAXIMUM_THREADS);
		int duration = Parameters.wholeNumber("seconds", seconds, 1, MAXIMUM_SECONDS);
		int warmUp = Parameters.wholeNumber("warmup", warmup, 0, MAXIMUM_WARM_UP_SECONDS);
		return this.loadGenerator.run(from, new LoadGenerator.Plan(threadCount, duration, warmUp))
			.orElseThrow(() -> new ResponseStatusException(HttpStatus.CONFLICT,
					"Another load is running; try again when it has ended"));
	}

	/**
	 * Answers how far the running load is, or with status 204 if none is running.
	 */
	@GetMapping("/load")
	ResponseEntity<LoadGenerator.Progress> progress() {
		return this.loadGenerator.progress()
			.map(ResponseEntity::ok)
			.orElseGet(() -> ResponseEntity.noContent().build());
	}

}
