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

import org.jspecify.annotations.Nullable;

/**
 * Holds the keys of this node's {@linkplain TicketState states}, which TLS contexts pull.
 * Of the first state's keys, one encrypts. Thread-safe.
 * <p>
 * A context copies the keys while this object's monitor is held, because the keys are
 * destroyed when others replace them. The volatile fields let a context see without the
 * monitor that it has the current keys.
 */
final class TicketRing implements AutoCloseable {

	private final TicketKeyRotation rotation;

	private final SecureRandom random;

	private final TicketClock clock;

	private final Set<Context> contexts = new HashSet<>();

	private List<TicketState> states = List.of();

	private List<TicketKey> keys = List.of();

	/** Increments with each change of the keys. */
	private volatile long version;

	private volatile long epoch;

	/** Increments with each end of all sessions. */
	private volatile long ends;

	private long rotations;

	private long failures;

	private @Nullable String failure;

	private boolean closed;

	TicketRing(TicketKeyRotation rotation, SecureRandom random, TicketClock clock) {
		this.rotation = rotation;
		this.random = random;
		this.clock = clock;
	}

	/**
	 * Uses the keys of other states. If these have other ends, all sessions end.
	 * @return whether all sessions have ended
	 */
	synchronized boolean use(List<TicketState> states) {
		if (this.closed) {
			return false;
		}
		boolean ended = !this.states.isEmpty() && !states.get(0).ends().equals(this.states.get(0).ends());
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
		return ended;
	}

	/** Replaces the keys if the epoch has changed. */
	private void advance() {
		if (epoch() != this.epoch && !this.closed) {
			replaceKeys();
		}
	}

	private synchronized void replaceKeys() {
		long time = this.clock.millis().getAsLong();
		List<TicketKey> keys = new ArrayList<>();
		this.states.forEach((state) -> keys.addAll(state.keys(this.rotation, time)));
		this.keys.forEach(TicketKey::destroy);
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
			if (context.ends != this.ends) {
				if (context.discarded != this.ends) {
					context.keys.accept(List.of(TicketKey.generate(this.random)));
					context.discarded = this.ends;
				}
			}
			else if (context.version != this.version) {
				context.keys.accept(this.keys);
				context.version = this.version;
			}
		}
		catch (RuntimeException | Error ex) {
			this.failures++;
			this.failure = "Failed to set the keys of a TLS context: " + ex.getClass().getName();
		}
	}

	private boolean isCurrent() {
		return this.contexts.stream()
			.allMatch((context) -> (context.ends != this.ends) ? context.discarded == this.ends
					: context.version == this.version);
	}

	/** Returns whether all TLS contexts use the keys of the states, and of no others. */
	synchronized boolean isUsing(List<TicketState> states) {
		return states.equals(this.states) && isCurrent();
	}

	long ends() {
		return this.ends;
	}

	/** Implements {@link TicketKeys#connect}. */
	synchronized TicketKeys.Connection connect(long ends, Consumer<List<TicketKey>> keys) {
		if (this.closed) {
			throw new IllegalStateException("Failed to connect: the ticket keys have been closed");
		}
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
		return new Status(this.keys.size(), this.rotations, this.failures,
				Instant.ofEpochMilli(this.rotation.start(this.epoch)),
				Instant.ofEpochMilli(this.rotation.start(this.epoch + 1)), this.failure);
	}

	@Override
	public synchronized void close() {
		this.closed = true;
		this.contexts.clear();
		this.keys.forEach(TicketKey::destroy);
		this.keys = List.of();
	}

	record Status(int keys, long rotations, long failures, Instant since, Instant nextRotation,
			@Nullable String failure) {

	}

	private final class Context implements TicketKeys.Connection {

		private final long ends;

		/** The end at which this context last received a key of its own, or -1. */
		private volatile long discarded = -1;

		private final Consumer<List<TicketKey>> keys;

		private volatile long version = -1;

		Context(long ends, Consumer<List<TicketKey>> keys) {
			this.ends = ends;
			this.keys = keys;
		}

		@Override
		public void refresh() {
			TicketRing ring = TicketRing.this;
			if ((this.version != ring.version && this.discarded != ring.ends) || ring.epoch() != ring.epoch) {
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
