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

import org.jspecify.annotations.Nullable;

/**
 * Recognizes the event loops of Reactor and Netty. All connections of an event loop stop
 * while its thread waits, so these threads must not wait for other threads.
 * <p>
 * On an event loop, a {@link StripedPool} does not park:
 * <ul>
 * <li>Its first refills take no {@linkplain ColdStart turn}. Turns leave a processor for
 * the JIT compiler if there are many more threads than processors. There are about as
 * many event loops as processors.</li>
 * <li>If all generators are in use for a slow refill, it creates a generator at once.
 * Other threads first wait for about as long as a refill takes.</li>
 * </ul>
 * <p>
 * Seeding reads {@code /dev/urandom}, which always has bytes once the operating system
 * has initialized its generator. Event loops therefore seed generators themselves. Seeds
 * that were read in advance would be part of heap dumps and snapshots.
 * <p>
 * The first cipher of a process takes tens of milliseconds, because it loads classes and
 * reads files of the JDK. {@link StripedPool#seed()} does this in advance, and also reads
 * the first seeds.
 * <p>
 * Types are compared by name, because this package depends on the JDK only.
 */
final class EventLoops {

	/** Implemented by the threads of non-blocking schedulers and of Reactor Netty. */
	private static final String REACTOR = "reactor.core.scheduler.NonBlocking";

	/** The superclass of Netty's threads. */
	private static final String NETTY = "io.netty.util.concurrent.FastThreadLocalThread";

	private EventLoops() {
	}

	/**
	 * Returns whether the calling thread may belong to an event loop.
	 */
	static boolean isCurrent() {
		return isEventLoop(Thread.currentThread().getClass());
	}

	/**
	 * Returns whether the type extends or implements one of the types of Netty and
	 * Reactor.
	 */
	static boolean isEventLoop(@Nullable Class<?> type) {
		if (type == null || type == Thread.class) {
			return false;
		}
		if (type.getName().equals(NETTY) || type.getName().equals(REACTOR) || isEventLoop(type.getSuperclass())) {
			return true;
		}
		for (Class<?> implemented : type.getInterfaces()) {
			if (isEventLoop(implemented)) {
				return true;
			}
		}
		return false;
	}

}
