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

import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.TimeUnit;
import java.util.function.BinaryOperator;
import java.util.stream.Stream;

import dev.uncontended.tls.redis.TicketKeyHash.Changes;
import dev.uncontended.tls.redis.TicketKeyHash.Content;
import dev.uncontended.tls.tickets.TicketKey;
import dev.uncontended.tls.tickets.TicketKeyRotation;
import dev.uncontended.tls.tickets.internal.ScheduledKey;
import org.jspecify.annotations.Nullable;

/**
 * This node's copy of one secret's Redis hash. It contains the last end of all sessions,
 * and the ticket keys created since that end. Not thread-safe.
 */
final class SharedKeys {

	/**
	 * Redis may lose its data once or twice.
	 */
	private static final int TOLERATED_HIDDEN_READS = 2;

	/**
	 * The number of poll intervals for which a hidden end is remembered. Other nodes also
	 * restore the end, so not every poll finds an earlier one.
	 */
	private static final int HIDDEN_INTERVALS = 4;

	private final SealedRecords records;

	private final RedisTicketKeyOptions options;

	/**
	 * Whether the keys in this Redis hash encrypt tickets. New keys are added only to
	 * such a hash.
	 */
	private final boolean encrypting;

	/**
	 * The keys by id. Their times are converted to this node's monotonic clock once, so
	 * later changes of Redis's clock do not affect them.
	 */
	private final Map<String, Known> keys = new HashMap<>();

	private End end = End.NONE;

	/**
	 * An end of all sessions that must still be written to the Redis hash: requested on
	 * this node (with the number 0), or read from the Redis hash of another secret.
	 */
	private @Nullable End pendingEnd;

	/**
	 * Another node's end that {@link #merge} has found.
	 */
	private @Nullable End remoteEnd;

	/**
	 * The latest end in a message.
	 */
	private End announced = End.NONE;

	/**
	 * How many reads found an earlier end in the Redis hash than this copy's.
	 */
	private int hiddenReads;

	/**
	 * The time of the last of these reads.
	 */
	private long hiddenAt;

	SharedKeys(SealedRecords records, RedisTicketKeyOptions options, boolean encrypting) {
		this.records = records;
		this.options = options;
		this.encrypting = encrypting;
	}

	boolean anyActivated(long now) {
		return this.keys.values().stream().anyMatch((known) -> known.activation() <= now);
	}

	/**
	 * Returns the keys with their times by this node's monotonic clock. A key decrypts
	 * longer than planned if the next key is activated late.
	 */
	List<ScheduledKey> schedule() {
		List<Known> sorted = this.keys.values()
			.stream()
			.sorted(Comparator.comparingLong(Known::activation).thenComparing((known) -> known.shared().id()))
			.toList();
		List<ScheduledKey> schedule = new ArrayList<>();
		for (int i = sorted.size() - 1; i >= 0; i--) {
			Known known = sorted.get(i);
			long expiry = known.expiry();
			if (i + 1 < sorted.size()) {
				long takeover = sorted.get(i + 1).activation();
				expiry = Math.max(expiry, takeover + this.options.rotation().lifetime().toNanos());
			}
			ScheduledKey key = new ScheduledKey(known.shared().key(), known.activation(), expiry);
			schedule.add(this.encrypting ? key : key.decryptingOnly());
		}
		return schedule;
	}

	/**
	 * Drops all keys because this node ends all sessions.
	 */
	void end(String id) {
		end(new End(0, id));
	}

	private void end(End pending) {
		this.keys.clear();
		this.pendingEnd = pending;
	}

	/**
	 * Drops all keys because of an end of all sessions in the Redis hash of another
	 * secret. Does nothing if this copy already contains that end.
	 */
	void passOn(End remote) {
		if (this.pendingEnd == null && !this.end.id().equals(remote.id())) {
			end(remote);
		}
	}

	boolean hasPendingEnd() {
		return this.pendingEnd != null;
	}

	@Nullable End remoteEnd() {
		return this.remoteEnd;
	}

	void appliedRemoteEnd() {
		this.remoteEnd = null;
	}

	/**
	 * Returns this copy's end, sealed for a message.
	 */
	Optional<String> sealedEnd() {
		return this.end.equals(End.NONE) ? Optional.empty() : Optional.of(this.records.sealEnd(this.end));
	}

	/**
	 * Remembers an end from a message for the next {@link #merge}, unless it is sealed
	 * with another secret.
	 */
	void announce(String sealed) {
		End end = this.records.openEnd(sealed);
		if (end != null && end.compareTo(this.announced) > 0) {
			this.announced = end;
		}
	}

	/**
	 * Records the first read of a poll.
	 */
	void recordRead(boolean hidesEnd, long now) {
		if (now - this.hiddenAt > this.options.pollInterval().multipliedBy(HIDDEN_INTERVALS).toNanos()) {
			this.hiddenReads = 0;
		}
		if (hidesEnd) {
			this.hiddenReads++;
			this.hiddenAt = now;
		}
	}

	/**
	 * Returns whether another program keeps replacing the end in the Redis hash.
	 */
	boolean isEndHidden() {
		return this.hiddenReads > TOLERATED_HIDDEN_READS;
	}

	/**
	 * Updates this copy with new {@linkplain SealedRecords records} from the Redis hash,
	 * and returns the changes that the Redis hash needs.
	 * @param now the time by this node's monotonic clock
	 */
	Changes merge(Content content, long now) {
		// TicketKeyRing destroys expired keys. The code below decrypts a destroyed key
		// again if Redis's clock was set back and the hash still needs the key.
		this.keys.values().removeIf((known) -> known.shared().key().isDestroyed());
		Map<String, String> unopened = new HashMap<>(content.records());
		End recorded = openEnd(unopened);
		List<SharedKey> found = openKeys(unopened);
		// Each key contains the last end before it, because Redis may lose the
		// end's own record.
		takeOver(Stream.concat(found.stream().map(SharedKey::end), Stream.of(recorded, this.announced))
			.reduce(End.NONE, BinaryOperator.maxBy(Comparator.naturalOrder())));
		End wanted = (this.pendingEnd != null) ? this.end.next(this.pendingEnd, content.now()) : this.end;
		found.stream()
			.filter((key) -> key.end().equals(wanted) && key.isCurrent(content.now()))
			.forEach((key) -> this.keys.putIfAbsent(key.id(), Known.of(key, content.now(), now)));
		return changes(content, recorded, wanted, now, content.rejected() + unopened.size());
	}

	private End openEnd(Map<String, String> unopened) {
		String value = unopened.get(TicketKeyHash.END);
		End recorded = (value != null) ? this.records.openEnd(value) : null;
		if (recorded == null) {
			return End.NONE;
		}
		unopened.remove(TicketKeyHash.END);
		return recorded;
	}

	private List<SharedKey> openKeys(Map<String, String> unopened) {
		List<SharedKey> found = new ArrayList<>();
		unopened.entrySet().removeIf((record) -> {
			Known known = this.keys.get(record.getKey());
			SharedKey key = (known != null && known.shared().value().equals(record.getValue())) ? known.shared()
					: this.records.openKey(record.getKey(), record.getValue());
			return key != null && found.add(key);
		});
		return found;
	}

	/**
	 * Applies the latest end in the Redis hash, if it is new to this copy.
	 */
	private void takeOver(End latest) {
		if (latest.compareTo(this.end) <= 0) {
			return;
		}
		this.keys.clear();
		this.end = latest;
		if (this.pendingEnd != null && latest.id().equals(this.pendingEnd.id())) {
			this.pendingEnd = null;
		}
		else {
			this.remoteEnd = latest;
		}
	}

	/**
	 * Returns the changes that leave only these records in the Redis hash: the last end,
	 * the {@linkplain SharedKey#isCurrent current} keys created since that end, and a new
	 * key if needed.
	 */
	private Changes changes(Content content, End recorded, End wanted, long now, int rejected) {
		Map<String, String> target = new HashMap<>();
		if (!wanted.equals(End.NONE)) {
			target.put(TicketKeyHash.END,
					wanted.equals(recorded) ? content.records().get(TicketKeyHash.END) : this.records.sealEnd(wanted));
		}
		List<SharedKey> current = this.keys.values()
			.stream()
			.map(Known::shared)
			.filter((key) -> key.isCurrent(content.now()))
			.toList();
		current.forEach((key) -> target.put(key.id(), key.value()));
		Map<String, String> removals = new HashMap<>(content.records());
		removals.keySet().removeAll(target.keySet());
		Map<String, String> puts = new HashMap<>(target);
		puts.entrySet().removeAll(content.records().entrySet());
		OptionalLong activation = this.encrypting ? activationOfNewKey(current, content.now(), now)
				: OptionalLong.empty();
		Map<String, String> newKey = activation.isEmpty() ? Map.of() : newKey(wanted, activation.getAsLong());
		boolean urgent = puts.containsKey(TicketKeyHash.END) || activation.orElse(Long.MAX_VALUE) <= content.now();
		boolean hidesEnd = this.pendingEnd == null && recorded.compareTo(wanted) < 0;
		return new Changes(removals, puts, target.size(), newKey, urgent, hidesEnd, rejected);
	}

	/**
	 * Returns the {@linkplain SharedKey#activation() activation} of a new key by Redis's
	 * clock. The result is empty if no new key is needed. A new key is needed in two
	 * cases:
	 * <ul>
	 * <li>No key has been activated or will be activated within the
	 * {@linkplain RedisTicketKeyOptions#lead() lead time}.</li>
	 * <li>No key will be activated within the next rotation interval.</li>
	 * </ul>
	 */
	private OptionalLong activationOfNewKey(List<SharedKey> current, long time, long now) {
		long lead = this.options.lead().toMillis();
		long interval = this.options.rotation().interval().toMillis();
		List<Long> activations = current.stream().map(SharedKey::activation).sorted(Comparator.reverseOrder()).toList();
		if (activations.stream().noneMatch((activation) -> activation <= time + lead)) {
			return OptionalLong.of(anyActivated(now) ? time + lead : time);
		}
		if (activations.stream().anyMatch((activation) -> activation > time && activation <= time + interval)) {
			return OptionalLong.empty();
		}
		long newest = activations.stream().filter((activation) -> activation <= time).findFirst().orElse(time);
		return OptionalLong.of(Math.max(newest + interval, time + lead));
	}

	private Map<String, String> newKey(End wanted, long activation) {
		TicketKeyRotation rotation = this.options.rotation();
		long expiry = activation + rotation.interval().plus(rotation.lifetime()).toMillis();
		String id = SealedRecords.randomId(this.options.random());
		TicketKey key = TicketKey.generate(this.options.random());
		try {
			return Map.of(id, this.records.sealKey(id, wanted, activation, expiry, key));
		}
		finally {
			key.destroy();
		}
	}

	private record Known(SharedKey shared, long activation, long expiry) {

		static Known of(SharedKey key, long time, long now) {
			return new Known(key, now + TimeUnit.MILLISECONDS.toNanos(key.activation() - time),
					now + TimeUnit.MILLISECONDS.toNanos(key.expiry() - time));
		}

	}

}
