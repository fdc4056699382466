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

package dev.uncontended.tls.wire;

import java.io.IOException;
import java.math.BigInteger;
import java.net.InetAddress;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.KeyFactory;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.security.PublicKey;
import java.security.interfaces.ECPublicKey;
import java.security.spec.ECGenParameterSpec;
import java.security.spec.ECPoint;
import java.security.spec.ECPublicKeySpec;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

import javax.crypto.KeyAgreement;

import org.jspecify.annotations.Nullable;

import static dev.uncontended.tls.wire.Encoding.ascii;
import static dev.uncontended.tls.wire.Encoding.bytes;
import static dev.uncontended.tls.wire.Encoding.concat;
import static dev.uncontended.tls.wire.Encoding.hex;
import static dev.uncontended.tls.wire.Encoding.message;
import static dev.uncontended.tls.wire.Encoding.plain;
import static dev.uncontended.tls.wire.Encoding.uint16s;
import static dev.uncontended.tls.wire.Encoding.vector16;
import static dev.uncontended.tls.wire.Encoding.vector24;
import static dev.uncontended.tls.wire.Encoding.vector8;

/**
 * A TLS client that can break the protocol at any step. It supports one cipher suite,
 * {@code AES_128_GCM_SHA256} with ECDHE over P-256, and does not authenticate the server.
 */
final class WireClient implements AutoCloseable {

	static final int CHANGE_CIPHER_SPEC = 20;

	static final int ALERT = 21;

	static final int HANDSHAKE = 22;

	static final int APPLICATION_DATA = 23;

	private static final int PROTOCOL_1_3 = 0x304;

	private static final byte[] RETRY_REQUEST = hex("cf21ad74e59a6111be1d8c021e65b891c2a211167abb8c5e079e09e2c8a8339c");

	private static final Map<Integer, String> ALERTS = Map.ofEntries(Map.entry(0, Outcome.CLOSE_NOTIFY),
			Map.entry(10, "unexpected_message"), Map.entry(20, "bad_record_mac"), Map.entry(22, "record_overflow"),
			Map.entry(40, "handshake_failure"), Map.entry(42, "bad_certificate"),
			Map.entry(43, "unsupported_certificate"), Map.entry(45, "certificate_expired"),
			Map.entry(46, "certificate_unknown"), Map.entry(47, "illegal_parameter"), Map.entry(48, "unknown_ca"),
			Map.entry(50, "decode_error"), Map.entry(51, "decrypt_error"), Map.entry(70, "protocol_version"),
			Map.entry(71, "insufficient_security"), Map.entry(80, "internal_error"),
			Map.entry(86, "inappropriate_fallback"), Map.entry(90, "user_canceled"), Map.entry(100, "no_renegotiation"),
			Map.entry(109, "missing_extension"), Map.entry(110, "unsupported_extension"),
			Map.entry(112, "unrecognized_name"), Map.entry(116, "certificate_required"),
			Map.entry(120, "no_application_protocol"));

	private static final Pattern RESPONSE = Pattern
		.compile("(HTTP/1.1 \\d+)[^\r]*\r\n(?:[^\r]+\r\n)*?(?i:content-length): *(\\d+)\r\n(?:[^\r]+\r\n)*\r\n");

	private static final KeyPair KEYS = generateKeys();

	final boolean tls13;

	String applicationProtocol;

	/** The maximum number of bytes of a handshake message per record. */
	int fragment = 16_384;

	/** The number of bytes per segment. */
	int segment = Integer.MAX_VALUE;

	private final Socket socket;

	private final long patience;

	private final ClientIdentity identity;

	private final List<String> events = new ArrayList<>();

	private byte[] transcript = {};

	private byte[] serverRandom = {};

	private byte[] serverPoint = {};

	private byte[] cookie = {};

	private boolean extendedMasterSecret;

	private boolean certificateRequested;

	private @Nullable RecordProtection reading;

	private @Nullable RecordProtection writing;

	private @Nullable RecordProtection nextReading;

	private byte[] secret = {};

	private byte[] readingSecret = {};

	private byte[] writingSecret = {};

	private byte[] finishedSecret = {};

	private byte[] handshakeBytes = {};

	private byte[] applicationBytes = {};

	private long deadline;

	WireClient(int port, boolean tls13, String applicationProtocol, ClientIdentity identity, long patience)
			throws IOException {
		this.tls13 = tls13;
		this.applicationProtocol = applicationProtocol;
		this.identity = identity;
		this.patience = patience;
		this.socket = new Socket(InetAddress.getLoopbackAddress(), port);
		this.socket.setTcpNoDelay(true);
		this.deadline = System.nanoTime() + this.patience;
	}

	private static KeyPair generateKeys() {
		try {
			KeyPairGenerator generator = KeyPairGenerator.getInstance("EC");
			generator.initialize(new ECGenParameterSpec("secp256r1"));
			return generator.generateKeyPair();
		}
		catch (GeneralSecurityException ex) {
			throw new IllegalStateException(ex);
		}
	}

	// What the client sends

	/**
	 * Sends bytes. If the server has closed the connection, this is visible in its
	 * output.
	 */
	void send(byte[]... parts) {
		byte[] bytes = concat(parts);
		try {
			for (int sent = 0; sent < bytes.length; sent += this.segment) {
				this.socket.getOutputStream().write(bytes, sent, Math.min(this.segment, bytes.length - sent));
				if (this.segment > bytes.length) {
					break;
				}
			}
		}
		catch (IOException ex) {
			// The server has closed the connection.
		}
		this.deadline = System.nanoTime() + this.patience;
	}

	/**
	 * Shuts down output.
	 */
	void halfClose() {
		try {
			this.socket.shutdownOutput();
		}
		catch (IOException ex) {
			// The server has closed the connection.
		}
	}

	/**
	 * Returns a record with the given content, protected if keys are in use.
	 */
	byte[] record(int type, byte[] content) throws GeneralSecurityException {
		return record(type, content, 0);
	}

	byte[] record(int type, byte[] content, int padding) throws GeneralSecurityException {
		return (this.writing != null) ? this.writing.seal(type, content, padding) : plain(type, content);
	}

	/**
	 * Returns the records of a handshake message.
	 */
	byte[] records(byte[] message) throws GeneralSecurityException {
		this.transcript = concat(this.transcript, message);
		byte[] records = {};
		for (int i = 0; i < message.length; i += this.fragment) {
			records = concat(records,
					record(HANDSHAKE, Arrays.copyOfRange(message, i, Math.min(message.length, i + this.fragment))));
		}
		return records;
	}

	void sendHandshake(byte[] message) throws GeneralSecurityException {
		send(records(message));
	}

	void sendAlert(int level, int description) throws GeneralSecurityException {
		send(record(ALERT, bytes(level, description)));
	}

	void sendCloseNotify() throws GeneralSecurityException {
		sendAlert(1, 0);
	}

	void sendData(byte[] data) throws GeneralSecurityException {
		send(record(APPLICATION_DATA, data));
	}

	void sendRequest() throws GeneralSecurityException {
		sendData(request());
	}

	boolean isHttp2() {
		return this.applicationProtocol.equals("h2");
	}

	/**
	 * Returns a request for one response.
	 */
	byte[] request() {
		if (!isHttp2()) {
			return ascii("GET / HTTP/1.1\r\nHost: localhost\r\n\r\n");
		}
		// Settings; headers with :method GET, :scheme https, :path /, :authority
		// localhost.
		return concat(ascii("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n"), bytes(0, 0, 0, 4, 0, 0, 0, 0, 0),
				bytes(0, 0, 14, 1, 5, 0, 0, 0, 1, 0x82, 0x87, 0x84, 0x41, 9), ascii("localhost"));
	}

	Hello hello() {
		Hello hello = new Hello(this.tls13 ? 0x1301 : 0xc02b).with(Hello.GROUPS, vector16(uint16s(23)))
			.with(11, vector8(bytes(0)))
			.with(Hello.SIGNATURE_ALGORITHMS, vector16(uint16s(0x403, 0x503, 0x603, 0x804, 0x401, 0x807)))
			.with(Hello.EXTENDED_MASTER_SECRET)
			.with(0xff01, bytes(0))
			.with(Hello.APPLICATION_PROTOCOLS, vector16(vector8(ascii(this.applicationProtocol))));
		if (this.tls13) {
			hello.with(Hello.VERSIONS, vector8(uint16s(PROTOCOL_1_3)))
				.with(45, vector8(bytes(1)))
				.with(Hello.KEY_SHARE, vector16(uint16s(23), vector16(point())));
		}
		return hello;
	}

	static byte[] point() {
		ECPoint point = ((ECPublicKey) KEYS.getPublic()).getW();
		return concat(bytes(4), coordinate(point.getAffineX()), coordinate(point.getAffineY()));
	}

	private static byte[] coordinate(BigInteger value) {
		byte[] bytes = value.toByteArray();
		byte[] coordinate = new byte[32];
		int length = Math.min(32, bytes.length);
		System.arraycopy(bytes, bytes.length - length, coordinate, 32 - length, length);
		return coordinate;
	}

	void sendHello(Hello hello) throws GeneralSecurityException {
		sendHandshake(hello.toBytes());
	}

	/**
	 * Sends the ClientHello and reads the reply.
	 */
	void begin() throws GeneralSecurityException {
		begin(hello());
	}

	void begin(Hello hello) throws GeneralSecurityException {
		sendHello(hello);
		readServerFlight();
	}

	/**
	 * Completes a handshake.
	 */
	void handshake() throws GeneralSecurityException {
		handshake(hello());
	}

	void handshake(Hello hello) throws GeneralSecurityException {
		begin(hello);
		complete();
	}

	void complete() throws GeneralSecurityException {
		sendBeforeFinished();
		send(records(finished()));
		readServerFinished();
	}

	/**
	 * Sends the requested certificate and the TLS 1.2 key exchange, and switches to the
	 * new keys.
	 */
	void sendBeforeFinished() throws GeneralSecurityException {
		if (this.certificateRequested) {
			sendHandshake(certificate());
		}
		if (!this.tls13) {
			sendHandshake(clientKeyExchange());
			deriveMasterSecret();
		}
		if (this.certificateRequested && !this.identity.isAnonymous()) {
			sendHandshake(certificateVerify());
		}
		if (!this.tls13) {
			send(plain(CHANGE_CIPHER_SPEC, bytes(1)));
			protect();
		}
	}

	byte[] certificate() throws GeneralSecurityException {
		byte[] list = {};
		for (byte[] encoded : this.identity.chain()) {
			list = concat(list, vector24(encoded), this.tls13 ? uint16s(0) : bytes());
		}
		return message(11, this.tls13 ? bytes(0) : bytes(), vector24(list));
	}

	byte[] certificateVerify() throws GeneralSecurityException {
		byte[] signed = this.transcript;
		if (this.tls13) {
			byte[] spaces = new byte[64];
			Arrays.fill(spaces, (byte) ' ');
			signed = concat(spaces, ascii("TLS 1.3, client CertificateVerify"), bytes(0),
					KeyDerivation.sha256(this.transcript));
		}
		return message(15, uint16s(this.identity.scheme()), vector16(this.identity.sign(signed)));
	}

	byte[] clientKeyExchange() {
		return message(16, vector8(point()));
	}

	/**
	 * Returns the Finished message for the transcript so far.
	 */
	byte[] finished() throws GeneralSecurityException {
		byte[] hash = KeyDerivation.sha256(this.transcript);
		if (!this.tls13) {
			return message(20, KeyDerivation.prf(this.secret, "client finished", hash, 12));
		}
		return message(20,
				KeyDerivation.hmac(KeyDerivation.expandLabel(this.finishedSecret, "finished", bytes(), 32), hash));
	}

	/**
	 * Reads the server's Finished, and switches to the next keys.
	 */
	void readServerFinished() throws GeneralSecurityException {
		if (this.tls13) {
			this.writing = RecordProtection.ofSecret(this.writingSecret);
		}
		else {
			awaitMessage(20);
		}
	}

	void sendKeyUpdate(int request) throws GeneralSecurityException {
		send(record(HANDSHAKE, message(24, bytes(request))));
		if (this.tls13) {
			this.writingSecret = KeyDerivation.expandLabel(this.writingSecret, "traffic upd", bytes(), 32);
			this.writing = RecordProtection.ofSecret(this.writingSecret);
		}
	}

	/**
	 * Replaces the first message and its reply in the transcript (RFC 9846 section 4.1).
	 */
	void retryHello(Hello hello) throws GeneralSecurityException {
		if (this.cookie.length > 0) {
			hello.with(Hello.COOKIE, this.cookie);
		}
		sendHello(hello);
		readServerFlight();
	}

	// What the server sends

	/**
	 * Reads to the end of the server's first flight.
	 */
	void readServerFlight() throws GeneralSecurityException {
		awaitMessage(this.tls13 ? 20 : 14);
	}

	/**
	 * Reads to a HelloRetryRequest.
	 */
	void readRetryRequest() throws GeneralSecurityException {
		awaitMessage(2);
	}

	private void awaitMessage(int type) throws GeneralSecurityException {
		while (!this.events.remove("message " + type)) {
			readRecord();
		}
	}

	/**
	 * Reads to a response.
	 */
	void awaitResponse() throws GeneralSecurityException {
		int before = this.events.size();
		while (this.events.stream().skip(before).noneMatch((event) -> event.startsWith("HTTP"))) {
			readRecord();
		}
	}

	/**
	 * Reads until the server closes the connection, or sends nothing for a while.
	 */
	Outcome awaitEnd() throws GeneralSecurityException {
		try {
			while (true) {
				readRecord();
			}
		}
		catch (ConnectionEndException ex) {
			return outcome();
		}
	}

	Outcome outcome() {
		return new Outcome(this.events.stream().filter((event) -> !event.startsWith("message")).toList());
	}

	private void readRecord() throws GeneralSecurityException {
		byte[] header = read(5);
		int type = header[0];
		if (type < CHANGE_CIPHER_SPEC || type > APPLICATION_DATA) {
			end("plain " + new String(header, StandardCharsets.ISO_8859_1) + "...");
		}
		byte[] content = read(ByteBuffer.wrap(header).getShort(3) & 0xffff);
		if (this.reading != null && (!this.tls13 || type == APPLICATION_DATA)) {
			byte[] opened;
			try {
				opened = this.reading.open(header, content);
			}
			catch (GeneralSecurityException ex) {
				end("undecipherable record of type " + type);
				return;
			}
			type = opened[opened.length - 1];
			content = Arrays.copyOf(opened, opened.length - 1);
		}
		switch (type) {
			case CHANGE_CIPHER_SPEC -> {
				if (!this.tls13) {
					this.reading = this.nextReading;
				}
			}
			case ALERT -> alert(content);
			case HANDSHAKE -> handshakeData(content);
			default -> applicationData(content);
		}
	}

	private void alert(byte[] content) {
		String description = ALERTS.getOrDefault((int) content[1], String.valueOf(content[1]));
		boolean fatal = content[0] == 2;
		this.events.add(fatal ? Outcome.FATAL + description : description);
	}

	private void handshakeData(byte[] content) throws GeneralSecurityException {
		this.handshakeBytes = concat(this.handshakeBytes, content);
		while (this.handshakeBytes.length >= 4) {
			int length = 4 + (ByteBuffer.wrap(this.handshakeBytes).getInt() & 0xffffff);
			if (this.handshakeBytes.length < length) {
				return;
			}
			byte[] message = Arrays.copyOf(this.handshakeBytes, length);
			this.handshakeBytes = Arrays.copyOfRange(this.handshakeBytes, length, this.handshakeBytes.length);
			handshakeMessage(message);
		}
	}

	private void handshakeMessage(byte[] message) throws GeneralSecurityException {
		byte[] before = this.transcript;
		this.transcript = concat(before, message);
		switch (message[0]) {
			case 2 -> serverHello(message, before);
			case 12 -> {
				this.serverPoint = Arrays.copyOfRange(message, 8, 8 + message[7]);
			}
			case 13 -> {
				this.certificateRequested = true;
			}
			case 20 -> {
				if (this.tls13) {
					deriveApplicationSecrets();
				}
			}
			case 24 -> {
				this.events.add("key_update");
				this.readingSecret = KeyDerivation.expandLabel(this.readingSecret, "traffic upd", bytes(), 32);
				this.reading = RecordProtection.ofSecret(this.readingSecret);
			}
			default -> {
				// Relevant to the transcript only.
			}
		}
		this.events.add("message " + message[0]);
	}

	private void serverHello(byte[] message, byte[] before) throws GeneralSecurityException {
		ByteBuffer hello = ByteBuffer.wrap(message, 4, message.length - 4);
		this.serverRandom = new byte[32];
		hello.getShort();
		hello.get(this.serverRandom);
		hello.position(hello.position() + 1 + hello.get(hello.position()) + 3);
		if (Arrays.equals(this.serverRandom, RETRY_REQUEST)) {
			this.transcript = concat(message(254, KeyDerivation.sha256(before)), message);
			this.events.add("hello_retry_request");
		}
		if (hello.remaining() > 2) {
			hello.getShort();
		}
		boolean versionChosen = false;
		while (hello.hasRemaining()) {
			int type = hello.getShort();
			byte[] content = new byte[hello.getShort()];
			hello.get(content);
			if (type == Hello.COOKIE) {
				this.cookie = content;
			}
			else if (type == Hello.EXTENDED_MASTER_SECRET) {
				this.extendedMasterSecret = true;
			}
			else if (type == Hello.VERSIONS) {
				versionChosen = true;
			}
			else if (type == Hello.KEY_SHARE && content.length > 4) {
				this.serverPoint = Arrays.copyOfRange(content, 4, content.length);
			}
		}
		if (this.tls13 && !Arrays.equals(this.serverRandom, RETRY_REQUEST)) {
			if (!versionChosen) {
				end("a lower version");
			}
			deriveHandshakeSecrets();
		}
	}

	private void deriveHandshakeSecrets() throws GeneralSecurityException {
		byte[] early = KeyDerivation.hmac(new byte[32], new byte[32]);
		this.secret = KeyDerivation.hmac(deriveSecret(early, "derived", bytes()), sharedSecret());
		this.readingSecret = deriveSecret(this.secret, "s hs traffic", this.transcript);
		this.finishedSecret = deriveSecret(this.secret, "c hs traffic", this.transcript);
		this.reading = RecordProtection.ofSecret(this.readingSecret);
		this.writing = RecordProtection.ofSecret(this.finishedSecret);
	}

	private void deriveApplicationSecrets() throws GeneralSecurityException {
		byte[] master = KeyDerivation.hmac(deriveSecret(this.secret, "derived", bytes()), new byte[32]);
		this.readingSecret = deriveSecret(master, "s ap traffic", this.transcript);
		this.writingSecret = deriveSecret(master, "c ap traffic", this.transcript);
		this.reading = RecordProtection.ofSecret(this.readingSecret);
	}

	private static byte[] deriveSecret(byte[] secret, String label, byte[] messages) throws GeneralSecurityException {
		return KeyDerivation.expandLabel(secret, label, KeyDerivation.sha256(messages), 32);
	}

	void deriveMasterSecret() throws GeneralSecurityException {
		this.secret = this.extendedMasterSecret
				? KeyDerivation.prf(sharedSecret(), "extended master secret", KeyDerivation.sha256(this.transcript), 48)
				: KeyDerivation.prf(sharedSecret(), "master secret", concat(Hello.RANDOM, this.serverRandom), 48);
	}

	/**
	 * Switches to the TLS 1.2 keys.
	 */
	void protect() throws GeneralSecurityException {
		byte[] keys = KeyDerivation.prf(this.secret, "key expansion", concat(this.serverRandom, Hello.RANDOM), 40);
		this.writing = new RecordProtection(false, Arrays.copyOf(keys, 16), Arrays.copyOfRange(keys, 32, 36));
		this.nextReading = new RecordProtection(false, Arrays.copyOfRange(keys, 16, 32),
				Arrays.copyOfRange(keys, 36, 40));
	}

	private byte[] sharedSecret() throws GeneralSecurityException {
		ECPoint point = new ECPoint(new BigInteger(1, Arrays.copyOfRange(this.serverPoint, 1, 33)),
				new BigInteger(1, Arrays.copyOfRange(this.serverPoint, 33, 65)));
		PublicKey server = KeyFactory.getInstance("EC")
			.generatePublic(new ECPublicKeySpec(point, ((ECPublicKey) KEYS.getPublic()).getParams()));
		KeyAgreement agreement = KeyAgreement.getInstance("ECDH");
		agreement.init(KEYS.getPrivate());
		agreement.doPhase(server, true);
		return agreement.generateSecret();
	}

	private void applicationData(byte[] content) {
		this.applicationBytes = concat(this.applicationBytes, content);
		if (isHttp2()) {
			readFrames();
			return;
		}
		Matcher response = RESPONSE.matcher(new String(this.applicationBytes, StandardCharsets.ISO_8859_1));
		while (response.lookingAt()) {
			int end = response.end() + Integer.parseInt(response.group(2));
			if (this.applicationBytes.length < end) {
				return;
			}
			this.events.add(response.group(1));
			this.applicationBytes = Arrays.copyOfRange(this.applicationBytes, end, this.applicationBytes.length);
			response.reset(new String(this.applicationBytes, StandardCharsets.ISO_8859_1));
		}
	}

	private void readFrames() {
		while (this.applicationBytes.length >= 9) {
			int length = 9 + (ByteBuffer.wrap(this.applicationBytes).getInt() >>> 8);
			if (this.applicationBytes.length < length) {
				return;
			}
			if (this.applicationBytes[3] == 0 && (this.applicationBytes[4] & 1) == 1) {
				this.events.add("HTTP/2 response");
			}
			this.applicationBytes = Arrays.copyOfRange(this.applicationBytes, length, this.applicationBytes.length);
		}
	}

	private byte[] read(int length) {
		byte[] bytes = new byte[length];
		try {
			for (int read = 0; read < length;) {
				long left = (this.deadline - System.nanoTime()) / 1_000_000;
				this.socket.setSoTimeout((int) Math.max(1, left));
				int count = this.socket.getInputStream().read(bytes, read, length - read);
				if (count < 0) {
					end(Outcome.CLOSED);
				}
				read += count;
			}
		}
		catch (SocketTimeoutException ex) {
			end(Outcome.OPEN);
		}
		catch (IOException ex) {
			end(Outcome.CLOSED);
		}
		return bytes;
	}

	private void end(String event) {
		this.events.add(event);
		throw new ConnectionEndException();
	}

	/**
	 * Ends the script without reading more.
	 */
	void abandon() {
		throw new ConnectionEndException();
	}

	@Override
	public void close() throws IOException {
		this.socket.close();
	}

	/**
	 * The server has closed the connection or does not respond.
	 */
	@SuppressWarnings("serial")
	static final class ConnectionEndException extends RuntimeException {

	}

}
