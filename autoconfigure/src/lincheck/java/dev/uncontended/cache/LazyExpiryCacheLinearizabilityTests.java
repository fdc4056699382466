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

package dev.uncontended.cache;

import java.time.Duration;
import java.util.concurrent.atomic.AtomicLong;

import org.jetbrains.lincheck.datastructures.IntGen;
import org.jetbrains.lincheck.datastructures.ModelCheckingOptions;
import org.jetbrains.lincheck.datastructures.Operation;
import org.jetbrains.lincheck.datastructures.Param;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/**
 * Verifies that the results of concurrent calls of a {@link LazyExpiryCache} are those of
 * some order of the calls.
 */
@Param(name = "key", gen = IntGen.class, conf = "1:2")
@Param(name = "value", gen = IntGen.class, conf = "1:9")
public class LazyExpiryCacheLinearizabilityTests {

	private static final int TIMEOUT = 10;

	private final AtomicLong time = new AtomicLong(Long.MAX_VALUE - 3);

	private final LazyExpiryCache<Integer, Integer> cache = LazyExpiryCache.<Integer, Integer>builder()
		.maximumSize(2)
		.expireAfterWrite(Duration.ofNanos(TIMEOUT))
		.ticker(this.time::get)
		.build();

	@Operation
	public @Nullable Integer get(@Param(name = "key") int key) {
		return this.cache.get(key);
	}

	@Operation
	public @Nullable Integer put(@Param(name = "key") int key, @Param(name = "value") int value) {
		return this.cache.put(key, value);
	}

	@Operation
	public @Nullable Integer remove(@Param(name = "key") int key) {
		return this.cache.remove(key);
	}

	@Operation
	public void expireAll() {
		this.time.addAndGet(TIMEOUT);
	}

	@Test
	void callsAreLinearizable() {
		new ModelCheckingOptions().iterations(30)
			.invocationsPerIteration(1000)
			.threads(2)
			.actorsPerThread(3)
			.check(getClass());
	}

}
