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

package dev.uncontended.sample;

import java.nio.ByteBuffer;
import java.security.NoSuchAlgorithmException;
import java.security.SecureRandom;
import java.security.Security;
import java.util.UUID;

import dev.uncontended.random.UncontendedProvider;

/**
 * Creates version 4 UUIDs with the JDK's generator, like {@code UUID.randomUUID()}
 * without Uncontended.
 */
final class JdkUuids {

	private JdkUuids() {
	}

	/**
	 * Returns the JDK's generator as a source. If {@code UUID.randomUUID()} uses
	 * {@link UncontendedProvider}, this source requests the JDK's generator by name.
	 */
	static LoadGenerator.Source source() {
		if (!UncontendedProvider.isEffective()) {
			return new LoadGenerator.Source("jdk", "UUID.randomUUID()", UUID::randomUUID);
		}
		SecureRandom random = ownGenerator();
		return new LoadGenerator.Source("jdk",
				random.getAlgorithm() + " requested by name, because UUID.randomUUID() runs on the pool",
				() -> randomUuid(random));
	}

	private static SecureRandom ownGenerator() {
		String name = Security.getAlgorithms("SecureRandom").contains("NATIVEPRNG") ? "NativePRNG" : "Windows-PRNG";
		try {
			return SecureRandom.getInstance(name);
		}
		catch (NoSuchAlgorithmException ex) {
			throw new IllegalStateException("Failed to find the JDK's random number generator", ex);
		}
	}

	static UUID randomUuid(SecureRandom random) {
		byte[] bytes = new byte[16];
		random.nextBytes(bytes);
		bytes[6] = (byte) ((bytes[6] & 0x0F) | 0x40);
		bytes[8] = (byte) ((bytes[8] & 0x3F) | 0x80);
		ByteBuffer buffer = ByteBuffer.wrap(bytes);
		return new UUID(buffer.getLong(), buffer.getLong());
	}

}
