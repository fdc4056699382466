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
package dev.uncontended.tls.tickets;

import java.security.SecureRandom;

/**
 * A source of random bytes that throws an error on request. It is not an
 * {@code OutOfMemoryError}, which would end the JVM of the tests.
 */
public final class FailingRandom extends SecureRandom {

	private static final long serialVersionUID = 1L;

	private volatile boolean failing;

	public void setFailing(boolean failing) {
		this.failing = failing;
	}

	@Override
	public void nextBytes(byte[] bytes) {
		if (this.failing) {
			throw new StackOverflowError("of the test");
		}
		super.nextBytes(bytes);
	}

}
