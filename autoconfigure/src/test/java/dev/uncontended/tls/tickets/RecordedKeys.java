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

import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;

/**
 * A consumer that copies the keys, like an engine, and subscribes again when all sessions
 * end.
 */
public final class RecordedKeys {

	private final List<List<String>> calls = new ArrayList<>();

	private RecordedKeys() {
	}

	/**
	 * Subscribes to a source.
	 */
	public static RecordedKeys of(TicketKeySource source) {
		RecordedKeys keys = new RecordedKeys();
		source.subscribe(TestTicketKeyListeners.ofKeys(keys::add));
		return keys;
	}

	private synchronized void add(List<TicketKey> keys) {
		this.calls.add(keys.stream().map((key) -> HexFormat.of().formatHex(key.parts())).toList());
	}

	/**
	 * Returns the key that encrypts.
	 */
	public synchronized String encrypting() {
		return decrypting().get(0);
	}

	/**
	 * Returns all keys.
	 */
	public synchronized List<String> decrypting() {
		return this.calls.get(this.calls.size() - 1);
	}

	/**
	 * Returns all keys that encrypt or have encrypted.
	 */
	public synchronized List<String> encrypted() {
		return new ArrayList<>(this.calls.stream().map((keys) -> keys.get(0)).distinct().toList());
	}

	/**
	 * Returns the number of calls.
	 */
	public synchronized int calls() {
		return this.calls.size();
	}

}
