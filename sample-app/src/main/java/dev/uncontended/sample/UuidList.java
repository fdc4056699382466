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

package dev.uncontended.sample;

import java.util.Iterator;
import java.util.UUID;
import java.util.function.Consumer;
import java.util.stream.IntStream;
import java.util.stream.Stream;

import com.fasterxml.jackson.annotation.JsonValue;

/**
 * The body of a response. UUIDs are created in small arrays while they are written, so
 * that the memory used does not depend on their number.
 *
 * @param source fills an array with UUIDs
 * @param count the number of UUIDs
 */
record UuidList(Consumer<UUID[]> source, int count) {

	private static final int BATCH = 256;

	/**
	 * Returns an iterator that draws the UUIDs. In JSON, the UUIDs are an array.
	 */
	@JsonValue
	Iterator<UUID> draw() {
		return IntStream.iterate(this.count, (left) -> left > 0, (left) -> left - BATCH)
			.mapToObj(this::batch)
			.flatMap(Stream::of)
			.iterator();
	}

	private UUID[] batch(int left) {
		UUID[] uuids = new UUID[Math.min(left, BATCH)];
		this.source.accept(uuids);
		return uuids;
	}

}
