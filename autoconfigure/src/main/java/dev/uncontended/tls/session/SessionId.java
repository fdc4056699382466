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

import org.jspecify.annotations.Nullable;

/**
 * A TLS session id as a map key. The hash code needs no secret seed, because servers
 * choose the ids of stored sessions at random. Ids are comparable, so hash maps can store
 * ids with equal hash codes in a tree.
 */
final class SessionId implements Comparable<SessionId> {

	private final byte[] bytes;

	private final int hash;

	/**
	 * Wraps an id without copying it.
	 */
	SessionId(byte[] bytes) {
		this.bytes = bytes;
		this.hash = Arrays.hashCode(bytes);
	}

	byte[] toByteArray() {
		return this.bytes.clone();
	}

	@Override
	public boolean equals(@Nullable Object other) {
		return other instanceof SessionId that && this.hash == that.hash && Arrays.equals(this.bytes, that.bytes);
	}

	@Override
	public int hashCode() {
		return this.hash;
	}

	@Override
	public int compareTo(SessionId other) {
		return Arrays.compare(this.bytes, other.bytes);
	}

	/**
	 * Returns only the length, to keep ids of resumable sessions out of logs.
	 */
	@Override
	public String toString() {
		return "SessionId[" + this.bytes.length + " bytes]";
	}

}
