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

package dev.uncontended.tls.engine;

import java.util.Collections;
import java.util.Set;
import java.util.WeakHashMap;
import java.util.concurrent.locks.ReentrantLock;

import javax.net.ssl.SSLEngine;

/**
 * The engines with a full handshake under way. Engines are referenced weakly, because not
 * every handshake completes. The JDK's engines compare by identity. The lock is held for
 * nanoseconds, whereas a handshake takes hundreds of microseconds.
 */
final class FullHandshakes {

	private final ReentrantLock lock = new ReentrantLock();

	private final Set<SSLEngine> engines = Collections.newSetFromMap(new WeakHashMap<>());

	void add(SSLEngine engine) {
		this.lock.lock();
		try {
			this.engines.add(engine);
		}
		finally {
			this.lock.unlock();
		}
	}

	boolean remove(SSLEngine engine) {
		this.lock.lock();
		try {
			return this.engines.remove(engine);
		}
		finally {
			this.lock.unlock();
		}
	}

}
