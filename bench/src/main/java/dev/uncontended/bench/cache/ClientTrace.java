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

import java.util.Arrays;
import java.util.Random;

/**
 * A sequence of handshakes by returning clients and one-time visitors.
 */
final class ClientTrace {

	static final int CLIENTS = 100_000;

	private static final int HANDSHAKES = 1_000_000;

	private static final int VISITOR = -1;

	private final int[] clients;

	private ClientTrace(int[] clients) {
		this.clients = clients;
	}

	/**
	 * Creates a random trace.
	 * @param exponent the Zipf exponent of the clients' popularity
	 * @param visitors the fraction of one-time visitors
	 * @param seed the seed of the random numbers
	 */
	static ClientTrace random(double exponent, double visitors, long seed) {
		double[] cumulative = new double[CLIENTS];
		double sum = 0;
		for (int i = 0; i < CLIENTS; i++) {
			sum += 1 / Math.pow(i + 1, exponent);
			cumulative[i] = sum;
		}
		Random random = new Random(seed);
		int[] clients = new int[HANDSHAKES];
		for (int i = 0; i < clients.length; i++) {
			clients[i] = (random.nextDouble() < visitors) ? VISITOR : draw(cumulative, random);
		}
		return new ClientTrace(clients);
	}

	private static int draw(double[] cumulative, Random random) {
		int rank = Arrays.binarySearch(cumulative, random.nextDouble() * cumulative[CLIENTS - 1]);
		return Math.min(CLIENTS - 1, (rank >= 0) ? rank : -rank - 1);
	}

	/**
	 * Replays the trace.
	 * @return the hit ratio of returning clients in percent
	 */
	double hitRatio(ClientIds ids, EvictionPolicy policy) {
		int hits = 0;
		int returning = 0;
		for (int client : this.clients) {
			if (client == VISITOR) {
				policy.put(ids.ofVisitor());
				continue;
			}
			returning++;
			long offered = ids.offeredBy(client);
			if (offered != ClientIds.NONE && policy.get(offered) != null) {
				hits++;
			}
			else {
				policy.put(ids.issuedTo(client));
			}
		}
		return 100.0 * hits / returning;
	}

}
