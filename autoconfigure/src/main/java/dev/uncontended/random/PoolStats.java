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
 * What a pool has done since it was made. Exact when no thread is drawing.
 *
 * @param bufferSize the bytes of a stripe's buffer
 * @param unbuffered the slots of 16 bytes that came from no stripe: while the pool was
 * suspended, or because another thread had refilled the stripe in the meantime
 * @param reseeds how often a generator has got fresh entropy after its first seed
 * @param refillFailures how often a generator has thrown, or returned what cannot be
 * random
 * @param refillNanos the time that refills took, together, in nanoseconds, those that
 * failed not included
 * @param lastFailure why the last refill failed, or {@code null} if it succeeded
 * @param stripes the stripes
 */
public record PoolStats(int bufferSize, long unbuffered, long reseeds, long refillFailures, long refillNanos,
		@Nullable RefillFailure lastFailure, List<StripeStats> stripes) {

	/**
	 * Makes the statistics of a pool.
	 * @param bufferSize the bytes of a stripe's buffer
	 * @param unbuffered the slots handed out past the stripes
	 * @param reseeds how often a generator has got fresh entropy
	 * @param refillFailures how often a refill has failed
	 * @param refillNanos the time that refills took, in nanoseconds
	 * @param lastFailure why the last refill failed, or {@code null} if it succeeded
	 * @param stripes the stripes, which are copied
	 */
	public PoolStats {
		stripes = List.copyOf(stripes);
	}

	/**
	 * Returns the number of slots handed out.
	 * @return slots of 16 bytes, those drawn past the stripes included
	 */
	public long draws() {
		return this.unbuffered + total().draws();
	}

	/**
	 * Returns how often a buffer was filled.
	 * @return the sum over all stripes
	 */
	public long refills() {
		return total().refills();
	}

	/**
	 * Returns how often a stripe was passed over because another thread was at it.
	 * @return the sum over all stripes
	 */
	public long contended() {
		return total().contended();
	}

	private StripeStats total() {
		return this.stripes.stream().reduce(new StripeStats(0, 0, 0), StripeStats::plus);
	}

	/**
	 * Adds up the figures of two pools of the same shape, stripe by stripe.
	 * @param other a pool with as many stripes and buffers of the same size
	 * @return the sums
	 * @throws IllegalArgumentException if the pools differ in shape
	 */
	public PoolStats plus(PoolStats other) {
		if (this.bufferSize != other.bufferSize || this.stripes.size() != other.stripes.size()) {
			throw new IllegalArgumentException("Pools of different shape: " + this + " and " + other);
		}
		List<StripeStats> sums = new ArrayList<>();
		for (int i = 0; i < this.stripes.size(); i++) {
			sums.add(this.stripes.get(i).plus(other.stripes.get(i)));
		}
		return new PoolStats(this.bufferSize, this.unbuffered + other.unbuffered, this.reseeds + other.reseeds,
				this.refillFailures + other.refillFailures, this.refillNanos + other.refillNanos,
				(this.lastFailure != null) ? this.lastFailure : other.lastFailure, sums);
	}

}
