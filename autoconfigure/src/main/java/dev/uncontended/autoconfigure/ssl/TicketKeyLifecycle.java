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

package dev.uncontended.autoconfigure.ssl;

import dev.uncontended.tls.tickets.TicketKeys;

import org.springframework.context.SmartLifecycle;

/**
 * Starts {@link TicketKeys} before the servers, and stops them before the connections to
 * Redis, whose phase is 0.
 */
record TicketKeyLifecycle(TicketKeys keys) implements SmartLifecycle {

	@Override
	public void start() {
		this.keys.start();
	}

	@Override
	public void stop() {
		this.keys.close();
	}

	@Override
	public boolean isRunning() {
		return this.keys.isRunning();
	}

	@Override
	public int getPhase() {
		return 1;
	}

}
