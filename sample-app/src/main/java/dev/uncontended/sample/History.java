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

import java.time.InstantSource;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;

import com.fasterxml.jackson.annotation.JsonFormat;
import dev.uncontended.random.PoolStats;
import dev.uncontended.random.UncontendedProvider;
import dev.uncontended.tls.handshake.HandshakeCount;
import dev.uncontended.tls.handshake.TlsHandshakes;
import dev.uncontended.uuid.UuidGenerator;
import dev.uncontended.uuid.UuidGeneratorStats;

import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.scheduling.annotation.Scheduled;
import org.springframework.stereotype.Component;

/**
 * Samples counts once a second and keeps the samples of the last 15 minutes, so that
 * every browser tab shows the same charts.
 */
@Component
class History {

	static final int CAPACITY = 15 * 60 + 1;

	private final InstantSource clock;

	private final ObjectProvider<UuidGenerator> generators;

	private final ObjectProvider<TlsHandshakes> handshakes;

	private final LoadGenerator loads;

	private final long startedAt;

	private final Deque<Counts> samples = new ArrayDeque<>(CAPACITY);

	@Autowired
	History(ObjectProvider<UuidGenerator> generators, ObjectProvider<TlsHandshakes> handshakes, LoadGenerator loads) {
		this(InstantSource.system(), generators, handshakes, loads);
	}

	History(InstantSource clock, ObjectProvider<UuidGenerator> generators, ObjectProvider<TlsHandshakes> handshakes,
			LoadGenerator loads) {
		this.clock = clock;
		this.generators = generators;
		this.handshakes = handshakes;
		this.loads = loads;
		this.startedAt = clock.millis();
	}

	/**
	 * Takes a sample, and drops the oldest one if the history is full.
	 */
	@Scheduled(fixedDelay = 1000)
	synchronized void sample() {
		if (this.samples.size() == CAPACITY) {
			this.samples.removeFirst();
		}
		this.samples.addLast(count());
	}

	/**
	 * Returns the samples after the given time.
	 * @param after the time in milliseconds since 1970
	 */
	synchronized Excerpt after(long after) {
		return new Excerpt(this.clock.millis(), this.startedAt,
				this.samples.stream().filter((sample) -> sample.at() > after).toList());
	}

	private Counts count() {
		List<UuidGeneratorStats> stats = this.generators.stream().map(UuidGenerator::stats).toList();
		List<HandshakeCount> counts = this.handshakes.stream()
			.flatMap((handshakes) -> handshakes.counts().values().stream())
			.toList();
		PoolStats dropIn = UncontendedProvider.stats();
		return new Counts(this.clock.millis(),
				stats.stream().mapToLong((each) -> each.random() + each.timeOrdered()).sum()
						+ ((dropIn != null) ? dropIn.draws() : 0),
				this.loads.drawn("jdk"), counts.stream().mapToLong(HandshakeCount::full).sum(),
				counts.stream().mapToLong(HandshakeCount::resumed).sum(),
				this.handshakes.stream()
					.flatMap((handshakes) -> handshakes.failedCounts().values().stream())
					.mapToLong(Long::longValue)
					.sum(),
				stats.stream().mapToLong((each) -> each.pool().refillFailures()).sum()
						+ ((dropIn != null) ? dropIn.refillFailures() : 0));
	}

	/**
	 * A part of the history.
	 *
	 * @param now the current time in milliseconds since 1970
	 * @param startedAt when the history started, in milliseconds since 1970
	 * @param samples the samples, oldest first
	 */
	record Excerpt(long now, long startedAt, List<Counts> samples) {
	}

	/**
	 * Counts since the start of the application, serialized as a JSON array.
	 *
	 * @param at the time in milliseconds since 1970
	 * @param pool the number of 16-byte slots drawn from pools; one UUID takes one slot
	 * @param jdk the number of UUIDs drawn from the JDK's generator by loads
	 * @param full the number of full handshakes
	 * @param resumed the number of resumptions
	 * @param failed the number of failed handshakes
	 * @param refillFailures the number of failed refills
	 */
	@JsonFormat(shape = JsonFormat.Shape.ARRAY)
	record Counts(long at, long pool, long jdk, long full, long resumed, long failed, long refillFailures) {
	}

}
