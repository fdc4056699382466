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

package dev.uncontended.random;

import java.util.ArrayList;
import java.util.List;

import org.jspecify.annotations.Nullable;

/**
 * The statistics of a pool of random bits since the pool was created. They are exact
 * while no thread draws from the pool. A pool consists of stripes, each with a generator
 * and a buffer of 16-byte slots.
 *
 * @param bufferSize the buffer size of a stripe in bytes
 * @param unbuffered the number of slots that came directly from a generator instead of a
 * buffer, for example while the pool was suspended
 * @param reseeds the number of reseeds of generators
 * @param refillFailures the number of failed refills
 * @param refillNanos the total duration of the {@linkplain #refills() refills} in
 * nanoseconds
 * @param lastFailure the last failure of a refill; {@code null} initially, after a
 * successful refill, and after the pool was suspended or closed
 * @param stripes the statistics of the stripes
 */
public record PoolStats(int bufferSize, long unbuffered, long reseeds, long refillFailures, long refillNanos,
		@Nullable RefillFailure lastFailure, List<StripeStats> stripes) {

	private static final PoolStats EMPTY = new PoolStats(0, 0, 0, 0, 0, null, List.of());

	/**
	 * Returns the statistics of a pool without stripes.
	 * @return statistics in which all numbers are 0
	 */
	public static PoolStats empty() {
		return EMPTY;
	}

	/**
	 * Returns the number of 16-byte slots handed out.
	 * @return the number, including the {@linkplain #unbuffered() unbuffered} slots
	 */
	public long draws() {
		return this.unbuffered + total().draws();
	}

	/**
	 * Returns the number of refills.
	 * @return the sum over all stripes
	 */
	public long refills() {
		return total().refills();
	}

	/**
	 * Returns how often a thread found a stripe in use by another thread.
	 * @return the sum over all stripes
	 */
	public long contended() {
		return total().contended();
	}

	private StripeStats total() {
		return this.stripes.stream().reduce(new StripeStats(0, 0, 0), StripeStats::plus);
	}

	/**
	 * Adds the statistics of two pools, stripe by stripe. The last failure is this pool's
	 * or, if this pool has none, the other pool's.
	 * @param other the statistics of the other pool
	 * @return the sums
	 * @throws IllegalArgumentException if the number of stripes or the buffer size
	 * differs
	 */
	public PoolStats plus(PoolStats other) {
		if (this.bufferSize != other.bufferSize || this.stripes.size() != other.stripes.size()) {
			throw new IllegalArgumentException(
					"Failed to add statistics of pools of different shape: " + shape() + " and " + other.shape());
		}
		List<StripeStats> sums = new ArrayList<>();
		for (int i = 0; i < this.stripes.size(); i++) {
			sums.add(this.stripes.get(i).plus(other.stripes.get(i)));
		}
		return new PoolStats(this.bufferSize, this.unbuffered + other.unbuffered, this.reseeds + other.reseeds,
				this.refillFailures + other.refillFailures, this.refillNanos + other.refillNanos,
				(this.lastFailure != null) ? this.lastFailure : other.lastFailure, List.copyOf(sums));
	}

	private String shape() {
		return this.stripes.size() + " stripes of " + this.bufferSize + " bytes";
	}

}
