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
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Consumer;

import dev.uncontended.tls.tickets.TicketFleet.Clock;
import org.jspecify.annotations.Nullable;

/**
 * Holds the keys of this node's {@linkplain TicketState states}, which TLS contexts pull.
 * Of the first state's keys, one encrypts. Thread-safe. The volatile fields let a context
 * see without this object's monitor that it has the current keys.
 */
final class TicketRing {

	private final TicketKeyRotation rotation;

	private final SecureRandom random;

	private final Clock clock;

	private final Set<Context> contexts = new HashSet<>();

	private List<TicketState> states;

	private List<TicketKey> keys = List.of();

	/** Increments with each change of the keys. */
	private volatile long version;

	private volatile long epoch;

	/** Increments with each end of all sessions. */
	private volatile long ends;

	private long rotations;

	private @Nullable Throwable failure;

	TicketRing(TicketKeyRotation rotation, SecureRandom random, Clock clock, List<TicketState> states) {
		this.rotation = rotation;
		this.random = random;
		this.clock = clock;
		this.states = states;
		replaceKeys();
	}

	/**
	 * Uses the keys of other states. If these have other ends, all sessions end.
	 * @return whether sessions have ended that other nodes could resume
	 */
	synchronized boolean use(List<TicketState> states) {
		TicketState before = this.states.get(0);
		boolean ended = !states.get(0).ends().equals(before.ends());
		if (!states.equals(this.states)) {
			this.states = states;
			if (ended) {
				this.ends++;
			}
			replaceKeys();
		}
		advance();
		this.failure = null;
		this.contexts.forEach(this::update);
		return ended && before.revision() > 0;
	}

	/** Replaces the keys if the epoch has changed. */
	private void advance() {
		if (epoch() != this.epoch) {
			replaceKeys();
		}
	}

	private synchronized void replaceKeys() {
		long time = this.clock.millis().getAsLong();
		List<TicketKey> keys = new ArrayList<>();
		this.states.forEach((state) -> keys.addAll(state.keys(this.rotation, time)));
		this.keys = keys;
		long epoch = this.rotation.epoch(time);
		this.rotations += (epoch > this.epoch && this.version > 0) ? 1 : 0;
		this.epoch = epoch;
		this.version++;
	}

	private long epoch() {
		return this.rotation.epoch(this.clock.millis().getAsLong());
	}

	private void update(Context context) {
		try {
			long target = target(context);
			if (context.received != target) {
				context.keys.accept((target > 0) ? this.keys : List.of(TicketKey.generate(this.random)));
				context.received = target;
			}
		}
		catch (RuntimeException | Error ex) {
			this.failure = ex;
		}
	}

	/**
	 * Returns which keys a context should have: the version of the keys or, if sessions
	 * have ended since the context was created, a negative number. The context then
	 * receives a key of its own after each end.
	 */
	private long target(Context context) {
		return (context.ends == this.ends) ? this.version : -this.ends;
	}

	/** Returns why a TLS context lacks the keys, or {@code null}. */
	synchronized @Nullable Throwable failure() {
		return this.failure;
	}

	long ends() {
		return this.ends;
	}

	/** Implements {@link TicketKeys#connect}. */
	synchronized TicketKeys.Connection connect(long ends, Consumer<List<TicketKey>> keys) {
		Context context = new Context(ends, keys);
		this.contexts.add(context);
		advance();
		update(context);
		return context;
	}

	synchronized int contexts() {
		return this.contexts.size();
	}

	synchronized Status status() {
		return new Status(this.keys.size(), this.rotations, Instant.ofEpochMilli(this.rotation.start(this.epoch + 1)));
	}

	record Status(int keys, long rotations, Instant nextRotation) {

	}

	private final class Context implements TicketKeys.Connection {

		private final long ends;

		private final Consumer<List<TicketKey>> keys;

		/** The {@link #target} that this context has reached. */
		private volatile long received;

		Context(long ends, Consumer<List<TicketKey>> keys) {
			this.ends = ends;
			this.keys = keys;
		}

		@Override
		public void refresh() {
			TicketRing ring = TicketRing.this;
			if (this.received != ring.target(this) || ring.epoch() != ring.epoch) {
				synchronized (ring) {
					ring.advance();
					if (ring.contexts.contains(this)) {
						ring.update(this);
					}
				}
			}
		}

		@Override
		public void remove() {
			synchronized (TicketRing.this) {
				TicketRing.this.contexts.remove(this);
			}
		}

	}

}
