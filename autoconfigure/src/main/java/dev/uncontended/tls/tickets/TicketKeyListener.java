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

/**
 * Receives the keys of a {@link TicketKeySource}. Calls of one source do not overlap. Any
 * thread may call a listener, which must not block. The source retries a call that has
 * thrown an exception.
 */
public interface TicketKeyListener {

	/**
	 * Called with the current keys when the listener is added, and with all keys after
	 * each change.
	 * @param keys the keys, of which the first encrypts and all decrypt. The listener
	 * must copy them during the call, because the source later destroys its own keys
	 */
	void keysChanged(List<TicketKey> keys);

	/**
	 * Called when this or another node ends all sessions. The listener must no longer use
	 * the keys that it has received. No listener receives the new keys before this method
	 * has been called on every listener, nor before its own call has succeeded.
	 */
	void sessionsEnded();

}
