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

import java.time.Duration;
import java.util.EnumSet;
import java.util.Locale;
import java.util.Set;

import org.openjdk.jol.info.ClassLayout;
import org.openjdk.jol.info.GraphLayout;

/**
 * Measures the bytes per entry of a full cache, without keys and values. The arguments
 * are numbers of entries.
 */
public final class Footprint {

	/**
	 * Without {@link SessionCacheType#CAFFEINE}, because the common pool's threads and
	 * class loaders would be included.
	 */
	private static final Set<SessionCacheType> TYPES = EnumSet.complementOf(EnumSet.of(SessionCacheType.CAFFEINE));

	private Footprint() {
	}

	public static void main(String[] args) {
		for (String argument : args) {
			int entries = Integer.parseInt(argument);
			for (SessionCacheType type : TYPES) {
				SessionCache cache = type.create(entries, Duration.ofDays(1));
				SessionKey[] keys = SessionKey.range(0, entries);
				for (SessionKey key : keys) {
					cache.put(key, key);
				}
				cache.settle();
				long keyBytes = entries * ClassLayout.parseClass(SessionKey.class).instanceSize();
				long bytes = GraphLayout.parseInstance(cache).totalSize() - keyBytes;
				System.out.printf(Locale.ROOT, "%s\t%d\t%.1f%n", type, entries, (double) bytes / entries);
			}
		}
	}

}
