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

/**
 * A pool of random bits with a generator per stripe, the generator CTR_DRBG, and a JCA
 * provider that offers CTR_DRBG on such a pool. Each stripe has a buffer that its
 * generator fills in bulk. Threads claim parts of a buffer by compare-and-set, so they do
 * not block each other. The generators in {@code dev.uncontended.uuid} draw from pools.
 * So does {@link java.util.UUID#randomUUID()} if the provider was installed before its
 * first call.
 */
@NullMarked
package dev.uncontended.random;

import org.jspecify.annotations.NullMarked;
