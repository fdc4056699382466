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
package dev.uncontended.tls.redis;

import java.util.Comparator;
import java.util.HexFormat;

/**
 * An end of all TLS sessions, as recorded in the Redis hash of one
 * {@linkplain dev.uncontended.tls.tickets.TicketSecret secret}.
 *
 * @param generation the highest generation of the secret among the nodes that had
 * recorded an end. A later end never has a lower generation
 * @param number the number of the end in this Redis hash and generation. The last end has
 * the highest number
 * @param id the id of the end, the same in the Redis hashes of all secrets
 * @see RedisTicketKeySource
 */
record End(int generation, long number, String id) implements Comparable<End> {

	/** The state before the first end. */
	static final End NONE = ofGeneration(0);

	private static final Comparator<End> ORDER = Comparator.comparingInt(End::generation)
		.thenComparingLong(End::number)
		.thenComparing(End::id);

	/**
	 * Returns the first end of a generation, which ends the sessions of all lower
	 * generations.
	 */
	static End ofGeneration(int generation) {
		return new End(generation, 0, "0".repeat(24) + HexFormat.of().toHexDigits(generation));
	}

	/**
	 * Returns {@code pending}, which this Redis hash does not contain yet, as a later end
	 * than this end. If this node requested {@code pending}, its number is still 0. The
	 * new number is then at least {@code now}, Redis's time, so that numbers increase
	 * even if Redis has lost its data.
	 */
	End next(End pending, long now) {
		return new End(Math.max(this.generation, pending.generation()),
				Math.max(this.number + 1, (pending.number() != 0) ? pending.number() : now), pending.id());
	}

	@Override
	public int compareTo(End other) {
		return ORDER.compare(this, other);
	}

}
