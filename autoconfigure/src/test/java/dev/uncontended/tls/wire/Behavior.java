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

package dev.uncontended.tls.wire;

import java.time.Duration;

/**
 * A behavior of a client.
 *
 * @param name the description
 * @param identity the name of the certificate that authenticates the client
 * @param comparison the expected comparison of the outcomes with both engines
 * @param script the actions of the client
 */
public record Behavior(String name, String identity, Comparison comparison, Script script) {

	/**
	 * Runs the script and returns the server's behavior.
	 */
	public Outcome run(int port, boolean tls13, String applicationProtocol, ClientIdentity identity, Duration patience)
			throws Exception {
		try (WireClient client = new WireClient(port, tls13, applicationProtocol, identity, patience.toNanos())) {
			try {
				this.script.run(client);
				return client.awaitEnd();
			}
			catch (WireClient.ConnectionEndException ex) {
				return client.outcome();
			}
		}
	}

	@Override
	public String toString() {
		return this.name;
	}

	/**
	 * The expected comparison of the outcomes with the JDK's engine and BoringSSL.
	 */
	public enum Comparison {

		/** Both respond, and the outcomes are equal. */
		SERVED {

			@Override
			public boolean isMet(Outcome jdk, Outcome boringSsl) {
				return !jdk.responses().isEmpty() && jdk.equals(boringSsl);
			}

		},

		/** The outcomes are equal. */
		SAME {

			@Override
			public boolean isMet(Outcome jdk, Outcome boringSsl) {
				return jdk.equals(boringSsl);
			}

		},

		/** The outcomes are equal except for the names of alerts. */
		ALIKE {

			@Override
			public boolean isMet(Outcome jdk, Outcome boringSsl) {
				return boringSsl.isAlike(jdk);
			}

		},

		/** The outcomes differ. */
		UNLIKE {

			@Override
			public boolean isMet(Outcome jdk, Outcome boringSsl) {
				return true;
			}

		};

		public abstract boolean isMet(Outcome jdk, Outcome boringSsl);

	}

	/**
	 * The actions of a client.
	 */
	@FunctionalInterface
	interface Script {

		void run(WireClient client) throws Exception;

	}

}
