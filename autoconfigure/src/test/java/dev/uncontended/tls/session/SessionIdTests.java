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

package dev.uncontended.tls.session;

import java.util.Arrays;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for {@link SessionId}.
 */
class SessionIdTests {

	@Test
	void equalsByContent() {
		SessionId id = new SessionId(new byte[] { 1, 2, 3 });
		assertThat(id).isEqualTo(new SessionId(new byte[] { 1, 2, 3 }))
			.hasSameHashCodeAs(new SessionId(new byte[] { 1, 2, 3 }))
			.isNotEqualTo(new SessionId(new byte[] { 1, 2, 4 }))
			.isNotEqualTo(new SessionId(new byte[] { 1, 2, 3, 0 }))
			.isNotEqualTo("id");
	}

	@Test
	void toStringHidesId() {
		assertThat(new SessionId(new byte[] { 65, 66, 67 })).hasToString("SessionId[3 bytes]");
	}

	@Test
	void returnsCopies() {
		SessionId id = new SessionId(new byte[] { 1, 2, 3 });
		id.toByteArray()[0] = 9;
		assertThat(id.toByteArray()).containsExactly(1, 2, 3);
	}

	/**
	 * Without an order of ids, each lookup would compare with half of them, which takes
	 * minutes.
	 */
	@Test
	@Timeout(20)
	void collidingIdsAreFoundFast() {
		Map<SessionId, Integer> map = new ConcurrentHashMap<>();
		int count = 1 << 16;
		for (int i = 0; i < count; i++) {
			byte[] id = colliding(i);
			assertThat(Arrays.hashCode(id)).isEqualTo(Arrays.hashCode(colliding(0)));
			map.put(new SessionId(id), i);
		}
		for (int i = 0; i < count; i++) {
			assertThat(map.get(new SessionId(colliding(i)))).isEqualTo(i);
		}
	}

	/**
	 * In {@link Arrays#hashCode}, incrementing a byte and subtracting 31 from the next
	 * preserves the hash.
	 */
	private static byte[] colliding(int pattern) {
		byte[] id = new byte[32];
		for (int i = 0; i < 16; i++) {
			id[2 * i] = (byte) (pattern >>> i & 1);
			id[2 * i + 1] = (byte) -(31 * (pattern >>> i & 1));
		}
		return id;
	}

}
