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

import dev.uncontended.random.RefillFailure;
import org.jspecify.annotations.Nullable;

/**
 * A time between two changes in the life of a {@link StripedPool}: a new epoch begins
 * when the pool is suspended, resumed or closed. Generators and buffers of one epoch are
 * not used in later epochs.
 */
final class Epoch {

	final Kind kind;

	/** Whether a later epoch has begun. Set once. */
	volatile boolean ended;

	/** The failure of the last refill, or {@code null} if it succeeded. */
	volatile @Nullable RefillFailure lastFailure;

	Epoch(Kind kind) {
		this.kind = kind;
	}

	enum Kind {

		RUNNING, SUSPENDED, CLOSED

	}

}
