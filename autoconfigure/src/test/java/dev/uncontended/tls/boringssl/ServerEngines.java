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

package dev.uncontended.tls.boringssl;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.util.List;

import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.SSLEngineResult;
import javax.net.ssl.SSLEngineResult.HandshakeStatus;
import javax.net.ssl.SSLEngineResult.Status;
import javax.net.ssl.SSLException;
import javax.net.ssl.SSLParameters;

import dev.uncontended.tls.TestKeyStore;
import dev.uncontended.tls.session.SslSessionCache;
import io.netty.buffer.ByteBufAllocator;
import io.netty.handler.ssl.OpenSslContextOption;
import io.netty.handler.ssl.SslContext;
import io.netty.handler.ssl.SslContextBuilder;
import io.netty.handler.ssl.SslProvider;
import io.netty.util.ReferenceCountUtil;
import org.jspecify.annotations.Nullable;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Servers' engines with the same configuration: {@link BoringSslEngine}, and Netty's
 * engine without an adapter.
 */
final class ServerEngines {

	private static final int LARGEST_FRAGMENT = 16_384;

	private static final SSLContext adapted;

	private static final SslContext boringSsl;

	static {
		try {
			Path file = Files.createTempFile("server", ".p12");
			TestKeyStore key = TestKeyStore.create(file, "server.test");
			Files.delete(file);
			adapted = Contexts.create("localhost",
					new BoringSslSessions(SslSessionCache.builder().build(), new TestTicketKeys()), key, key);
			KeyManagerFactory keys = KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
			keys.init(key.keyStore(), TestKeyStore.PASSWORD.toCharArray());
			SSLEngine engine = adapted();
			boringSsl = SslContextBuilder.forServer(keys)
				.sslProvider(SslProvider.OPENSSL_REFCNT)
				.protocols(engine.getEnabledProtocols())
				.ciphers(List.of(engine.getEnabledCipherSuites()))
				.option(OpenSslContextOption.GROUPS, EnabledGroups.of(List.of()).names().toArray(String[]::new))
				.build();
		}
		catch (GeneralSecurityException | IOException ex) {
			throw new IllegalStateException(ex);
		}
	}

	private ServerEngines() {
	}

	static SSLEngine adapted() {
		SSLEngine engine = adapted.createSSLEngine();
		engine.setUseClientMode(false);
		return engine;
	}

	/**
	 * Returns records with the given handshake messages.
	 */
	static byte[] records(byte[] messages) {
		ByteArrayOutputStream records = new ByteArrayOutputStream();
		for (int start = 0; start < messages.length; start += LARGEST_FRAGMENT) {
			int length = Math.min(LARGEST_FRAGMENT, messages.length - start);
			records.writeBytes(new byte[] { 22, 3, 1, (byte) (length >> 8), (byte) length });
			records.write(messages, start, length);
		}
		return records.toByteArray();
	}

	static boolean boringSslAccepts(byte[] message) {
		SSLEngine engine = boringSsl.newEngine(ByteBufAllocator.DEFAULT);
		try {
			// BoringSslEngine follows the client's order of groups, unless the client
			// offers the hybrid group.
			SSLParameters parameters = engine.getSSLParameters();
			parameters.setUseCipherSuitesOrder(offersHybrid(ClientHello.parse(ByteBuffer.wrap(message))));
			engine.setSSLParameters(parameters);
			return accepts(engine, records(message));
		}
		finally {
			ReferenceCountUtil.release(engine);
		}
	}

	private static boolean offersHybrid(@Nullable ClientHello hello) {
		return hello != null && hello.offersTls13() && hello.groups().contains(JdkPolicy.HYBRID_NUMBER);
	}

	/**
	 * Returns whether the server answers the client's records with a handshake message.
	 * Closes the engine, and verifies that it is closed after an exception.
	 */
	static boolean accepts(SSLEngine engine, byte[] records) {
		ByteBuffer source = ByteBuffer.wrap(records);
		ByteBuffer received = ByteBuffer.allocate(1 << 16);
		ByteBuffer sent = ByteBuffer.allocate(1 << 16);
		try {
			boolean progress = true;
			while (progress) {
				SSLEngineResult result = engine.unwrap(source, received);
				runTasks(engine);
				int before = sent.position();
				flush(engine, sent);
				progress = result.bytesConsumed() > 0 || sent.position() > before;
			}
		}
		catch (SSLException ex) {
			flushQuietly(engine, sent);
			if (engine instanceof BoringSslEngine) {
				assertThat(engine.isInboundDone() && engine.isOutboundDone()).as("closed after " + ex).isTrue();
			}
		}
		boolean accepted = sent.position() > 0 && sent.get(0) == 22;
		close(engine);
		return accepted;
	}

	private static void runTasks(SSLEngine engine) {
		while (engine.getHandshakeStatus() == HandshakeStatus.NEED_TASK) {
			Runnable task = engine.getDelegatedTask();
			if (task != null) {
				task.run();
			}
		}
	}

	private static void flush(SSLEngine engine, ByteBuffer sent) throws SSLException {
		Status status = Status.OK;
		while (engine.getHandshakeStatus() == HandshakeStatus.NEED_WRAP && status == Status.OK) {
			status = engine.wrap(ByteBuffer.allocate(0), sent).getStatus();
		}
	}

	private static void flushQuietly(SSLEngine engine, ByteBuffer sent) {
		try {
			flush(engine, sent);
		}
		catch (SSLException ex) {
			// Netty's engine throws its failure again.
		}
	}

	private static void close(SSLEngine engine) {
		engine.closeOutbound();
		flushQuietly(engine, ByteBuffer.allocate(1 << 16));
		try {
			engine.closeInbound();
		}
		catch (SSLException ex) {
			// The client has not sent close_notify.
		}
	}

}
