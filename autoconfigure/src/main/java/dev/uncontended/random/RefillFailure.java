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

import java.time.Instant;

/**
 * A failed refill of a pool's buffer. Contains neither generator output nor the
 * exception's message, which may contain secrets.
 *
 * @param at when the refill failed, by the system clock
 * @param type the class name of the exception thrown to the caller
 */
public record RefillFailure(Instant at, String type) {
}
