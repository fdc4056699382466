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

package dev.uncontended.tls.tickets;

import java.security.SecureRandom;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.function.Function;
import java.util.stream.Stream;

import dev.uncontended.tls.tickets.TicketFleet.Clock;

/**
 * {@link TicketKeys} whose clock and syncs a test controls. They share keys with those
 * that use the same store.
 */
public final class ManualTicketKeys {

	public static final String SECRET = "the secret of the test, 32 bytes";

	public static final TicketKeyRotation ROTATION = new TicketKeyRotation(Duration.ofHours(12), Duration.ofHours(24));

	public static final Duration POLL = Duration.ofSeconds(5);

	private volatile long nanos;

	private volatile Instant wallTime = Instant.parse("2026-11-20T00:00:00Z");

	private final TicketKeys keys;

	private ManualTicketKeys(Function<Clock, TicketKeys> keys) {
		this.keys = keys.apply(new Clock(() -> this.nanos, () -> this.wallTime.toEpochMilli()));
	}

	/** Returns two nodes that share keys. */
	public static ManualTicketKeys[] pair() {
		MemoryTicketStore store = new MemoryTicketStore();
		ManualTicketKeys[] nodes = { shared(store), shared(store) };
		for (ManualTicketKeys node : nodes) {
			node.sync();
		}
		return nodes;
	}

	public static ManualTicketKeys local() {
		return new ManualTicketKeys((clock) -> new TicketKeys("local", List.of(), List.of(), 0,
				TicketKeys.LOCAL_INTERVAL, ROTATION, new SecureRandom(), clock));
	}

	public static ManualTicketKeys derived(int generation, String... secrets) {
		return new ManualTicketKeys((clock) -> new TicketKeys("secret", TicketKeys.derive(secrets(secrets), generation),
				List.of(), 0, TicketKeys.LOCAL_INTERVAL, ROTATION, new SecureRandom(), clock));
	}

	public static ManualTicketKeys shared(TicketStore store) {
		return shared(store, 0, SECRET);
	}

	public static ManualTicketKeys shared(TicketStore store, int generation, String... secrets) {
		return new ManualTicketKeys((clock) -> new TicketKeys("redis", List.of(),
				TicketKeys.replicate(store, "test", secrets(secrets), new SecureRandom()), generation, POLL, ROTATION,
				new SecureRandom(), clock));
	}

	private static List<TicketSecret> secrets(String... secrets) {
		return Stream.of(secrets).map(TicketSecret::new).toList();
	}

	/** Returns the seal of a secret. */
	static TicketSeal seal(String secret) {
		return new TicketSeal(new TicketSecret(secret), "test", new SecureRandom());
	}

	public TicketKeys keys() {
		return this.keys;
	}

	public TicketKeyStatus status() {
		return this.keys.status();
	}

	public String id() {
		return this.keys.status().nodes().self();
	}

	/** Returns the names of the keys that a new context receives. */
	public List<String> names() {
		List<String> names = new ArrayList<>();
		this.keys
			.connect(this.keys.ends(), (keys) -> keys.forEach((key) -> names.add(HexFormat.of().formatHex(key.name()))))
			.remove();
		return names;
	}

	public String encrypting() {
		return names().get(0);
	}

	/** Syncs, and returns whether the sync has succeeded. */
	public boolean sync() {
		this.keys.sync();
		return this.keys.status().lastFailure() == null;
	}

	/** Advances both clocks. */
	public ManualTicketKeys advance(Duration time) {
		this.nanos += time.toNanos();
		setWallClockForward(time);
		return this;
	}

	public void setWallClockForward(Duration time) {
		this.wallTime = this.wallTime.plus(time);
	}

	public Instant wallTime() {
		return this.wallTime;
	}

	/** Lets nodes watch the reports of each other until they know all of them. */
	public static void watch(ManualTicketKeys... nodes) {
		for (int i = 0; i < 14; i++) {
			for (ManualTicketKeys node : nodes) {
				node.advance(POLL).sync();
			}
		}
	}

	/** Returns the number of connected contexts. */
	public int contexts() {
		return this.keys.ring().contexts();
	}

}
