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
 * The reason why a {@link LazyExpiryCache} removed or replaced an entry.
 */
public enum RemovalCause {

	/**
	 * The cache was full, or its maximum size was lowered.
	 */
	EVICTED,

	/**
	 * The entry had expired when the cache or the caller removed or replaced it.
	 */
	EXPIRED,

	/**
	 * The caller removed the entry before it expired.
	 */
	INVALIDATED,

	/**
	 * The caller put a new value under the entry's key before the entry expired.
	 */
	REPLACED

}
