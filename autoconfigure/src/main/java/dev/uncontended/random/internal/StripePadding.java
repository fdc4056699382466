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

/**
 * 128 bytes before the fields of a subclass, so that no two stripes share a cache line,
 * or a pair of lines that the processor fetches together. The JVM places the fields of a
 * superclass first. The {@code int} fills a gap after the object's header, which the JVM
 * would use for a field of the subclass.
 */
@SuppressWarnings("unused")
abstract class StripePadding {

	private int p0;

	private long p1;

	private long p2;

	private long p3;

	private long p4;

	private long p5;

	private long p6;

	private long p7;

	private long p8;

	private long p9;

	private long p10;

	private long p11;

	private long p12;

	private long p13;

	private long p14;

	private long p15;

	private long p16;

}
