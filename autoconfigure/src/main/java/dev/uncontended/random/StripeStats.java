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

/**
 * The statistics of a stripe of a pool since the pool was created. {@link PoolStats}
 * describes pools and stripes.
 *
 * @param draws the number of 16-byte slots handed out
 * @param refills how often the buffer was filled
 * @param contended how often a thread found the stripe in use by another thread
 */
public record StripeStats(long draws, long refills, long contended) {

	/**
	 * Adds the statistics of two stripes.
	 * @param other the statistics of the other stripe
	 * @return the sums
	 */
	public StripeStats plus(StripeStats other) {
		return new StripeStats(this.draws + other.draws, this.refills + other.refills,
				this.contended + other.contended);
	}

}
