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

import java.security.SecureRandom;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

import dev.uncontended.tls.Registration;
import dev.uncontended.tls.session.Reach;
import dev.uncontended.tls.tickets.TicketKey;
import dev.uncontended.tls.tickets.TicketKeyListener;
import dev.uncontended.tls.tickets.TicketKeySource;
import dev.uncontended.tls.tickets.TicketKeyStatus;
import dev.uncontended.tls.tickets.internal.TestTicketKeyStatus;

/**
 * A source of keys that the test rotates.
 */
public final class TestTicketKeys implements TicketKeySource {

	private final SecureRandom random = new SecureRandom();

	private final List<TicketKeyListener> keyListeners = new CopyOnWriteArrayList<>();

	private final List<Runnable> listeners = new CopyOnWriteArrayList<>();

	private volatile long ends;

	private List<TicketKey> keys = List.of(TicketKey.generate(this.random));

	synchronized void rotate() {
		List<TicketKey> keys = new ArrayList<>(this.keys);
		keys.add(0, TicketKey.generate(this.random));
		publish(keys);
	}

	synchronized void forgetAllButTheFirst() {
		publish(this.keys.subList(0, 1));
	}

	private void publish(List<TicketKey> keys) {
		this.keys = List.copyOf(keys);
		this.keyListeners.forEach((listener) -> listener.keysChanged(this.keys));
	}

	long ends() {
		return this.ends;
	}

	int listeners() {
		return this.listeners.size();
	}

	int keyListeners() {
		return this.keyListeners.size();
	}

	@Override
	public synchronized Registration subscribe(TicketKeyListener listener) {
		this.keyListeners.add(listener);
		listener.keysChanged(this.keys);
		return () -> this.keyListeners.remove(listener);
	}

	@Override
	public Registration onRemoteEnd(Runnable listener) {
		this.listeners.add(listener);
		return () -> this.listeners.remove(listener);
	}

	/**
	 * Ends all sessions like another node.
	 */
	void endFromAnotherNode() {
		endAll();
		this.listeners.forEach(Runnable::run);
	}

	@Override
	public synchronized Reach endAll() {
		this.ends++;
		this.keyListeners.forEach(TicketKeyListener::sessionsEnded);
		publish(List.of(TicketKey.generate(this.random)));
		return Reach.THIS_NODE;
	}

	@Override
	public synchronized TicketKeyStatus status() {
		return TestTicketKeyStatus.of("test");
	}

	@Override
	public void close() {
	}

}
