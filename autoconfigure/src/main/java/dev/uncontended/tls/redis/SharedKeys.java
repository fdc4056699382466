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
import java.util.OptionalLong;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

import dev.uncontended.tls.redis.TicketKeyHash.Changes;
import dev.uncontended.tls.redis.TicketKeyHash.Content;
import dev.uncontended.tls.tickets.TicketKey;
import dev.uncontended.tls.tickets.TicketKeyRotation;
import dev.uncontended.tls.tickets.internal.ScheduledKey;
import org.jspecify.annotations.Nullable;

/**
 * This node's copy of one secret's Redis hash. It contains the last end of all sessions,
 * and the ticket keys created since that end. {@link #merge} consists of three steps:
 * learn the last end, adopt the keys created since that end, and list the changes that
 * the Redis hash needs. Not thread-safe.
 */
final class SharedKeys {

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

	/** The last end that this node has read or heard. */
	private End end;

	/** The last end that all of this node has applied. */
	private End applied;

	/** The last end in an announcement. */
	private End announced;

	/**
	 * An end that must still be written to the Redis hash: requested on this node (with
	 * the number 0), or read from the Redis hash of another secret.
	 */
	private @Nullable End pending;

	/**
	 * Whether {@link #end()} comes from another node, and this node has not applied it.
	 */
	private boolean news;

	SharedKeys(SealedRecords records, RedisTicketKeyOptions options, boolean encrypting) {
		this.records = records;
		this.options = options;
		this.encrypting = encrypting;
		this.end = records.firstEnd();
		this.applied = this.end;
		this.announced = this.end;
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

	/** Drops all keys because this node ends all sessions. */
	void end(String id) {
		end(new End(0, 0, id));
	}

	private void end(End pending) {
		this.keys.clear();
		this.pending = pending;
	}

	/**
	 * Drops all keys because of an end of all sessions in the Redis hash of another
	 * secret. Does nothing if this copy already contains that end.
	 */
	void passOn(End remote) {
		if (this.pending == null && !this.end.id().equals(remote.id())) {
			end(remote);
		}
	}

	boolean hasPendingEnd() {
		return this.pending != null;
	}

	End end() {
		return this.end;
	}

	boolean isOfLowerGeneration() {
		return this.end.generation() > this.records.firstEnd().generation();
	}

	boolean hasNews() {
		return this.news;
	}

	void applyNews() {
		this.news = false;
	}

	void confirm() {
		this.applied = this.news ? this.applied : this.end;
	}

	/**
	 * Seals an announcement of this node, which contains the last end that the node has
	 * confirmed.
	 */
	String announce(Announcement announcement) {
		return this.records.sealAnnouncement(announcement, this.applied);
	}

	/**
	 * Opens an announcement, and remembers its end for the next {@link #merge}.
	 * @return the announcement, or {@code null} if it is sealed with another secret
	 */
	@Nullable Announcement hear(String sealed) {
		Announcement announcement = this.records.openAnnouncement(sealed);
		if (announcement != null && announcement.end() != null) {
			this.announced = latest(this.announced, List.of(announcement.end()));
		}
		return announcement;
	}

	/** Returns whether an announcement contains a later end than this node knows. */
	boolean isBehind() {
		return this.announced.compareTo(this.end) > 0;
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
		learn(latest(this.announced, Stream.concat(Stream.of(recorded), found.stream().map(SharedKey::end)).toList()));
		End wanted = (this.pending != null) ? this.end.next(this.pending, content.now()) : this.end;
		List<SharedKey> adopted = adopt(found, wanted, content.now());
		adopted.forEach((key) -> this.keys.putIfAbsent(key.id(), Known.of(key, content.now(), now)));
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

	/** Learns the last end, and drops the keys created before it. */
	private void learn(End latest) {
		if (latest.compareTo(this.end) <= 0) {
			return;
		}
		this.keys.clear();
		this.end = latest;
		if (this.pending != null && latest.id().equals(this.pending.id())) {
			this.pending = null;
		}
		else {
			this.news = true;
		}
	}

	/** Returns the latest of several ends. */
	static End latest(End first, List<End> others) {
		return Stream.concat(Stream.of(first), others.stream()).max(Comparator.naturalOrder()).orElseThrow();
	}

	/**
	 * Returns the keys that were created since the end {@code wanted} and are
	 * {@linkplain SharedKey#isCurrent current}.
	 */
	static List<SharedKey> adopt(List<SharedKey> found, End wanted, long time) {
		return found.stream().filter((key) -> key.end().equals(wanted) && key.isCurrent(time)).toList();
	}

	private Changes changes(Content content, End recorded, End wanted, long now, int rejected) {
		List<SharedKey> current = this.keys.values()
			.stream()
			.map(Known::shared)
			.filter((key) -> key.isCurrent(content.now()))
			.toList();
		Map<String, String> target = new HashMap<>();
		current.forEach((key) -> target.put(key.id(), key.value()));
		if (!wanted.equals(End.NONE)) {
			target.put(TicketKeyHash.END,
					wanted.equals(recorded) ? content.records().get(TicketKeyHash.END) : this.records.sealEnd(wanted));
		}
		OptionalLong activation = this.encrypting ? activationOfNewKey(current, content.now(), anyActivated(now),
				this.options.lead().toMillis(), this.options.rotation().interval().toMillis()) : OptionalLong.empty();
		Map<String, String> newKey = activation.isEmpty() ? Map.of() : newKey(wanted, activation.getAsLong());
		boolean hidesEnd = this.pending == null && recorded.compareTo(wanted) < 0;
		boolean urgent = !recorded.equals(wanted) || activation.orElse(Long.MAX_VALUE) <= content.now();
		return Changes.between(content.records(), target, newKey, urgent, hidesEnd, rejected);
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
	static OptionalLong activationOfNewKey(List<SharedKey> current, long time, boolean anyActivated, long lead,
			long interval) {
		List<Long> activations = current.stream().map(SharedKey::activation).sorted(Comparator.reverseOrder()).toList();
		if (activations.stream().noneMatch((activation) -> activation <= time + lead)) {
			return OptionalLong.of(anyActivated ? time + lead : time);
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
