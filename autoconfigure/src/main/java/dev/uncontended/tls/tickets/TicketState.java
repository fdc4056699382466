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

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.NavigableSet;
import java.util.TreeSet;

import org.jspecify.annotations.Nullable;

/**
 * The seeds of the ticket keys, and the ends of all sessions that they follow. Immutable.
 * <p>
 * Whenever the set of ends changes, the new state has one fresh seed and no other. So all
 * seeds of a state are younger than each of its ends, and a node that only moves to
 * states with more ends never accepts a ticket from before an end again.
 *
 * @param generation the highest configured generation that a node has applied
 * @param revision the number of changes since the set of ends last changed; 0 before the
 * state has been shared
 * @param ends the ids of the ends, in the order of the times in their upper halves
 * @param seeds the seeds, in the order in which they come into force
 */
record TicketState(int generation, int revision, NavigableSet<Long> ends, List<Seed> seeds) {

	/** A further end replaces the oldest one. */
	static final int MAXIMUM_ENDS = 64;

	/** The maximum number of ends, and of seeds, in an encoded state. */
	private static final int MAXIMUM_ENTRIES = 1024;

	private static final int SEED_LENGTH = 32;

	/** The maximum length of an encoded state in bytes. */
	static final int MAXIMUM_LENGTH = 12 + MAXIMUM_ENTRIES * (8 + 8 + SEED_LENGTH);

	private static final byte[] KEY = "uncontended ticket key v4\0".getBytes(StandardCharsets.US_ASCII);

	/** Returns a state without ends and with one seed. */
	static TicketState of(byte[] seed) {
		return new TicketState(0, 0, noEnds(), List.of(new Seed(0, seed)));
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
		ByteBuffer buffer = ByteBuffer.allocate(12 + 8 * this.ends.size() + (8 + SEED_LENGTH) * this.seeds.size())
			.putInt(this.generation)
			.putInt(this.revision)
			.putShort((short) this.ends.size());
		this.ends.forEach(buffer::putLong);
		buffer.putShort((short) this.seeds.size());
		this.seeds.forEach((seed) -> buffer.putLong(seed.from()).put(seed.bytes()));
		return buffer.array();
	}

	/** Returns the decoded state, or {@code null} if it is malformed. */
	static @Nullable TicketState decode(byte[] encoded) {
		ByteBuffer buffer = ByteBuffer.wrap(encoded);
		if (buffer.remaining() < 12) {
			return null;
		}
		int generation = buffer.getInt();
		int revision = buffer.getInt();
		int length = buffer.getShort();
		if (length < 0 || length > MAXIMUM_ENTRIES || buffer.remaining() < 8 * length + 2) {
			return null;
		}
		NavigableSet<Long> ends = noEnds();
		for (int i = 0; i < length; i++) {
			ends.add(buffer.getLong());
		}
		length = buffer.getShort();
		if (length < 1 || length > MAXIMUM_ENTRIES || buffer.remaining() != (8 + SEED_LENGTH) * length) {
			return null;
		}
		List<Seed> seeds = new ArrayList<>();
		for (int i = 0; i < length; i++) {
			long from = buffer.getLong();
			byte[] seed = new byte[SEED_LENGTH];
			buffer.get(seed);
			seeds.add(new Seed(from, seed));
		}
		TicketState state = new TicketState(generation, revision, ends, List.copyOf(seeds));
		return Arrays.equals(state.encode(), encoded) ? state : null;
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
		NavigableSet<Long> union = noEnds();
		union.addAll(this.ends);
		union.addAll(other.ends);
		return (union.size() > MAXIMUM_ENTRIES) ? this
				: restarted(Math.max(this.generation, other.generation), union, random);
	}

	private static TicketState restarted(int generation, NavigableSet<Long> ends, SecureRandom random) {
		return new TicketState(generation, 1, ends, List.of(new Seed(0, randomSeed(random))));
	}

	/**
	 * Returns a new state with one more end.
	 * @param generation the generation of the new state, if it is higher
	 * @param time the wall clock's time in milliseconds since 1970
	 */
	TicketState ended(int generation, long time, SecureRandom random) {
		NavigableSet<Long> ends = noEnds();
		ends.addAll(this.ends);
		while (ends.size() >= MAXIMUM_ENDS) {
			ends.pollFirst();
		}
		long id = (time / 1000) << 32 | (random.nextInt() & 0xffffffffL);
		// A set that has lost an end must never equal the set before it.
		while (this.ends.contains(id) || !ends.add(id)) {
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
		long latest = rotation.start(rotation.epoch(time) + 2);
		if (this.seeds.stream().anyMatch((seed) -> seed.from() > time && seed.from() <= latest)) {
			return this;
		}
		long oldest = rotation.start(rotation.epoch(time - rotation.lifetime().toMillis()));
		List<Seed> seeds = new ArrayList<>();
		for (int i = 0; i < this.seeds.size(); i++) {
			if (i + 1 == this.seeds.size() || this.seeds.get(i + 1).from() > oldest) {
				seeds.add(this.seeds.get(i));
			}
		}
		if (seeds.size() >= MAXIMUM_ENTRIES) {
			seeds.remove(0);
		}
		seeds.add(new Seed(rotation.start(rotation.epoch(time + lead.toMillis()) + 1), randomSeed(random)));
		seeds.sort(Comparator.comparingLong(Seed::from));
		return new TicketState(this.generation, this.revision + 1, this.ends, List.copyOf(seeds));
	}

	/** Returns the seed in force at the start of an epoch. */
	Seed seed(TicketKeyRotation rotation, long epoch) {
		long start = rotation.start(epoch);
		return this.seeds.stream()
			.filter((seed) -> seed.from() <= start)
			.reduce((earlier, later) -> later)
			.orElse(this.seeds.get(0));
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
		byte[] parts = TicketSecret.expand(seed(rotation, epoch).bytes(), info, TicketKey.LENGTH);
		TicketKey key = new TicketKey(parts);
		Arrays.fill(parts, (byte) 0);
		return key;
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

	/**
	 * Random bytes from which nodes derive the keys of the epochs that start at or after
	 * {@code from}, in milliseconds since 1970, until the next seed comes into force.
	 */
	record Seed(long from, byte[] bytes) {

		@Override
		public boolean equals(@Nullable Object other) {
			return other instanceof Seed seed && this.from == seed.from && Arrays.equals(this.bytes, seed.bytes);
		}

		@Override
		public int hashCode() {
			return Long.hashCode(this.from) ^ Arrays.hashCode(this.bytes);
		}

		@Override
		public String toString() {
			return "Seed[from=" + this.from + "]";
		}

	}

}
