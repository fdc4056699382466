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

import java.time.Duration;
import java.time.temporal.ChronoUnit;

import org.jspecify.annotations.Nullable;

import org.springframework.beans.factory.annotation.Value;
import org.springframework.boot.convert.DurationUnit;
import org.springframework.http.HttpStatus;
import org.springframework.util.MultiValueMap;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.RestController;
import org.springframework.web.server.ResponseStatusException;

/**
 * Runs TLS handshakes on request.
 */
@RestController
@RequestMapping("/handshakes")
class HandshakeController {

	private static final int MAXIMUM_COUNT = 1000;

	private final HandshakeGenerator generator;

	private final Duration rotationInterval;

	private final Duration ticketLifetime;

	HandshakeController(HandshakeGenerator generator,
			@DurationUnit(ChronoUnit.SECONDS) @Value("${uncontended.ssl.tickets.rotation-interval:12h}") Duration rotationInterval,
			@DurationUnit(ChronoUnit.SECONDS) @Value("${uncontended.ssl.tickets.lifetime:24h}") Duration ticketLifetime) {
		this.generator = generator;
		this.rotationInterval = rotationInterval;
		this.ticketLifetime = ticketLifetime;
	}

	@PostMapping
	HandshakeGenerator.Report run(@RequestParam MultiValueMap<String, String> query) {
		int count = new Parameters(query).wholeNumber("count", 50, 2, MAXIMUM_COUNT);
		return this.generator.run(count)
			.orElseThrow(() -> new ResponseStatusException(HttpStatus.CONFLICT,
					"Other handshakes are running; try again when they have ended"));
	}

	/**
	 * Returns the results of the last handshakes, and the rotation interval and lifetime
	 * of ticket keys.
	 */
	@GetMapping
	State state() {
		return new State(this.generator.last().orElse(null), this.rotationInterval, this.ticketLifetime);
	}

	/**
	 * The response of the handshake resource.
	 *
	 * @param last the results of the last handshakes, or {@code null} if there are none
	 * @param rotationInterval the time for which a ticket key encrypts
	 * @param ticketLifetime the time for which a ticket key decrypts afterwards
	 */
	record State(HandshakeGenerator.@Nullable Report last, Duration rotationInterval, Duration ticketLifetime) {
	}

}
