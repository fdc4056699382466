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
import java.util.Comparator;
import java.util.HashMap;
import java.util.Map;
import java.util.PriorityQueue;
import java.util.Random;

/**
 * A sequence of handshakes by returning clients and one-time clients.
 */
final class ClientTrace {

	private static final int HANDSHAKES = 1_000_000;

	private static final int ONE_TIME = -1;

	private static final int ZIPF_CLIENTS = 100_000;

	private static final long SEED = 42;

	private final int[] clients;

	private ClientTrace(int[] clients) {
		this.clients = clients;
	}

	/**
	 * Creates a trace of clients that arrive, return a geometrically distributed number
	 * of times after exponentially distributed gaps, and leave.
	 * @param never the fraction of clients that never return
	 * @param returns the mean number of returns of the other clients, at least 1
	 * @param gap the mean gap in handshakes
	 */
	static ClientTrace churn(double never, double returns, double gap) {
		Random random = new Random(SEED);
		PriorityQueue<Visit> visits = new PriorityQueue<>(Comparator.comparingDouble(Visit::time));
		visits.add(new Visit(0, 0, true));
		int[] clients = new int[HANDSHAKES];
		int arrived = 0;
		for (int i = 0; i < HANDSHAKES; i++) {
			Visit visit = visits.remove();
			clients[i] = visit.client;
			if (visit.first) {
				double meanArrival = 1 + (1 - never) * returns;
				visits.add(new Visit(visit.time + exponential(random, meanArrival), ++arrived, true));
			}
			double end = visit.first ? never : 1 / returns;
			if (random.nextDouble() >= end) {
				visits.add(new Visit(visit.time + exponential(random, gap), visit.client, false));
			}
		}
		return new ClientTrace(clients);
	}

	/**
	 * Creates a trace of permanent clients, each equally likely at any time, and of
	 * one-time clients. The one-time clients start when the permanent clients had ten
	 * handshakes each on average.
	 */
	static ClientTrace flood(int permanent, double oneTime) {
		Random random = new Random(SEED);
		int[] clients = new int[HANDSHAKES];
		for (int i = 0; i < HANDSHAKES; i++) {
			boolean flood = i >= 10 * permanent && random.nextDouble() < oneTime;
			clients[i] = flood ? ONE_TIME : random.nextInt(permanent);
		}
		return new ClientTrace(clients);
	}

	/**
	 * Creates a trace in which other clients of the same number replace all clients in
	 * the middle.
	 */
	static ClientTrace shift(int clientsInUse) {
		Random random = new Random(SEED);
		int[] clients = new int[HANDSHAKES];
		for (int i = 0; i < HANDSHAKES; i++) {
			clients[i] = random.nextInt(clientsInUse) + ((i < HANDSHAKES / 2) ? 0 : clientsInUse);
		}
		return new ClientTrace(clients);
	}

	/**
	 * Creates a trace of 100,000 clients with Zipf-distributed popularity that never
	 * leave, and of one-time clients.
	 */
	static ClientTrace zipf(double exponent, double oneTime) {
		double[] cumulative = new double[ZIPF_CLIENTS];
		double sum = 0;
		for (int i = 0; i < ZIPF_CLIENTS; i++) {
			sum += 1 / Math.pow(i + 1, exponent);
			cumulative[i] = sum;
		}
		Random random = new Random(SEED);
		int[] clients = new int[HANDSHAKES];
		for (int i = 0; i < clients.length; i++) {
			clients[i] = (random.nextDouble() < oneTime) ? ONE_TIME : draw(cumulative, random);
		}
		return new ClientTrace(clients);
	}

	private static int draw(double[] cumulative, Random random) {
		int rank = Arrays.binarySearch(cumulative, random.nextDouble() * cumulative[ZIPF_CLIENTS - 1]);
		return Math.min(ZIPF_CLIENTS - 1, (rank >= 0) ? rank : -rank - 1);
	}

	private static double exponential(Random random, double mean) {
		return -mean * Math.log(1 - random.nextDouble());
	}

	/**
	 * Replays the trace. Each full handshake creates a session with a new id.
	 * @return the percentage of return visits that resume the client's session
	 */
	double hitRatio(EvictionPolicy policy) {
		Map<Integer, Long> sessions = new HashMap<>();
		long nextId = 0;
		int hits = 0;
		int returns = 0;
		for (int client : this.clients) {
			Long offered = sessions.get(client);
			if (offered != null) {
				returns++;
				if (policy.get(offered) != null) {
					hits++;
					continue;
				}
			}
			policy.put(nextId);
			if (client != ONE_TIME) {
				sessions.put(client, nextId);
			}
			nextId++;
		}
		return 100.0 * hits / returns;
	}

	private record Visit(double time, int client, boolean first) {
	}

}
