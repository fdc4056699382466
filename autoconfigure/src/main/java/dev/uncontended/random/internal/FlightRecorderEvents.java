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

package dev.uncontended.random.internal;

import jdk.jfr.Category;
import jdk.jfr.Description;
import jdk.jfr.Event;
import jdk.jfr.FlightRecorder;
import jdk.jfr.Label;
import jdk.jfr.Name;
import jdk.jfr.Timespan;
import org.jspecify.annotations.Nullable;

/**
 * Records rare events in the JDK Flight Recorder. No method throws an exception, and the
 * class has no static initializer, because a missing or failing recorder must not fail a
 * refill.
 * <p>
 * The first event of a JVM would initialize Flight Recorder, which takes hundreds of
 * milliseconds while other threads wait. Events are therefore created only if a recording
 * has initialized it.
 */
final class FlightRecorderEvents {

	static final long SLOW_REFILL_NANOS = 10_000_000;

	private FlightRecorderEvents() {
	}

	static void refilled(long nanos) {
		if (nanos >= SLOW_REFILL_NANOS) {
			commit(nanos, null);
		}
	}

	static void refillFailed(long nanos, Throwable failure) {
		commit(nanos, failure.getClass().getName());
	}

	private static void commit(long nanos, @Nullable String failure) {
		try {
			if (FlightRecorder.isInitialized()) {
				RefillEvent event = new RefillEvent();
				event.time = nanos;
				event.failure = failure;
				event.commit();
			}
		}
		catch (Throwable ex) {
			// Recording is best effort.
		}
	}

	static void reseeded() {
		try {
			if (FlightRecorder.isInitialized()) {
				new ReseedEvent().commit();
			}
		}
		catch (Throwable ex) {
			// Recording is best effort.
		}
	}

	/**
	 * A slow or failed refill. The event contains no generator output.
	 */
	@Name("dev.uncontended.Refill")
	@Label("Slow or Failed Refill")
	@Description("A slow or failed refill of a buffer of random bytes")
	@Category("Uncontended")
	static final class RefillEvent extends Event {

		@Label("Time")
		@Timespan
		long time;

		@Label("Failure")
		@Description("The class name of the exception, if the refill failed")
		@Nullable String failure;

	}

	/**
	 * A reseed of a generator.
	 */
	@Name("dev.uncontended.Reseed")
	@Label("Reseed")
	@Category("Uncontended")
	static final class ReseedEvent extends Event {

	}

}
