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

package dev.uncontended.tls.boringssl;

import java.util.concurrent.atomic.AtomicInteger;

import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for {@link CountedReference}.
 */
class CountedReferenceTests {

	private final AtomicInteger freed = new AtomicInteger();

	private final CountedReference reference = new CountedReference(this.freed::incrementAndGet);

	@Test
	void isFreedWhenCacheAbandonsIt() {
		this.reference.abandon();
		assertThat(this.freed).hasValue(1);
		assertThat(this.reference.hold()).isFalse();
	}

	@Test
	void isFreedAfterLookupUnderWay() {
		assertThat(this.reference.hold()).isTrue();
		this.reference.abandon();
		assertThat(this.freed).hasValue(0);
		this.reference.release();
		assertThat(this.freed).hasValue(1);
	}

	@Test
	void isFreedOnceWhenAbandonedRepeatedly() {
		assertThat(this.reference.hold()).isTrue();
		this.reference.abandon();
		this.reference.abandon();
		assertThat(this.freed).hasValue(0);
		this.reference.release();
		this.reference.abandon();
		assertThat(this.freed).hasValue(1);
	}

}
