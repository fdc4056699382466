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

import java.util.Comparator;
import java.util.PriorityQueue;
import java.util.Random;

/**
 * An endless trace of the visits of clients.
 */
abstract class ClientTrace {

	final Random random = new Random(42);

	private boolean leaves;

	/**
	 * Returns the client of the next visit.
	 * @return the number of the client
	 */
	abstract int next();

	/**
	 * Returns whether the last visit is the last of its client.
	 * @return whether the client never returns
	 */
	final boolean leaves() {
		return this.leaves;
	}

	final void setLeaves(boolean leaves) {
		this.leaves = leaves;
	}

	/**
	 * Creates a trace of clients that arrive, return a geometrically distributed number
	 * of times after exponentially distributed gaps, and leave.
	 * @param never the part of the clients that never return
	 * @param returns the mean number of returns of the others
	 * @param gap the mean time between two visits of a client, in visits of all clients
	 * @return the trace
	 */
	static ClientTrace churn(double never, double returns, double gap) {
		return new Churn(never, returns, gap);
	}

	/**
	 * Creates a trace of permanent clients, each equally likely at any time, among
	 * clients that visit once. The latter start when the permanent clients had ten visits
	 * each on average.
	 * @param permanent the number of permanent clients
	 * @param oneTime the part of the visits by one-time clients
	 * @return the trace
	 */
	static ClientTrace flood(int permanent, double oneTime) {
		return new Flood(permanent, oneTime);
	}

	private static final class Churn extends ClientTrace {

		private final double never;

		private final double returns;

		private final double gap;

		private final PriorityQueue<Visit> visits = new PriorityQueue<>(Comparator.comparingDouble(Visit::time));

		private int arrived;

		Churn(double never, double returns, double gap) {
			this.never = never;
			this.returns = returns;
			this.gap = gap;
			this.visits.add(new Visit(0, 0, true));
		}

		@Override
		int next() {
			Visit visit = this.visits.remove();
			if (visit.first) {
				double meanArrival = 1 + (1 - this.never) * this.returns;
				this.visits.add(new Visit(visit.time + exponential(meanArrival), ++this.arrived, true));
			}
			setLeaves(this.random.nextDouble() < (visit.first ? this.never : 1 / this.returns));
			if (!leaves()) {
				this.visits.add(new Visit(visit.time + exponential(this.gap), visit.client, false));
			}
			return visit.client;
		}

		private double exponential(double mean) {
			return -mean * Math.log(1 - this.random.nextDouble());
		}

		private record Visit(double time, int client, boolean first) {
		}

	}

	private static final class Flood extends ClientTrace {

		private final int permanent;

		private final double oneTime;

		private long visits;

		Flood(int permanent, double oneTime) {
			this.permanent = permanent;
			this.oneTime = oneTime;
		}

		@Override
		int next() {
			setLeaves(this.visits++ >= 10L * this.permanent && this.random.nextDouble() < this.oneTime);
			return leaves() ? this.permanent : this.random.nextInt(this.permanent);
		}

	}

}
