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
 * The reason why an entry was removed from a {@link LazyExpiryCache}.
 */
public enum RemovalCause {

	/**
	 * The cache was full, or its maximum size was lowered.
	 */
	EVICTED,

	/**
	 * The entry had expired, even if the caller then removed or replaced it.
	 */
	EXPIRED,

	/**
	 * The caller removed the live entry.
	 */
	INVALIDATED,

	/**
	 * The caller put a new value under the key of the live entry.
	 */
	REPLACED

}
