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

package dev.uncontended.tls.redis;

import java.nio.charset.StandardCharsets;

import dev.uncontended.AbstractReaderTests;
import dev.uncontended.tls.redis.TicketKeyHash.Content;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Verifies that {@link Content} accepts an answer of Redis's script or throws the
 * declared exception.
 */
public class RedisAnswerReaderTests extends AbstractReaderTests {

	@Override
	public void check(byte[] input) {
		String answer = new String(input, StandardCharsets.UTF_8);
		assertBoundedMemory(input, () -> parse(answer));
	}

	private static void parse(String answer) {
		try {
			Content content = Content.parse(answer);
			assertThat(content.now()).isNotNegative();
			assertThat(content.records().keySet()).allMatch(answer::contains);
			assertThat(content.records().values()).allMatch(answer::contains);
		}
		catch (IllegalStateException ex) {
			assertThat(ex).hasMessageStartingWith("Redis returned");
		}
	}

}
