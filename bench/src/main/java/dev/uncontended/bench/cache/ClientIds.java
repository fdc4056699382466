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
 * Assigns the ids under which a server stores its clients. Each instance serves one
 * replay of a trace.
 */
interface ClientIds {

	/**
	 * The offer of a client without an id.
	 */
	long NONE = -1;

	/**
	 * The id that a client offers.
	 */
	long offeredBy(int client);

	/**
	 * The id under which a client is stored after its offer was not found.
	 */
	long issuedTo(int client);

	/**
	 * The id of a client that will not return.
	 */
	long ofVisitor();

	/**
	 * Creates ids for one replay.
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
		 * By client, the id of its last session plus one; 0 if there is none.
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
	 * Stable names, as in other caches: an evicted name is put again, and a policy may
	 * remember evicted names.
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
