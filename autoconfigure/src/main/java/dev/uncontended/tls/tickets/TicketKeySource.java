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
 * A source of the keys that encrypt session tickets. It rotates them: every so often a
 * new key becomes the one that encrypts, and the older ones go on decrypting for as long
 * as their lifetime lasts.
 * <p>
 * Implementations are safe for use by several threads. They start with keys that work at
 * once, wherever others will come from, and only {@link #invalidateAll()} waits for
 * another machine.
 */
public interface TicketKeySource extends AutoCloseable {

	/**
	 * Adds a consumer of the keys. It gets the present keys before this method returns,
	 * and the new ones after each change. The first key encrypts, all decrypt. Calls do
	 * not overlap, and the last call has the newest keys.
	 * <p>
	 * When all sessions end, here or on another node, each consumer gets an empty list,
	 * and is removed. It never gets a key from after that end: it must not use its keys
	 * any longer. Whoever subscribes from then on, also during that call, gets the new
	 * keys and none of the old.
	 * @param consumer the consumer, which must not block; it may be called from any
	 * thread, and copies what it needs of a key during the call: a key that is not used
	 * any more is destroyed
	 * @return removes the consumer when it is run
	 * @throws IllegalStateException if the source has been closed
	 */
	Runnable subscribe(Consumer<List<TicketKey>> consumer);

	/**
	 * Adds a listener to the ends of all sessions that this source learns of from another
	 * node, or through another secret. It runs once for each end, after the consumers of
	 * the keys have been removed and the new keys are in force. An
	 * {@link #invalidateAll()} of this source is not reported. By default, a source never
	 * learns of any.
	 * @param listener the listener, which runs on a thread of the source and delays the
	 * source's other work; its exceptions are recorded and otherwise ignored
	 * @return removes the listener when it is run
	 */
	default Runnable onRemoteEnd(Runnable listener) {
		return () -> {
		};
	}

	/**
	 * Makes all tickets useless that were given out before, by a new key that decrypts
	 * none of them. Waits two seconds at most for what the nodes share; a node that
	 * cannot be reached by then ends its sessions once it is.
	 * @return the nodes that have been reached, and how soon
	 */
	Reach invalidateAll();

	/**
	 * Returns the state of the source, without a key or the name of one.
	 * @return the state as of this call
	 */
	TicketKeyStatus status();

	/**
	 * Stops rotating and destroys the keys that the source holds. Consumers keep the
	 * copies that they have. Closing again does nothing.
	 */
	@Override
	void close();

	/**
	 * The nodes on which {@link #invalidateAll()} ends the sessions.
	 */
	enum Reach {

		/**
		 * This node alone; those that share its keys, if any, once what they share can be
		 * reached.
		 */
		THIS_NODE,

		/**
		 * This node at once, the others within their poll interval.
		 */
		ALL_NODES_WITHIN_POLL_INTERVAL,

		/**
		 * All nodes that are reachable within a second, the others within their poll
		 * interval.
		 */
		ALL_NODES

	}

}
