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

import dev.uncontended.tls.tickets.ManualTicketKeys;
import dev.uncontended.tls.tickets.TicketKeys;

/**
 * {@link TicketKeys} that a test rotates, and that another node can end.
 */
public final class TestTicketKeys {

	private final ManualTicketKeys[] nodes = ManualTicketKeys.pair();

	public TicketKeys keys() {
		return this.nodes[0].keys();
	}

	void rotate() {
		this.nodes[0].advance(ManualTicketKeys.ROTATION.interval());
		this.nodes[0].sync();
	}

	void forgetAllButTheFirst() {
		this.nodes[0].advance(ManualTicketKeys.ROTATION.lifetime());
		this.nodes[0].sync();
	}

	long ends() {
		return keys().ends();
	}

	public int contexts() {
		return this.nodes[0].contexts();
	}

	void endFromAnotherNode() {
		this.nodes[1].sync();
		this.nodes[1].keys().endAll();
		this.nodes[1].sync();
		this.nodes[0].sync();
	}

}
