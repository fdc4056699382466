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

import dev.uncontended.tls.Registration;
import dev.uncontended.tls.session.Reach;

/**
 * A source of keys that encrypt TLS session tickets. At each rotation, a new key starts
 * to encrypt. The previous key then only decrypts, until its
 * {@linkplain TicketKeyRotation#lifetime() lifetime} ends.
 * <p>
 * Implementations are thread-safe. Some sources share their keys with other nodes through
 * storage such as Redis. Only {@link #endAll()} and {@link #close()} may block on this
 * shared storage.
 */
public interface TicketKeySource extends AutoCloseable {

	/**
	 * Adds a listener, which receives the current keys before this method returns. The
	 * source calls its listeners in the order in which they were added.
	 * @param listener the listener
	 * @return the registration of the listener
	 * @throws IllegalStateException if the source has been closed
	 */
	Registration subscribe(TicketKeyListener listener);

	/**
	 * Adds a listener that runs after another node has ended all sessions. Before the
	 * listener runs, the source replaces the keys and calls
	 * {@link TicketKeyListener#sessionsEnded()}. The default implementation never runs
	 * the listener.
	 * @param listener the listener. A listener that blocks delays the source's next read
	 * of shared storage. The source logs the listener's exceptions and reports them in
	 * {@link #status()}
	 * @return the registration of the listener
	 */
	default Registration onRemoteEnd(Runnable listener) {
		return () -> {
		};
	}

	/**
	 * Ends all sessions: replaces all keys, so that existing tickets cannot be decrypted.
	 * May block on shared storage, and wait for other nodes, for at most two seconds.
	 * @return the nodes whose sessions have ended
	 */
	Reach endAll();

	/**
	 * Returns the state of the source. The state contains neither keys nor their names.
	 * @return the current state
	 */
	TicketKeyStatus status();

	/**
	 * Stops rotation and destroys the source's keys, but not the copies of the listeners.
	 * Closing again has no effect.
	 */
	@Override
	void close();

}
