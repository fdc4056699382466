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
import java.util.ArrayList;
import java.util.List;

import dev.uncontended.tls.Registration;
import dev.uncontended.tls.session.Reach;
import dev.uncontended.tls.tickets.internal.ScheduledKey;
import dev.uncontended.tls.tickets.internal.TicketClock;
import dev.uncontended.tls.tickets.internal.TicketKeyRing;

/**
 * A {@link TicketKeySource} of random keys that are local to this process and lost on
 * restart.
 */
public final class LocalTicketKeySource implements TicketKeySource {

	private final TicketKeyRotation rotation;

	private final SecureRandom random;

	final TicketKeyRing ring;

	/**
	 * Creates a source and starts its thread.
	 * @param rotation how long a key encrypts and decrypts
	 * @param random generates the keys
	 */
	public LocalTicketKeySource(TicketKeyRotation rotation, SecureRandom random) {
		this(rotation, random, TicketClock.system());
	}

	LocalTicketKeySource(TicketKeyRotation rotation, SecureRandom random, TicketClock clock) {
		this.rotation = rotation;
		this.random = random;
		this.ring = new TicketKeyRing(clock, this::advance);
	}

	private List<ScheduledKey> advance(List<ScheduledKey> keys, long now) {
		List<ScheduledKey> result = new ArrayList<>(keys);
		if (result.isEmpty()) {
			result.add(ScheduledKey.generate(this.random, now));
		}
		ScheduledKey last = result.get(result.size() - 1);
		while (last.isActivated(now)) {
			long activation = Math.max(last.activation() + this.rotation.interval().toNanos(), now);
			result.set(result.size() - 1, last.expiringBy(activation + this.rotation.lifetime().toNanos()));
			last = ScheduledKey.generate(this.random, activation);
			result.add(last);
		}
		return result;
	}

	@Override
	public Registration subscribe(TicketKeyListener listener) {
		return this.ring.subscribe(listener);
	}

	@Override
	public Reach endAll() {
		this.ring.end((keys) -> List.of());
		this.ring.recordEnd(Reach.THIS_NODE);
		return Reach.THIS_NODE;
	}

	@Override
	public TicketKeyStatus status() {
		return this.ring.status("local", null, null);
	}

	@Override
	public void close() {
		this.ring.close();
	}

}
