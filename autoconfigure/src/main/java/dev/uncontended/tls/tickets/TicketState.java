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

import java.nio.BufferUnderflowException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.NavigableSet;
import java.util.TreeMap;
import java.util.TreeSet;

import javax.crypto.spec.SecretKeySpec;

import org.jspecify.annotations.Nullable;

/**
 * The seeds of the ticket keys, and the ends of all sessions that they follow. Immutable.
 * <p>
 * Whenever the set of ends changes, the new state has one fresh seed and no other. So all
 * seeds of a state are younger than each of its ends, and a node that only moves to
 * states with more ends never accepts a ticket from before an end again. No end is ever
 * dropped: nodes that drop different ends would end sessions again when they meet.
 *
 * @param generation the highest configured generation that a node has applied
 * @param revision the number of changes since the set of ends last changed; 0 before the
 * state has been shared
 * @param ends the ids of the ends, in the order of the times in their upper halves
 * @param seeds the random seeds from which nodes derive keys, by the time at which each
 * comes into force, in milliseconds since 1970
 */
record TicketState(int generation, int revision, NavigableSet<Long> ends, NavigableMap<Long, SecretKeySpec> seeds) {

	private static final int SEED_LENGTH = 32;

	private static final byte[] KEY = "uncontended ticket key v4\0".getBytes(StandardCharsets.US_ASCII);

	/** Returns a state without ends and with one seed. */
	static TicketState of(byte[] seed) {
		return new TicketState(0, 0, noEnds(), new TreeMap<>(Map.of(0L, TicketSecret.hmacKey(seed))));
	}

	static TicketState fresh(SecureRandom random) {
		return of(randomSeed(random));
	}

	private static NavigableSet<Long> noEnds() {
		return new TreeSet<>(Long::compareUnsigned);
	}

	private static byte[] randomSeed(SecureRandom random) {
		byte[] seed = new byte[SEED_LENGTH];
		random.nextBytes(seed);
		return seed;
	}

	byte[] encode() {
		ByteBuffer buffer = ByteBuffer.allocate(14 + 8 * this.ends.size() + (8 + SEED_LENGTH) * this.seeds.size())
			.putInt(this.generation)
			.putInt(this.revision)
			.putInt(this.ends.size());
		this.ends.forEach(buffer::putLong);
		buffer.putShort((short) this.seeds.size());
		this.seeds.forEach((from, seed) -> buffer.putLong(from).put(seed.getEncoded()));
		return buffer.array();
	}

	/** Returns the decoded state, or {@code null} if it is malformed. */
	static @Nullable TicketState decode(byte[] encoded) {
		ByteBuffer buffer = ByteBuffer.wrap(encoded);
		NavigableSet<Long> ends = noEnds();
		NavigableMap<Long, SecretKeySpec> seeds = new TreeMap<>();
		try {
			TicketState state = new TicketState(buffer.getInt(), buffer.getInt(), ends, seeds);
			for (int i = buffer.getInt(); i > 0; i--) {
				ends.add(buffer.getLong());
			}
			byte[] seed = new byte[SEED_LENGTH];
			for (int i = buffer.getShort(); i > 0; i--) {
				long from = buffer.getLong();
				buffer.get(seed);
				seeds.put(from, TicketSecret.hmacKey(seed));
			}
			return (!seeds.isEmpty() && Arrays.equals(state.encode(), encoded)) ? state : null;
		}
		catch (BufferUnderflowException ex) {
			return null;
		}
	}

	boolean includes(TicketState other) {
		return this.ends.containsAll(other.ends);
	}

	/**
	 * Returns the later of this and another state: the one with all ends of both, or this
	 * state if there is none. Of two states with the same ends, the later one has more
	 * revisions. An order of bytes decides between states that nodes have created at the
	 * same time.
	 * @param other the other state, {@code null} if there is none
	 */
	TicketState follow(@Nullable TicketState other) {
		if (other == null) {
			return (this.revision > 0) ? this : new TicketState(this.generation, 1, this.ends, this.seeds);
		}
		if (!this.ends.equals(other.ends)) {
			return other.includes(this) ? other : this;
		}
		return (Arrays.compareUnsigned(encode(), other.encode()) >= 0) ? this : other;
	}

	/**
	 * Returns the later of two states like {@link #follow}, or a new state if each has
	 * ends that the other lacks.
	 */
	TicketState merge(@Nullable TicketState other, SecureRandom random) {
		if (other == null || includes(other) || other.includes(this)) {
			return follow(other);
		}
		NavigableSet<Long> union = new TreeSet<>(this.ends);
		union.addAll(other.ends);
		return restarted(Math.max(this.generation, other.generation), union, random);
	}

	private static TicketState restarted(int generation, NavigableSet<Long> ends, SecureRandom random) {
		return new TicketState(generation, 1, ends, fresh(random).seeds);
	}

	/**
	 * Returns a new state with one more end.
	 * @param generation the generation of the new state, if it is higher
	 * @param time the wall clock's time in milliseconds since 1970
	 */
	TicketState ended(int generation, long time, SecureRandom random) {
		NavigableSet<Long> ends = new TreeSet<>(this.ends);
		long id = (time / 1000) << 32 | (random.nextInt() & 0xffffffffL);
		while (!ends.add(id)) {
			id++;
		}
		return restarted(Math.max(this.generation, generation), ends, random);
	}

	/**
	 * Returns this state, or a new state with one more seed if no seed comes into force
	 * in the next two epochs.
	 * @param lead the time in which other nodes read a new state
	 * @param time the wall clock's time in milliseconds since 1970
	 */
	TicketState reseeded(TicketKeyRotation rotation, Duration lead, long time, SecureRandom random) {
		Long next = this.seeds.higherKey(time);
		if (next != null && next <= rotation.start(rotation.epoch(time) + 2)) {
			return this;
		}
		Long oldest = this.seeds.floorKey(rotation.start(rotation.epoch(time - rotation.lifetime().toMillis())));
		NavigableMap<Long, SecretKeySpec> seeds = new TreeMap<>(
				(oldest != null) ? this.seeds.tailMap(oldest, true) : this.seeds);
		long from = rotation.start(rotation.epoch(time + lead.toMillis()) + 1);
		seeds.put(from, TicketSecret.hmacKey(randomSeed(random)));
		return new TicketState(this.generation, this.revision + 1, this.ends, seeds);
	}

	/** Returns the seed in force at the start of an epoch. */
	SecretKeySpec seed(TicketKeyRotation rotation, long epoch) {
		Map.Entry<Long, SecretKeySpec> entry = this.seeds.floorEntry(rotation.start(epoch));
		return ((entry != null) ? entry : this.seeds.firstEntry()).getValue();
	}

	/**
	 * Returns the keys that decrypt, of which the first encrypts.
	 * @param time the wall clock's time in milliseconds since 1970
	 */
	List<TicketKey> keys(TicketKeyRotation rotation, long time) {
		long present = rotation.epoch(time);
		List<TicketKey> keys = new ArrayList<>();
		keys.add(key(rotation, present));
		keys.add(key(rotation, present + 1));
		for (long epoch = present - 1; epoch >= rotation.epoch(time - rotation.lifetime().toMillis()); epoch--) {
			keys.add(key(rotation, epoch));
		}
		return keys;
	}

	private TicketKey key(TicketKeyRotation rotation, long epoch) {
		byte[] info = ByteBuffer.allocate(KEY.length + 16)
			.put(KEY)
			.putLong(rotation.interval().toMillis())
			.putLong(epoch)
			.array();
		return TicketKey.of(TicketSecret.expand(seed(rotation, epoch), info, TicketKey.LENGTH));
	}

	/** Returns a digest of the ends, 0 if there are none. */
	long digest() {
		if (this.ends.isEmpty()) {
			return 0;
		}
		ByteBuffer buffer = ByteBuffer.allocate(8 * this.ends.size());
		this.ends.forEach(buffer::putLong);
		try {
			return ByteBuffer.wrap(MessageDigest.getInstance("SHA-256").digest(buffer.array())).getLong();
		}
		catch (NoSuchAlgorithmException ex) {
			throw new IllegalStateException("Failed to create SHA-256, which every Java platform must support", ex);
		}
	}

	/** Omits the seeds. */
	@Override
	public String toString() {
		return "TicketState[generation=" + this.generation + ", revision=" + this.revision + ", ends="
				+ this.ends.size() + ", seeds=" + this.seeds.size() + "]";
	}

}
