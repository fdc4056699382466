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

package dev.uncontended.tls.session.internal;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;

import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for {@link Hello}.
 */
class HelloTests {

	private final List<Byte> ids = new ArrayList<>();

	@Test
	void findsSessionId() {
		assertThat(read(record(hello(1)))).isTrue();
		assertThat(this.ids).containsExactly((byte) 1);
	}

	@Test
	void findsPreSharedKeys() {
		assertThat(read(record(hello(1, 2, 3)))).isTrue();
		assertThat(this.ids).containsExactly((byte) 1, (byte) 2, (byte) 3);
	}

	@Test
	void recordKeepsItsPosition() {
		ByteBuffer record = record(hello(1));
		read(record);
		assertThat(record.position()).isZero();
	}

	@Test
	void incompleteRecordIsLeftForLater() {
		byte[] record = record(hello(1)).array();
		assertThat(read(ByteBuffer.wrap(record, 0, record.length - 1))).isTrue();
		assertThat(read(ByteBuffer.wrap(record, 0, 3))).isTrue();
		assertThat(this.ids).isEmpty();
	}

	@Test
	void otherRecordIsIgnored() {
		byte[] record = record(hello(1)).array();
		record[0] = 23;
		assertThat(read(ByteBuffer.wrap(record))).isTrue();
		record[0] = 22;
		record[5] = 11;
		assertThat(read(ByteBuffer.wrap(record))).isTrue();
		assertThat(this.ids).isEmpty();
	}

	@Test
	void fragmentIsReported() {
		byte[] hello = hello(1, 2);
		for (int length = 0; length < hello.length; length++) {
			assertThat(read(record(Arrays.copyOf(hello, length)))).as("length %d", length).isFalse();
		}
	}

	/*
	 * The JDK could use the other one.
	 */
	@Test
	void repeatedExtensionIsReported() {
		byte[] hello = hello(1, 2);
		// The type of the last extension, which is empty.
		hello[hello.length - 3] = 21;
		assertThat(read(record(hello))).isFalse();
	}

	@Test
	void survivesAnyInput() {
		Random random = new Random(42);
		byte[] hello = hello(1, 2, 3);
		for (int i = 0; i < 100_000; i++) {
			byte[] changed = hello.clone();
			changed[random.nextInt(changed.length)] = (byte) random.nextInt();
			changed[random.nextInt(changed.length)] = (byte) random.nextInt();
			read(record(changed));
		}
	}

	private boolean read(ByteBuffer record) {
		try {
			Hello hello = Hello.ofClient(record);
			if (hello != null) {
				hello.presented().forEach((id) -> this.ids.add((id.length > 0) ? id[0] : 0));
			}
			return true;
		}
		catch (RuntimeException ex) {
			return false;
		}
	}

	private static ByteBuffer record(byte[] message) {
		return ByteBuffer.allocate(5 + message.length)
			.put((byte) 22)
			.putShort((short) 0x303)
			.putShort((short) message.length)
			.put(message)
			.flip();
	}

	private static byte[] hello(int sessionId, int... keys) {
		ByteBuffer identities = ByteBuffer.allocate(38 * keys.length);
		for (int key : keys) {
			identities.putShort((short) 32).put((byte) key).position(identities.position() + 31 + 4);
		}
		ByteBuffer extensions = ByteBuffer.allocate(5 + 6 + identities.capacity() + 4)
			.putShort((short) 21)
			.putShort((short) 1)
			.put((byte) 0)
			.putShort((short) 41)
			.putShort((short) (identities.capacity() + 2))
			.putShort((short) identities.capacity())
			.put(identities.array())
			.putShort((short) 22)
			.putShort((short) 0);
		ByteBuffer body = ByteBuffer.allocate(2 + 32 + 33 + 4 + 2 + 2 + extensions.capacity());
		body.position(34);
		body.put((byte) 32).put((byte) sessionId).position(34 + 33);
		body.putShort((short) 2)
			.putShort((short) 0x1301)
			.put((byte) 1)
			.put((byte) 0)
			.putShort((short) extensions.capacity())
			.put(extensions.array());
		return ByteBuffer.allocate(4 + body.capacity()).putInt((1 << 24) | body.capacity()).put(body.array()).array();
	}

}
