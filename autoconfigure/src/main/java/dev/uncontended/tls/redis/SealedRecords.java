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

import java.nio.ByteBuffer;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.Arrays;
import java.util.HexFormat;

import dev.uncontended.tls.tickets.TicketKey;
import dev.uncontended.tls.tickets.TicketSecret;
import dev.uncontended.tls.tickets.internal.SecretBox;
import org.jspecify.annotations.Nullable;

/**
 * The layout of sealed records. A record is the value of a field in one secret's Redis
 * hash, which is a ticket key or the last end of all sessions, or an announcement. It is
 * invalid in any other field, hash or channel.
 */
final class SealedRecords {

	private static final int ID_LENGTH = 16;

	private static final int END_LENGTH = Integer.BYTES + Long.BYTES + ID_LENGTH;

	private static final int KEY_LENGTH = END_LENGTH + 2 * Long.BYTES + TicketKey.LENGTH;

	/** The part of an announcement that is the same in all formats. */
	private static final int ANNOUNCEMENT_LENGTH = Integer.BYTES + 4 * Long.BYTES;

	private static final int MAXIMUM_LENGTH = 1024;

	private final SecretBox box;

	private final int format;

	private final String channel;

	private final String hash;

	SealedRecords(TicketSecret secret, int format, String keyPrefix, SecureRandom random) {
		this.box = new SecretBox(secret, random);
		this.format = format;
		this.channel = keyPrefix + ":changes";
		this.hash = keyPrefix + ":" + format + ":"
				+ HexFormat.of().formatHex(secret.deriveForAllGenerations("fingerprint", 16));
	}

	String hash() {
		return this.hash;
	}

	/**
	 * Returns the generation of the secret, as the earliest end that this node accepts.
	 */
	End firstEnd() {
		return End.ofGeneration(this.box.secret().generation());
	}

	static String randomId(SecureRandom random) {
		byte[] bytes = new byte[ID_LENGTH];
		random.nextBytes(bytes);
		return HexFormat.of().formatHex(bytes);
	}

	String sealKey(String id, End end, long activation, long expiry, TicketKey key) {
		ByteBuffer record = ByteBuffer.allocate(KEY_LENGTH);
		put(end, record).putLong(activation).putLong(expiry);
		byte[] parts = key.parts();
		record.put(parts);
		Arrays.fill(parts, (byte) 0);
		return this.box.seal(field(id), record.array());
	}

	@Nullable SharedKey openKey(String id, String value) {
		return this.box.open(field(id), value, KEY_LENGTH, KEY_LENGTH, (record) -> {
			End end = end(record);
			long activation = record.getLong();
			long expiry = record.getLong();
			byte[] parts = new byte[TicketKey.LENGTH];
			record.get(parts);
			TicketKey key = new TicketKey(parts);
			Arrays.fill(parts, (byte) 0);
			return new SharedKey(id, value, end, activation, expiry, key);
		});
	}

	String sealEnd(End end) {
		return this.box.seal(field(TicketKeyHash.END), put(end, ByteBuffer.allocate(END_LENGTH)).array());
	}

	@Nullable End openEnd(String value) {
		return this.box.open(field(TicketKeyHash.END), value, END_LENGTH, END_LENGTH, SealedRecords::end);
	}

	String sealAnnouncement(Announcement announcement, End end) {
		ByteBuffer record = ByteBuffer.allocate(ANNOUNCEMENT_LENGTH + END_LENGTH)
			.putInt(this.format)
			.putLong(announcement.node())
			.putLong(announcement.number())
			.putLong(announcement.validity().toMillis())
			.putLong(announcement.urgent() ? 1 : 0);
		return this.box.seal(this.channel, put(end, record).array());
	}

	/**
	 * Opens an announcement. If its format differs from this node's, its end is not read.
	 */
	@Nullable Announcement openAnnouncement(String value) {
		return this.box.open(this.channel, value, ANNOUNCEMENT_LENGTH, MAXIMUM_LENGTH, (record) -> {
			boolean known = record.getInt() == this.format && record.limit() == ANNOUNCEMENT_LENGTH + END_LENGTH;
			return new Announcement(record.getLong(), record.getLong(), Duration.ofMillis(record.getLong()),
					record.getLong() != 0, known ? end(record) : null);
		});
	}

	private String field(String name) {
		return this.hash + '\n' + name;
	}

	private static ByteBuffer put(End end, ByteBuffer record) {
		return record.putInt(end.generation()).putLong(end.number()).put(HexFormat.of().parseHex(end.id()));
	}

	private static End end(ByteBuffer record) {
		int generation = record.getInt();
		long number = record.getLong();
		byte[] id = new byte[ID_LENGTH];
		record.get(id);
		return new End(generation, number, HexFormat.of().formatHex(id));
	}

}
