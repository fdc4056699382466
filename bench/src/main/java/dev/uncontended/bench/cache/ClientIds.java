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

package dev.uncontended.bench.cache;

/**
 * Assigns the ids under which a server stores the clients of a {@link ClientTrace}. Each
 * instance serves one replay of a trace.
 */
interface ClientIds {

	/**
	 * Offered by a client that has no id yet.
	 */
	long NONE = -1;

	/**
	 * Returns the id that a client offers, or {@link #NONE}.
	 */
	long offeredBy(int client);

	/**
	 * Returns the id under which a client is stored if its offered id was not found.
	 */
	long issuedTo(int client);

	/**
	 * Returns the id of a one-time visitor.
	 */
	long ofVisitor();

	/**
	 * Creates an instance for each replay.
	 */
	@FunctionalInterface
	interface Factory {

		ClientIds create();

	}

	/**
	 * TLS sessions: each full handshake creates a new id, so an evicted id is never put
	 * again.
	 */
	final class Sessions implements ClientIds {

		/**
		 * The id of each client's last session plus one; 0 if the client has no session.
		 */
		private final long[] last = new long[ClientTrace.CLIENTS];

		private long next;

		@Override
		public long offeredBy(int client) {
			return this.last[client] - 1;
		}

		@Override
		public long issuedTo(int client) {
			long id = this.next++;
			this.last[client] = id + 1;
			return id;
		}

		@Override
		public long ofVisitor() {
			return this.next++;
		}

	}

	/**
	 * Stable ids, as in other caches: an evicted id is put again, so a policy can learn
	 * from evicted ids.
	 */
	final class Names implements ClientIds {

		private long next = ClientTrace.CLIENTS;

		@Override
		public long offeredBy(int client) {
			return client;
		}

		@Override
		public long issuedTo(int client) {
			return client;
		}

		@Override
		public long ofVisitor() {
			return this.next++;
		}

	}

}
