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
import java.util.UUID;

import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.Expect;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.LLL_Result;

/**
 * Two threads hash names of different lengths with two slots for digests, often starting
 * at the same one.
 */
@JCStressTest
@Outcome(id = "right, right, 4", expect = Expect.ACCEPTABLE,
		desc = "Every name has its own hash, and all are counted.")
@Outcome(expect = Expect.FORBIDDEN, desc = "Two threads were in the same digest, or a name was not counted.")
@State
public class DigestPoolStress {

	private static final MessageDigest MD5 = md5();

	private final DigestPool pool = new DigestPool(MD5, 2);

	@Actor
	public void first(LLL_Result result) {
		result.r1 = hashTwice(Name.SHORT);
	}

	@Actor
	public void second(LLL_Result result) {
		result.r2 = hashTwice(Name.LONG);
	}

	@Arbiter
	public void arbiter(LLL_Result result) {
		result.r3 = this.pool.stats().generated();
	}

	private String hashTwice(Name name) {
		return (hash(name) && hash(name)) ? "right" : "wrong";
	}

	private boolean hash(Name name) {
		return this.pool.nameUuid(3, null, name.bytes).equals(name.expected);
	}

	private static MessageDigest md5() {
		try {
			return MessageDigest.getInstance("MD5");
		}
		catch (NoSuchAlgorithmException ex) {
			throw new IllegalStateException(ex);
		}
	}

	enum Name {

		SHORT(3), LONG(200);

		final byte[] bytes;

		final UUID expected;

		Name(int length) {
			this.bytes = "x".repeat(length).getBytes(StandardCharsets.US_ASCII);
			this.expected = UUID.nameUUIDFromBytes(this.bytes);
		}

	}

}
