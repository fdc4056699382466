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
 * A monotonic time source for expiry.
 * <p>
 * Only differences between two readings are meaningful. Readings must never decrease,
 * except when they wrap around like {@link System#nanoTime()}. Implementations must be
 * thread-safe.
 */
@FunctionalInterface
public interface Ticker {

	/**
	 * Returns the current time.
	 * @return nanoseconds since an arbitrary origin
	 */
	long read();

	/**
	 * Returns a ticker that reads {@link System#nanoTime()}.
	 * @return the most precise ticker
	 */
	static Ticker system() {
		return System::nanoTime;
	}

	/**
	 * Returns a cheaper ticker than {@link #system()}, for timeouts of several seconds or
	 * more. While the ticker is used, a daemon thread updates its time. A reading lags
	 * behind {@link System#nanoTime()} by up to 50 ms, plus the scheduling delay of this
	 * thread.
	 * @return the coarse ticker of this JVM
	 */
	static Ticker coarse() {
		return CoarseTicker.INSTANCE;
	}

}
