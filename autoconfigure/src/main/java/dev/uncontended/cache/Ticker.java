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

package dev.uncontended.cache;

/**
 * A monotonic source of time for measuring how long ago something was put into a cache.
 * <p>
 * Only differences between two readings mean anything, and a reading may be any
 * {@code long}: implementations may start anywhere and wrap around, as
 * {@link System#nanoTime()} may. Implementations must be safe for use by several threads
 * and must never go backwards.
 */
@FunctionalInterface
public interface Ticker {

	/**
	 * Reads the time.
	 * @return nanoseconds since an arbitrary origin
	 */
	long read();

	/**
	 * Returns the ticker that reads {@link System#nanoTime()} each time.
	 * @return a ticker as precise as this machine's clock
	 */
	static Ticker system() {
		return System::nanoTime;
	}

	/**
	 * Returns a ticker that costs two memory reads where the system clock costs a call:
	 * for timeouts of seconds and above. A reading lags behind {@link System#nanoTime()}
	 * by up to 50 milliseconds, plus what the operating system delays the one daemon
	 * thread by that keeps the time for all users of this ticker. That thread starts with
	 * the first reading and ends some seconds after the last one; it does not keep the
	 * JVM alive. Where no thread can be started, each reading reads the system clock.
	 * @return the coarse ticker of this JVM
	 */
	static Ticker coarse() {
		return CoarseTicker.INSTANCE;
	}

}
