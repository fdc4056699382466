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
 * A source of keys that encrypt session tickets. It rotates the keys: at each rotation, a
 * new key starts to encrypt, and older keys decrypt until their lifetime ends.
 * <p>
 * Implementations are thread-safe. New sources have keys that can be used immediately.
 * Only {@link #invalidateAll()} may block on another machine.
 */
public interface TicketKeySource extends AutoCloseable {

	/**
	 * Adds a consumer of keys. The consumer receives the current keys before this method
	 * returns, and the new keys after each change. The first key encrypts, all keys
	 * decrypt. Calls do not overlap, and the last call has the newest keys.
	 * <p>
	 * When this or another node invalidates all sessions, each consumer receives an empty
	 * list and is removed. The consumer must then stop using its keys, and never receives
	 * keys created later. Consumers added from then on, even during that call, receive
	 * only new keys.
	 * @param consumer the consumer. It must not block, and any thread may call it. It
	 * must copy a key during the call, because unused keys are destroyed
	 * @return a handle that removes the consumer when run
	 * @throws IllegalStateException if the source has been closed
	 */
	Runnable subscribe(Consumer<List<TicketKey>> consumer);

	/**
	 * Adds a listener for invalidations of all sessions by another node or through
	 * another secret. The listener runs once for each invalidation, after consumers have
	 * been removed and new keys are in use. It does not run for {@link #invalidateAll()}
	 * on this source. By default, this method does nothing.
	 * @param listener the listener. It runs on a thread of the source and delays the
	 * source's other work. Exceptions of the listener are recorded and otherwise ignored
	 * @return a handle that removes the listener when run
	 */
	default Runnable onRemoteEnd(Runnable listener) {
		return () -> {
		};
	}

	/**
	 * Invalidates all sessions: replaces all keys, so that existing tickets cannot be
	 * decrypted. Waits for shared storage for at most two seconds. A node that cannot be
	 * reached by then invalidates its sessions as soon as it can be reached.
	 * @return the nodes whose sessions are invalidated, and how soon
	 */
	Reach invalidateAll();

	/**
	 * Returns the state of the source. It contains neither keys nor their names.
	 * @return the current state
	 */
	TicketKeyStatus status();

	/**
	 * Stops rotation and destroys the source's keys. Consumers keep their copies. Closing
	 * again has no effect.
	 */
	@Override
	void close();

	/**
	 * The nodes whose sessions {@link #invalidateAll()} invalidates.
	 */
	enum Reach {

		/**
		 * This node only. Nodes that share its keys follow as soon as the shared storage
		 * can be reached.
		 */
		THIS_NODE,

		/**
		 * This node immediately, the others within their poll interval.
		 */
		ALL_NODES_WITHIN_POLL_INTERVAL,

		/**
		 * All nodes reachable within a second, the others within their poll interval.
		 */
		ALL_NODES

	}

}
