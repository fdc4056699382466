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

import java.security.DigestException;
import java.security.MessageDigest;
import java.security.MessageDigestSpi;
import java.security.Provider;
import java.security.ProviderException;
import java.util.List;
import java.util.Map;
import java.util.UUID;

import dev.uncontended.ChildJvm;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * Tests for {@link DigestPool} with a digest that cannot be cloned.
 */
class DigestPoolTests {

	private final OddProvider provider = new OddProvider();

	@Test
	void failedDigestIsDropped() throws Exception {
		DigestPool pool = pool();
		UUID expected = nameUuid(pool, 1);
		this.provider.failing = true;
		assertThatExceptionOfType(ProviderException.class).isThrownBy(() -> nameUuid(pool, 2));
		this.provider.failing = false;
		assertThat(nameUuid(pool, 1)).isEqualTo(expected);
		assertThat(pool.stats()).isEqualTo(new NameUuidStats(2, 2));
	}

	/**
	 * A process with all compilers, unlike this one. The compiled code of each overflows
	 * at other depths.
	 */
	@Test
	@Tag("integration")
	void placeCanBeLeasedAfterStackOverflow() throws Exception {
		assertThat(ChildJvm.run(List.of("-XX:TieredStopAtLevel=4"), (entry) -> true, DigestPoolTests.class))
			.contains("leased after 40 overflows");
	}

	public static void main(String[] args) throws Exception {
		int leased = 0;
		for (int i = 0; i < 40; i++) {
			DigestPool pool = new DigestPool(MessageDigest.getInstance("MD5"), 1);
			for (int warmUp = 0; warmUp < i % 2 * 100_000; warmUp++) {
				nameUuid(pool, 1);
			}
			Thread thread = new Thread(null, () -> overflow(pool), "small stack", (160 + 7 * (i % 16)) * 1024);
			thread.start();
			thread.join();
			nameUuid(pool, 1);
			long clones = pool.stats().clones();
			nameUuid(pool, 1);
			leased += (pool.stats().clones() == clones) ? 1 : 0;
		}
		System.out.println("leased after " + leased + " overflows");
	}

	private static int overflow(DigestPool pool) {
		int remaining;
		try {
			remaining = overflow(pool);
		}
		catch (StackOverflowError ex) {
			remaining = 600;
		}
		if (remaining > 0) {
			try {
				nameUuid(pool, 1);
			}
			catch (StackOverflowError ex) {
				// Expected
			}
		}
		return remaining - 1;
	}

	@Test
	void digestWithoutCloneIsCreated() throws Exception {
		DigestPool pool = pool();
		assertThat(nameUuid(pool, 1)).isEqualTo(nameUuid(pool, 1)).isNotEqualTo(nameUuid(pool, 2));
	}

	@Test
	void acceptsLongHashes() throws Exception {
		DigestPool pool = new DigestPool(MessageDigest.getInstance("SHA-512"), 2);
		assertThat(nameUuid(pool, 1)).isEqualTo(nameUuid(pool, 1)).isNotEqualTo(nameUuid(pool, 2));
	}

	private DigestPool pool() throws Exception {
		return new DigestPool(MessageDigest.getInstance("MD5", this.provider), 2);
	}

	private static UUID nameUuid(DigestPool pool, int name) {
		return pool.nameUuid(3, null, new byte[] { (byte) name });
	}

	private static final class OddProvider extends Provider {

		private static final long serialVersionUID = 1L;

		private volatile boolean failing;

		OddProvider() {
			super("Odd", "1", "A digest that cannot be cloned, and fails on request");
			putService(new Service(this, "MessageDigest", "MD5", OddDigest.class.getName(), List.of(), Map.of()) {
				@Override
				public Object newInstance(Object parameters) {
					return new OddDigest(OddProvider.this);
				}
			});
		}

	}

	/**
	 * Adds the bytes up, and keeps the sum when it fails.
	 */
	private static final class OddDigest extends MessageDigestSpi {

		private final OddProvider provider;

		private int sum;

		OddDigest(OddProvider provider) {
			this.provider = provider;
		}

		@Override
		protected int engineGetDigestLength() {
			return 16;
		}

		@Override
		protected void engineUpdate(byte input) {
			this.sum += input;
		}

		@Override
		protected void engineUpdate(byte[] input, int offset, int length) {
			for (int i = offset; i < offset + length; i++) {
				this.sum += input[i];
			}
		}

		@Override
		protected byte[] engineDigest() {
			byte[] hash = new byte[16];
			hash[15] = (byte) this.sum;
			this.sum = 0;
			return hash;
		}

		@Override
		protected int engineDigest(byte[] buffer, int offset, int length) throws DigestException {
			if (this.provider.failing) {
				throw new DigestException("broken on purpose");
			}
			return super.engineDigest(buffer, offset, length);
		}

		@Override
		protected void engineReset() {
			this.sum = 0;
		}

	}

}
