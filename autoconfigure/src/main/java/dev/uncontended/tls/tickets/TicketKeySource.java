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

import java.util.List;
import java.util.function.Consumer;

/**
 * A source of keys that encrypt TLS session tickets. It rotates the keys: at each
 * rotation, a new key starts to encrypt. The previous key then only decrypts, until its
 * {@linkplain TicketKeyRotation#lifetime() lifetime} ends.
 * <p>
 * Implementations are thread-safe. A new source has keys immediately. Some sources share
 * their keys with other nodes through storage such as Redis. Only
 * {@link #invalidateAll()} and {@link #close()} may block on this shared storage.
 */
public interface TicketKeySource extends AutoCloseable {

	/**
	 * Adds a consumer of keys. The consumer receives the current keys before this method
	 * returns, and the complete new list of keys after each change. The first key in the
	 * list encrypts, and all keys in the list decrypt. Calls of consumers do not overlap,
	 * and the last call has the newest keys. Consumers are called in the order of their
	 * subscription.
	 * <p>
	 * When this or another node invalidates all sessions, each consumer receives an empty
	 * list and is removed. It must then stop using its keys, and receives no more keys. A
	 * consumer added after the invalidation receives no invalidated key. During the call
	 * with the empty list, a consumer may call this method.
	 * @param consumer the consumer. It must not block, and any thread may call it. It
	 * must copy the keys during the call, because the source later destroys its own keys
	 * @return a handle that removes the consumer when run
	 * @throws IllegalStateException if the source has been closed
	 */
	Runnable subscribe(Consumer<List<TicketKey>> consumer);

	/**
	 * Adds a listener that runs after another node has invalidated all sessions. Before
	 * the listener runs, the source removes all {@linkplain #subscribe consumers} and
	 * replaces the keys. The listener also runs for an invalidation that the source finds
	 * when it first reads shared storage. The default implementation never runs the
	 * listener.
	 * @param listener the listener, which runs on a thread of the source. A listener that
	 * blocks delays the source's next read of shared storage. The source logs the
	 * listener's exceptions and reports them in {@link #status()}
	 * @return a handle that removes the listener when run
	 */
	default Runnable onRemoteEnd(Runnable listener) {
		return () -> {
		};
	}

	/**
	 * Invalidates all sessions: replaces all keys, so that existing tickets cannot be
	 * decrypted. May block on shared storage for at most two seconds. Other nodes
	 * invalidate their sessions when they next read this storage.
	 * @return the nodes whose sessions are invalidated, and how soon
	 */
	Reach invalidateAll();

	/**
	 * Returns the state of the source. The state contains neither keys nor their names.
	 * @return the current state
	 */
	TicketKeyStatus status();

	/**
	 * Stops rotation and destroys the source's keys. Consumers keep the copies that they
	 * have made. Closing again has no effect.
	 */
	@Override
	void close();

	/**
	 * The nodes whose sessions {@link #invalidateAll()} invalidates.
	 */
	enum Reach {

		/**
		 * Only this node so far. If nodes share keys through storage, this node keeps
		 * trying to write the invalidation there until this source is closed. Other nodes
		 * follow after the write.
		 */
		THIS_NODE,

		/**
		 * This node immediately, and the other nodes within their poll interval, the time
		 * between two reads of the shared storage.
		 */
		ALL_NODES_WITHIN_POLL_INTERVAL,

		/**
		 * This node immediately. Other nodes follow within about a second if they receive
		 * this node's message, and otherwise within their poll interval.
		 */
		ALL_NODES

	}

}
