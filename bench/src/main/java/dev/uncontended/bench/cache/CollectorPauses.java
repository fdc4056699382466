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

package dev.uncontended.bench.cache;

import java.lang.management.GarbageCollectorMXBean;
import java.lang.management.ManagementFactory;
import java.util.Locale;

import javax.management.NotificationEmitter;
import javax.management.openmbean.CompositeData;

import com.sun.management.GarbageCollectionNotificationInfo;

/**
 * Records the durations of garbage collections, in milliseconds, as the JVM reports them.
 * Ignores calls of {@code System.gc()}.
 */
final class CollectorPauses {

	private int count;

	private long sum;

	private long longest;

	private CollectorPauses() {
	}

	static CollectorPauses record() {
		CollectorPauses pauses = new CollectorPauses();
		for (GarbageCollectorMXBean collector : ManagementFactory.getGarbageCollectorMXBeans()) {
			((NotificationEmitter) collector).addNotificationListener(
					(notification, handback) -> pauses
						.add(GarbageCollectionNotificationInfo.from((CompositeData) notification.getUserData())),
					null, null);
		}
		return pauses;
	}

	private synchronized void add(GarbageCollectionNotificationInfo collection) {
		if (!collection.getGcCause().equals("System.gc()")) {
			long duration = collection.getGcInfo().getDuration();
			this.count++;
			this.sum += duration;
			this.longest = Math.max(this.longest, duration);
		}
	}

	@Override
	public synchronized String toString() {
		return String.format(Locale.ROOT, "%d collections took %d ms, the longest %d ms", this.count, this.sum,
				this.longest);
	}

}
