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
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;

import dev.uncontended.tls.Registration;
import dev.uncontended.tls.session.Reach;
import dev.uncontended.tls.tickets.internal.ScheduledKey;
import dev.uncontended.tls.tickets.internal.TicketClock;
import dev.uncontended.tls.tickets.internal.TicketKeyRing;
import org.jspecify.annotations.Nullable;

/**
 * A {@link TicketKeySource} that derives keys from a secret and the time. Nodes with the
 * same secret and rotation interval derive the same keys.
 * <p>
 * Time since 1970 is divided into epochs. Each epoch lasts one
 * {@linkplain TicketKeyRotation#interval() rotation interval} and has its own key, which
 * encrypts during the epoch. The key also decrypts during the previous epoch, and for one
 * {@linkplain TicketKeyRotation#lifetime() lifetime} after its epoch. So a node decrypts
 * tickets of nodes whose clocks are up to one interval ahead or one lifetime behind.
 * <p>
 * {@link #endAll()} ends sessions on this node only. Until the node restarts, it rejects
 * the keys of the epoch of the call and of all earlier epochs. Other nodes still resume
 * the ended sessions. This node accepts the tickets that other nodes issue in later
 * epochs. To end all sessions on all nodes, configure
 * {@linkplain TicketSecret#TicketSecret(String, int) secrets of another generation} on
 * all nodes.
 */
public final class DerivedTicketKeySource implements TicketKeySource {

	private final TicketKeyRotation rotation;

	private final List<TicketSecret> secrets;

	private final SecureRandom random;

	private final TicketClock clock;

	private final List<Map<Long, @Nullable TicketKey>> derived = new ArrayList<>();

	final TicketKeyRing ring;

	private @Nullable ScheduledKey ownKey;

	private long latestEpoch = Long.MIN_VALUE;

	private long endedEpoch = Long.MIN_VALUE;

	/**
	 * Creates a source and starts its thread.
	 * @param rotation how long a key encrypts and decrypts
	 * @param secrets the secrets, which {@link #close()} destroys. Keys derived from the
	 * first secret encrypt. Keys derived from any of the secrets decrypt
	 * @param random generates the key that encrypts after {@link #endAll()}
	 * @throws IllegalArgumentException if there is no secret
	 */
	public DerivedTicketKeySource(TicketKeyRotation rotation, List<TicketSecret> secrets, SecureRandom random) {
		this(rotation, secrets, random, TicketClock.system());
	}

	DerivedTicketKeySource(TicketKeyRotation rotation, List<TicketSecret> secrets, SecureRandom random,
			TicketClock clock) {
		if (secrets.isEmpty()) {
			throw new IllegalArgumentException("secrets must not be empty");
		}
		this.rotation = rotation;
		this.secrets = List.copyOf(secrets);
		this.random = random;
		this.clock = clock;
		this.secrets.forEach((secret) -> this.derived.add(new HashMap<>()));
		this.ring = new TicketKeyRing(clock, (keys, now) -> keys(now));
	}

	private List<ScheduledKey> keys(long now) {
		Instant wallTime = this.clock.wallTime();
		long present = epoch(wallTime);
		this.latestEpoch = Math.max(this.latestEpoch, present);
		long first = Math.max(epoch(wallTime.minus(this.rotation.lifetime())), this.endedEpoch + 1);
		List<ScheduledKey> keys = new ArrayList<>();
		for (int i = 0; i < this.secrets.size(); i++) {
			this.derived.get(i).keySet().removeIf((epoch) -> epoch < first);
			for (long epoch = first; epoch <= present + 1; epoch++) {
				ScheduledKey key = new ScheduledKey(key(i, epoch), at(start(epoch), wallTime, now),
						expiry(epoch, wallTime, now));
				keys.add((i == 0) ? key : key.decryptingOnly());
			}
		}
		if (this.ownKey == null && present <= this.endedEpoch) {
			this.ownKey = ScheduledKey.generate(this.random, now);
		}
		if (this.ownKey != null) {
			this.ownKey = this.ownKey.expiringBy(expiry(this.endedEpoch, wallTime, now));
			if (present > this.endedEpoch && this.ownKey.expiry() <= now) {
				this.ownKey = null;
			}
			else {
				keys.add(this.ownKey);
			}
		}
		return keys;
	}

	private TicketKey key(int index, long epoch) {
		// The ring destroys expired keys. If the wall clock is set back, a destroyed key
		// is derived again.
		return Objects.requireNonNull(this.derived.get(index)
			.compute(epoch, (e, known) -> (known != null && !known.isDestroyed()) ? known : derive(index, epoch)));
	}

	private TicketKey derive(int index, long epoch) {
		byte[] parts = this.secrets.get(index)
			.derive("ticket key, interval " + this.rotation.interval() + ", epoch " + epoch, TicketKey.LENGTH);
		TicketKey key = new TicketKey(parts);
		Arrays.fill(parts, (byte) 0);
		return key;
	}

	private long epoch(Instant time) {
		return Math.floorDiv(time.toEpochMilli(), this.rotation.interval().toMillis());
	}

	private Instant start(long epoch) {
		return Instant.ofEpochMilli(Math.multiplyExact(epoch, this.rotation.interval().toMillis()));
	}

	private long expiry(long epoch, Instant wallTime, long now) {
		return at(start(epoch + 1).plus(this.rotation.lifetime()), wallTime, now);
	}

	private static long at(Instant time, Instant wallTime, long now) {
		return now + Duration.between(wallTime, time).toNanos();
	}

	@Override
	public Registration subscribe(TicketKeyListener listener) {
		return this.ring.subscribe(listener);
	}

	@Override
	public Reach endAll() {
		this.ring.end((keys) -> {
			Instant wallTime = this.clock.wallTime();
			// If the wall clock was set back, keys of later epochs may have encrypted.
			long ahead = Math.min(this.latestEpoch, epoch(wallTime.plus(this.rotation.lifetime())));
			this.endedEpoch = Math.max(this.endedEpoch, Math.max(ahead, epoch(wallTime)));
			this.ownKey = null;
			return keys;
		});
		this.ring.recordEnd(Reach.THIS_NODE);
		return Reach.THIS_NODE;
	}

	@Override
	public TicketKeyStatus status() {
		return this.ring.status("secret", null, null);
	}

	@Override
	public void close() {
		this.ring.close();
		this.secrets.forEach(TicketSecret::destroy);
	}

}
