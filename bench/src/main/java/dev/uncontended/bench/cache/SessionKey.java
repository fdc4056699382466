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

package dev.uncontended.bench.cache;

import org.jspecify.annotations.Nullable;

/**
 * A key of 32 bytes, like a TLS session id, with a precomputed hash code.
 */
final class SessionKey {

	private static final long GOLDEN_GAMMA = 0x9e3779b97f4a7c15L;

	private final long first;

	private final long second;

	private final long third;

	private final long fourth;

	private final int hash;

	/**
	 * Creates the n-th key.
	 */
	SessionKey(long n) {
		this.first = mix(n * GOLDEN_GAMMA);
		this.second = this.first ^ 0x6a09e667f3bcc908L;
		this.third = this.first ^ 0xbb67ae8584caa73bL;
		this.fourth = n;
		this.hash = Long.hashCode(this.first);
	}

	static SessionKey[] range(long from, int count) {
		SessionKey[] keys = new SessionKey[count];
		for (int i = 0; i < count; i++) {
			keys[i] = new SessionKey(from + i);
		}
		return keys;
	}

	/**
	 * Applies SplitMix64's finalizer.
	 */
	static long mix(long z) {
		z = (z ^ (z >>> 30)) * 0xbf58476d1ce4e5b9L;
		z = (z ^ (z >>> 27)) * 0x94d049bb133111ebL;
		return z ^ (z >>> 31);
	}

	@Override
	public boolean equals(@Nullable Object other) {
		return other instanceof SessionKey that && this.first == that.first && this.second == that.second
				&& this.third == that.third && this.fourth == that.fourth;
	}

	@Override
	public int hashCode() {
		return this.hash;
	}

}
