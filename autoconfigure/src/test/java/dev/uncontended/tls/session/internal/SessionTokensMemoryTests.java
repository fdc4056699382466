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

package dev.uncontended.tls.session.internal;

import java.lang.management.ManagementFactory;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

import dev.uncontended.ChildJvm;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for the memory of {@link SessionTokens}.
 */
@Tag("integration")
class SessionTokensMemoryTests {

	private static final int SESSIONS = 200_000;

	@Test
	void sessionTakesAtMostTwoHundredBytes() throws Exception {
		String output = ChildJvm.run(List.of("-XX:+UseSerialGC"), (entry) -> true, FullCache.class);
		Matcher bytes = Pattern.compile("bytes=(\\d+)").matcher(output);
		assertThat(bytes.find()).as(output).isTrue();
		System.out.println("Bytes of a session: " + bytes.group(1));
		assertThat(Integer.parseInt(bytes.group(1))).isBetween(100, 200);
	}

	static final class FullCache {

		private FullCache() {
		}

		public static void main(String[] args) {
			SessionTokens cache = new SessionTokens(SESSIONS, null, System::nanoTime);
			long before = usedHeap();
			for (int i = 0; i < 2 * SESSIONS; i++) {
				cache.put(cache.create(), 0, 0);
			}
			System.out.println("bytes=" + (usedHeap() - before) / cache.estimatedSize());
		}

		private static long usedHeap() {
			System.gc();
			return ManagementFactory.getMemoryMXBean().getHeapMemoryUsage().getUsed();
		}

	}

}
