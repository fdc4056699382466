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

package dev.uncontended.tls.jdk;

import java.nio.ByteBuffer;
import java.nio.file.Path;

import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.SSLEngineResult.HandshakeStatus;
import javax.net.ssl.SSLHandshakeException;

import dev.uncontended.tls.TestKeyStore;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * Tests for {@link HelloRecording}.
 */
class HelloRecordingTests {

	private final HelloRecording recording = new HelloRecording();

	private SSLEngine server;

	private ByteBuffer hello;

	@BeforeEach
	void createHello(@TempDir Path directory) throws Exception {
		TestKeyStore keyStore = TestKeyStore.create(directory.resolve("server.p12"), "localhost");
		SSLContext context = keyStore.sslContext(keyStore);
		this.server = context.createSSLEngine();
		this.server.setUseClientMode(false);
		SSLEngine client = context.createSSLEngine();
		client.setUseClientMode(true);
		this.hello = ByteBuffer.allocate(1 << 15);
		client.wrap(ByteBuffer.allocate(0), this.hello);
	}

	@Test
	void replayLeavesTaskOfLastMessage() throws Exception {
		this.recording.received(this.hello, 0);
		this.recording.replay(this.server);
		assertThat(this.server.getHandshakeStatus()).isEqualTo(HandshakeStatus.NEED_TASK);
	}

	@Test
	void replayRepeatsMessageOfSeveralRecordsInOneBuffer() throws Exception {
		int headerLength = 5;
		ByteBuffer records = ByteBuffer.allocate(1 << 15);
		this.hello.flip().position(headerLength);
		while (this.hello.hasRemaining()) {
			byte[] fragment = new byte[Math.min(10, this.hello.remaining())];
			this.hello.get(fragment);
			int start = records.position();
			records.put(new byte[] { 22, 3, 3 }).putShort((short) fragment.length).put(fragment);
			this.recording.received(records, start);
		}
		this.recording.replay(this.server);
		assertThat(this.server.getHandshakeStatus()).isEqualTo(HandshakeStatus.NEED_TASK);
	}

	@Test
	void replayFailsIfServerDoesNotRepeatItsBytes() throws Exception {
		this.recording.received(this.hello, 0);
		this.recording.sent(ByteBuffer.allocate(1).put((byte) 22), 0);
		assertThatExceptionOfType(SSLHandshakeException.class).isThrownBy(() -> this.recording.replay(this.server))
			.withMessageContaining("Failed to replace a TLS session");
	}

	@Test
	void recordingIsLimited() throws Exception {
		ByteBuffer records = ByteBuffer.allocate(1 << 16).position(1 << 16);
		this.recording.received(records, 0);
		assertThatExceptionOfType(SSLHandshakeException.class).isThrownBy(() -> this.recording.received(records, 0));
	}

	@Test
	void alertsAreNotRecorded() throws Exception {
		ByteBuffer warning = ByteBuffer.wrap(new byte[] { 21, 3, 3, 0, 2, 1, 90 }).position(7);
		for (int i = 0; i < 100_000; i++) {
			this.recording.received(warning, 0);
		}
		this.recording.received(this.hello, 0);
		this.recording.replay(this.server);
		assertThat(this.server.getHandshakeStatus()).isEqualTo(HandshakeStatus.NEED_TASK);
	}

	@Test
	void replayOfIncompleteMessageFails() throws Exception {
		this.hello.position(this.hello.position() - 1);
		this.recording.received(this.hello, 0);
		assertThatExceptionOfType(SSLHandshakeException.class).isThrownBy(() -> this.recording.replay(this.server));
	}

}
