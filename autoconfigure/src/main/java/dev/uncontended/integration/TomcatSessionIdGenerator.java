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

package dev.uncontended.integration;

import java.nio.ByteBuffer;
import java.util.UUID;

import dev.uncontended.uuid.UuidGenerator;
import org.apache.catalina.util.StandardSessionIdGenerator;

/**
 * Tomcat's own session ids, made of random bytes from a {@link UuidGenerator} in place of
 * Tomcat's queue of {@link java.security.SecureRandom}s. Length, characters and route are
 * Tomcat's. Thread-safe.
 */
public class TomcatSessionIdGenerator extends StandardSessionIdGenerator {

	private final UuidGenerator generator;

	/**
	 * Creates a session id generator.
	 * @param generator where the random bytes come from
	 */
	public TomcatSessionIdGenerator(UuidGenerator generator) {
		this.generator = generator;
	}

	/**
	 * Fills the array with random bytes.
	 * <p>
	 * A version 4 UUID has 122 random bits, six fewer than the 16 bytes that Tomcat asks
	 * for. So two are drawn and laid over each other crosswise: the version is in the
	 * first half and the variant in the second, at other bits, which is why a random bit
	 * falls on every fixed one.
	 */
	@Override
	protected void getRandomBytes(byte[] bytes) {
		ByteBuffer slot = ByteBuffer.allocate(2 * Long.BYTES);
		for (int offset = 0; offset < bytes.length; offset += slot.capacity()) {
			UUID first = this.generator.randomUuid();
			UUID second = this.generator.randomUuid();
			slot.putLong(0, first.getMostSignificantBits() ^ second.getLeastSignificantBits());
			slot.putLong(Long.BYTES, first.getLeastSignificantBits() ^ second.getMostSignificantBits());
			slot.get(0, bytes, offset, Math.min(slot.capacity(), bytes.length - offset));
		}
	}

}
