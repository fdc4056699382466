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

import java.io.ByteArrayInputStream;
import java.io.DataInputStream;
import java.io.EOFException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

import dev.uncontended.AbstractReaderTests;
import org.jspecify.annotations.Nullable;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Compares {@link ClientHello} with a reader that uses streams, and the engine's decision
 * with BoringSSL's. The input is a ClientHello without its header.
 */
public class ClientHelloReaderTests extends AbstractReaderTests {

	@Override
	public void check(byte[] input) throws Exception {
		byte[] message = ByteBuffer.allocate(4 + input.length)
			.putInt(ClientHello.TYPE << 24 | input.length & 0xffffff)
			.put(input)
			.array();
		assertBoundedMemory(input, () -> ClientHello.parse(ByteBuffer.wrap(message)));
		ClientHello hello = ClientHello.parse(ByteBuffer.wrap(message));
		assertThat(hello).isEqualTo(read(input));
		boolean legalName = true;
		if (hello != null) {
			hello.groups();
			hello.applicationProtocols();
			legalName = hello.hasLegalServerName();
		}
		boolean accepted = ServerEngines.accepts(ServerEngines.adapted(), ServerEngines.records(message));
		if (legalName) {
			assertThat(accepted).isEqualTo(ServerEngines.boringSslAccepts(message));
		}
		else {
			assertThat(accepted).isFalse();
		}
	}

	private static @Nullable ClientHello read(byte[] input) throws IOException {
		try {
			DataInputStream body = new DataInputStream(new ByteArrayInputStream(input));
			bytes(body, 34);
			bytes(body, body.readUnsignedByte());
			List<Integer> cipherSuites = numbers(bytes(body, body.readUnsignedShort()), 0);
			bytes(body, body.readUnsignedByte());
			Map<Integer, ByteBuffer> extensions = new HashMap<>();
			if (body.available() > 0) {
				DataInputStream rest = new DataInputStream(
						new ByteArrayInputStream(bytes(body, body.readUnsignedShort())));
				while (rest.available() > 0) {
					int type = rest.readUnsignedShort();
					extensions.put(type, ByteBuffer.wrap(bytes(rest, rest.readUnsignedShort())));
				}
			}
			ByteBuffer versions = extensions.get(43);
			boolean offersTls13 = versions != null && numbers(versions.array(), 1).contains(0x304);
			return new ClientHello(offersTls13, cipherSuites, extensions);
		}
		catch (EOFException ex) {
			return null;
		}
	}

	private static List<Integer> numbers(byte[] list, int prefix) throws IOException {
		DataInputStream values = new DataInputStream(new ByteArrayInputStream(list));
		bytes(values, prefix);
		List<Integer> numbers = new ArrayList<>();
		while (values.available() > 0) {
			numbers.add(values.readUnsignedShort());
		}
		return numbers;
	}

	private static byte[] bytes(DataInputStream source, int length) throws IOException {
		byte[] bytes = source.readNBytes(length);
		if (bytes.length < length) {
			throw new EOFException();
		}
		return bytes;
	}

}
