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

package dev.uncontended.uuid;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Objects;
import java.util.UUID;

/**
 * Creates name-based UUIDs: version 3 with MD5 and version 5 with SHA-1 (RFC 9562
 * sections 5.3 and 5.5). Thread-safe; threads do not block each other.
 * <p>
 * Unlike {@link UUID#nameUUIDFromBytes(byte[])}, this class reuses message digests. The
 * constants are the namespaces of RFC 9562 section 6.6.
 * <p>
 * MD5 and SHA-1 are not collision-resistant: an attacker may find two names with the same
 * UUID. A name-based UUID is not a secret and does not authenticate a name.
 */
public final class NameUuidFactory {

	/** The namespace of fully qualified domain names. */
	public static final UUID DNS = new UUID(0x6ba7b8109dad11d1L, 0x80b400c04fd430c8L);

	/** The namespace of URLs. */
	public static final UUID URL = new UUID(0x6ba7b8119dad11d1L, 0x80b400c04fd430c8L);

	/** The namespace of ISO object identifiers. */
	public static final UUID OID = new UUID(0x6ba7b8129dad11d1L, 0x80b400c04fd430c8L);

	/** The namespace of X.500 distinguished names. */
	public static final UUID X500 = new UUID(0x6ba7b8149dad11d1L, 0x80b400c04fd430c8L);

	private final int version;

	private final DigestPool digests;

	NameUuidFactory(int version, String algorithm) {
		this.version = version;
		try {
			this.digests = new DigestPool(MessageDigest.getInstance(algorithm),
					Math.min(256, 4 * Runtime.getRuntime().availableProcessors()));
		}
		catch (NoSuchAlgorithmException ex) {
			throw new IllegalStateException("Failed to create a factory of version " + version
					+ " UUIDs: this JVM does not offer the message digest '" + algorithm
					+ "', or its policy refuses it: " + ex.getMessage(), ex);
		}
	}

	/**
	 * Creates a factory of version 3 UUIDs.
	 * @return a new factory
	 * @throws IllegalStateException if this JVM does not offer MD5
	 */
	public static NameUuidFactory md5() {
		return new NameUuidFactory(3, "MD5");
	}

	/**
	 * Creates a factory of version 5 UUIDs.
	 * @return a new factory
	 * @throws IllegalStateException if this JVM does not offer SHA-1
	 */
	public static NameUuidFactory sha1() {
		return new NameUuidFactory(5, "SHA-1");
	}

	/**
	 * Returns the UUID of a name without a namespace. A version 3 UUID equals the result
	 * of {@link UUID#nameUUIDFromBytes(byte[])}.
	 * @param name the bytes of the name
	 * @return the UUID, always the same for the same name
	 * @throws NullPointerException if the name is {@code null}
	 * @throws java.security.ProviderException if the digest fails
	 */
	public UUID nameUuid(byte[] name) {
		Objects.requireNonNull(name, "name must not be null");
		return this.digests.nameUuid(this.version, null, name);
	}

	/**
	 * Returns the UUID of a name in a namespace.
	 * @param namespace any UUID, such as {@link #DNS}
	 * @param name the bytes of the name
	 * @return the UUID, always the same for the same arguments
	 * @throws NullPointerException if an argument is {@code null}
	 * @throws java.security.ProviderException if the digest fails
	 */
	public UUID nameUuid(UUID namespace, byte[] name) {
		Objects.requireNonNull(namespace, "namespace must not be null");
		Objects.requireNonNull(name, "name must not be null");
		return this.digests.nameUuid(this.version, namespace, name);
	}

	/**
	 * Returns the UUID of a name in a namespace.
	 * @param namespace any UUID, such as {@link #DNS}
	 * @param name the name, encoded in UTF-8; unpaired surrogates become {@code ?}
	 * @return the UUID, always the same for the same arguments
	 * @throws NullPointerException if an argument is {@code null}
	 * @throws java.security.ProviderException if the digest fails
	 */
	public UUID nameUuid(UUID namespace, String name) {
		Objects.requireNonNull(name, "name must not be null");
		return nameUuid(namespace, name.getBytes(StandardCharsets.UTF_8));
	}

	/**
	 * Returns the version of the created UUIDs.
	 * @return 3 or 5
	 */
	public int version() {
		return this.version;
	}

	/**
	 * Returns statistics of this factory.
	 * @return the statistics
	 */
	public NameUuidStats stats() {
		return this.digests.stats();
	}

}
