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
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.security.SecureRandom;
import java.util.Arrays;
import java.util.Base64;
import java.util.HexFormat;

import javax.crypto.Cipher;
import javax.crypto.Mac;
import javax.crypto.spec.GCMParameterSpec;
import javax.crypto.spec.SecretKeySpec;

import org.jspecify.annotations.Nullable;

/**
 * Protects what nodes with the same secret store: encrypts and authenticates
 * {@linkplain TicketState states} with AES-256-GCM, and authenticates {@linkplain Report
 * reports} with HMAC-SHA-256. A node seals a state only if it has changed, but a report
 * at each sync, which would exhaust GCM's random nonces.
 * <p>
 * The name under which a value is stored is authenticated, too. The layout of reports
 * never changes, so that nodes with different formats know of each other.
 */
final class TicketSeal {

	/**
	 * The version of the encoded state, which each change of the encoding must increase.
	 * Nodes with another format share nothing. Nodes with the same format and different
	 * encodings would keep replacing each other's states, and be DOWN.
	 */
	static final int FORMAT = 4;

	private static final int NONCE_LENGTH = 12;

	private static final int TAG_LENGTH = 16;

	private static final int REPORT_LENGTH = 34;

	private final SecretKeySpec stateKey;

	private final SecretKeySpec reportKey;

	private final SecureRandom random;

	/** The name of the string that contains the state. */
	private final String stateName;

	/** The name of the hash that contains the reports. */
	private final String reportsName;

	TicketSeal(TicketSecret secret, String prefix, SecureRandom random) {
		this.stateKey = new SecretKeySpec(secret.derive("state v4", 32), "AES");
		this.reportKey = TicketSecret.hmacKey(secret.derive("reports", 32));
		this.random = random;
		String fingerprint = HexFormat.of().formatHex(secret.derive("fingerprint", 16));
		this.stateName = prefix + ":" + FORMAT + ":" + fingerprint;
		this.reportsName = prefix + ":nodes:" + fingerprint;
	}

	String stateName() {
		return this.stateName;
	}

	String reportsName() {
		return this.reportsName;
	}

	/** Returns a node's id as text. */
	static String field(long node) {
		return HexFormat.of().toHexDigits(node);
	}

	/**
	 * Encrypts a state.
	 * @throws IllegalStateException if the state has so many ends, about 98,000, that no
	 * node would read it
	 */
	String seal(TicketState state) {
		byte[] nonce = new byte[NONCE_LENGTH];
		this.random.nextBytes(nonce);
		try {
			byte[] sealed = cipher(Cipher.ENCRYPT_MODE, nonce).doFinal(state.encode());
			String value = Base64.getEncoder()
				.encodeToString(ByteBuffer.allocate(NONCE_LENGTH + sealed.length).put(nonce).put(sealed).array());
			if (value.length() > TicketStore.MAXIMUM_SIZE) {
				throw new IllegalStateException(
						"Too many ends of all TLS sessions. Use another key-prefix on all nodes");
			}
			return value;
		}
		catch (GeneralSecurityException ex) {
			throw new IllegalStateException("Failed to use AES-GCM, which every Java platform must support", ex);
		}
	}

	/** Returns the state, or {@code null} if there is none or it is invalid. */
	@Nullable TicketState openState(@Nullable String value) {
		byte[] bytes = decode(value);
		if (bytes.length < NONCE_LENGTH + TAG_LENGTH) {
			return null;
		}
		try {
			return TicketState
				.decode(cipher(Cipher.DECRYPT_MODE, bytes).doFinal(bytes, NONCE_LENGTH, bytes.length - NONCE_LENGTH));
		}
		catch (GeneralSecurityException ex) {
			return null;
		}
	}

	private static byte[] decode(@Nullable String value) {
		if (value == null || value.length() > TicketStore.MAXIMUM_SIZE) {
			return new byte[0];
		}
		try {
			return Base64.getDecoder().decode(value);
		}
		catch (IllegalArgumentException ex) {
			return new byte[0];
		}
	}

	private Cipher cipher(int mode, byte[] nonce) throws GeneralSecurityException {
		Cipher cipher = Cipher.getInstance("AES/GCM/NoPadding");
		cipher.init(mode, this.stateKey, new GCMParameterSpec(8 * TAG_LENGTH, nonce, 0, NONCE_LENGTH));
		cipher.updateAAD(this.stateName.getBytes(StandardCharsets.UTF_8));
		return cipher;
	}

	String seal(Report report) {
		ByteBuffer value = ByteBuffer.allocate(REPORT_LENGTH + TAG_LENGTH)
			.put((byte) 1)
			.putLong(report.node())
			.putLong(report.sequence())
			.put((byte) (report.left() ? 1 : 0))
			.putInt(report.format())
			.putInt(report.validity())
			.putLong(report.digest());
		return Base64.getEncoder().encodeToString(value.put(tag(value.array())).array());
	}

	/** Returns the report, or {@code null} if it is invalid. */
	@Nullable Report openReport(String value) {
		byte[] bytes = decode(value);
		if (bytes.length != REPORT_LENGTH + TAG_LENGTH || bytes[0] != 1
				|| !MessageDigest.isEqual(tag(bytes), Arrays.copyOfRange(bytes, REPORT_LENGTH, bytes.length))) {
			return null;
		}
		ByteBuffer report = ByteBuffer.wrap(bytes, 1, REPORT_LENGTH - 1);
		return new Report(report.getLong(), report.getLong(), report.get() != 0, report.getInt(), report.getInt(),
				report.getLong());
	}

	private byte[] tag(byte[] report) {
		Mac hmac = TicketSecret.hmac(this.reportKey);
		hmac.update((this.reportsName + "\0").getBytes(StandardCharsets.UTF_8));
		hmac.update(report, 0, REPORT_LENGTH);
		return Arrays.copyOf(hmac.doFinal(), TAG_LENGTH);
	}

	/**
	 * What a node tells the other nodes after each sync.
	 *
	 * @param node the random id of the node
	 * @param sequence increases with each report of the node
	 * @param left whether the node has stopped
	 * @param format the version of the node's {@link TicketState}
	 * @param validity the seconds after which a silent node counts as stopped
	 * @param digest the digest of the ends that all TLS contexts of the node have applied
	 */
	record Report(long node, long sequence, boolean left, int format, int validity, long digest) {

	}

}
