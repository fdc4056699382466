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

package dev.uncontended.random;

import java.util.Map;
import java.util.UUID;

import dev.uncontended.ChildJvm;
import dev.uncontended.random.internal.DropIn;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

import org.springframework.messaging.MessageHeaders;
import org.springframework.web.server.session.InMemoryWebSessionStore;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests which libraries without an id generator interface use the installed provider.
 */
@Tag("integration")
class UncontendedProviderReachTests {

	private static String output = "";

	@BeforeAll
	static void run() throws Exception {
		output = ChildJvm.run(Application.class);
	}

	@Test
	void sessionsOfWebFluxUseProvider() {
		assertThat(output).contains("draws for a web session: 1");
	}

	/**
	 * The ids come from a {@link java.util.Random} that is only seeded by a
	 * {@link java.security.SecureRandom}.
	 */
	@Test
	void messageHeadersDoNotUseProvider() {
		assertThat(output).contains("draws for message headers: 0");
	}

	static class Application {

		public static void main(String[] args) {
			UncontendedProvider.install();
			UUID.randomUUID();
			InMemoryWebSessionStore store = new InMemoryWebSessionStore();
			System.out.println("draws for a web session: " + draws(() -> store.createWebSession().block()));
			new MessageHeaders(Map.of());
			System.out.println("draws for message headers: " + draws(() -> new MessageHeaders(Map.of())));
		}

		private static long draws(Runnable action) {
			long before = DropIn.INSTANCE.pool().stats().draws();
			action.run();
			return DropIn.INSTANCE.pool().stats().draws() - before;
		}

	}

}
