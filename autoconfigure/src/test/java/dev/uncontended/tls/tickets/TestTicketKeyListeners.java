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

import java.util.List;
import java.util.function.Consumer;

/**
 * Creates listeners of ticket keys that tests need only one method of.
 */
public final class TestTicketKeyListeners {

	private TestTicketKeyListeners() {
	}

	/**
	 * Returns a listener that ignores the ends of all sessions.
	 */
	public static TicketKeyListener ofKeys(Consumer<List<TicketKey>> consumer) {
		return of(consumer, () -> {
		});
	}

	/**
	 * Returns a listener that ignores keys.
	 */
	public static TicketKeyListener ofEnds(Runnable ended) {
		return of((keys) -> {
		}, ended);
	}

	private static TicketKeyListener of(Consumer<List<TicketKey>> consumer, Runnable ended) {
		return new TicketKeyListener() {

			@Override
			public void keysChanged(List<TicketKey> keys) {
				consumer.accept(keys);
			}

			@Override
			public void sessionsEnded() {
				ended.run();
			}

		};
	}

}
