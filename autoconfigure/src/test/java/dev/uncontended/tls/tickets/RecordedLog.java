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
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.logging.Handler;
import java.util.logging.LogRecord;
import java.util.logging.Logger;

/**
 * Records the messages that this package logs.
 */
final class RecordedLog extends Handler implements AutoCloseable {

	private static final Logger logger = Logger.getLogger(TicketKeys.class.getPackageName());

	private final List<String> messages = new CopyOnWriteArrayList<>();

	RecordedLog() {
		logger.addHandler(this);
	}

	/** Returns the messages that start with a text. */
	List<String> messages(String start) {
		return this.messages.stream().filter((message) -> message.startsWith(start)).toList();
	}

	@Override
	public void publish(LogRecord logRecord) {
		this.messages.add(logRecord.getMessage());
	}

	@Override
	public void flush() {
	}

	@Override
	public void close() {
		logger.removeHandler(this);
	}

}
