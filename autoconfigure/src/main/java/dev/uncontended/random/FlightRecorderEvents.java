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

package dev.uncontended.random;

import java.util.concurrent.TimeUnit;

import org.jspecify.annotations.Nullable;

/**
 * Tells the JDK Flight Recorder what happens seldom. A refill that goes well costs one
 * comparison. The recorder may be missing from a JVM that was linked for an application.
 */
final class FlightRecorderEvents {

	static final long SLOW_REFILL_NANOS = TimeUnit.MILLISECONDS.toNanos(10);

	private static final boolean AVAILABLE = ModuleLayer.boot().findModule("jdk.jfr").isPresent();

	private FlightRecorderEvents() {
	}

	static void refilled(long nanos) {
		if (nanos >= SLOW_REFILL_NANOS && AVAILABLE) {
			commit(nanos, null);
		}
	}

	static void refillFailed(long nanos, Throwable failure) {
		if (AVAILABLE) {
			commit(nanos, failure.getClass().getName());
		}
	}

	private static void commit(long nanos, @Nullable String failure) {
		RefillEvent event = new RefillEvent();
		event.time = nanos;
		event.failure = failure;
		event.commit();
	}

	static void reseeded() {
		if (AVAILABLE) {
			new ReseedEvent().commit();
		}
	}

}
