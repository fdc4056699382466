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
 * Distributes threads over stripes, and the data of stripes over arrays. No two stripes
 * share a cache line, and none shares a cache line with the header of the array, which
 * every access reads.
 */
public final class Striping {

	private static final long GOLDEN_RATIO = 0x9E3779B97F4A7C15L;

	/**
	 * The fractional parts of the golden ratio and of the square roots of 2, 3 and 5, in
	 * units of 2<sup>-64</sup>. They distribute consecutive numbers evenly.
	 */
	private static final long[] MULTIPLIERS = { GOLDEN_RATIO, 0x6A09E667F3BCC909L, 0xBB67AE8584CAA73BL,
			0x3C6EF372FE94F82BL };

	/** The distance between array elements of adjacent stripes. */
	private static final int STRIDE = 32;

	private Striping() {
	}

	/**
	 * Returns the number of stripes rounded up to a power of two.
	 */
	public static int powerOfTwo(int stripes) {
		return 1 << (Integer.SIZE - Integer.numberOfLeadingZeros(stripes - 1));
	}

	/**
	 * Returns the argument of {@link #probe(int)} for a number of stripes.
	 * @param stripes a power of two
	 */
	public static int shift(int stripes) {
		return Long.SIZE - 1 - Integer.numberOfTrailingZeros(stripes);
	}

	/**
	 * Returns the stripe that the calling thread tries first.
	 */
	public static int probe(int shift) {
		return probe(shift, GOLDEN_RATIO);
	}

	/**
	 * Returns a multiplier for {@link #probe(int, long)}. Two threads that share a stripe
	 * probably have different stripes with the next multiplier.
	 * @param number any number
	 */
	static long multiplier(int number) {
		return MULTIPLIERS[number & (MULTIPLIERS.length - 1)];
	}

	/**
	 * Returns the stripe that the calling thread tries first.
	 */
	static int probe(int shift, long multiplier) {
		// Two shifts, because Java computes a shift by 64 (one stripe) as a shift by 0.
		return (int) ((Thread.currentThread().getId() * multiplier) >>> 1 >>> shift);
	}

	/**
	 * Returns the length of an array that has one element in use for each stripe.
	 */
	public static int length(int stripes) {
		return at(stripes);
	}

	/**
	 * Returns the index of a stripe's element.
	 */
	public static int at(int stripe) {
		return (stripe + 1) * STRIDE;
	}

}
