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

package dev.uncontended.bench.uuid;

import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.time.Duration;

import dev.uncontended.random.UncontendedProvider;
import dev.uncontended.random.internal.RandomAlgorithm;
import dev.uncontended.random.internal.StripedPool;

/**
 * Writes output of the default generator to standard output, for statistical test
 * programs: {@code java -cp benchmarks.jar dev.uncontended.bench.uuid.RandomBytes
 * 1000000000 | rngtest}.
 */
public final class RandomBytes {

	private RandomBytes() {
	}

	/**
	 * Writes random bytes.
	 * @param args the number of bytes; if absent, as many as are read
	 * @throws IOException if standard output is closed before that number is written
	 */
	public static void main(String[] args) throws IOException {
		long count = (args.length > 0) ? Long.parseLong(args[0]) : Long.MAX_VALUE;
		byte[] bytes = new byte[1 << 16];
		try (StripedPool pool = new StripedPool(RandomAlgorithm.of(UncontendedProvider.CTR_DRBG, null),
				StripedPool.defaultStripes(), 8192, Duration.ofHours(1));
				OutputStream out = new FileOutputStream(FileDescriptor.out)) {
			for (long left = count; left > 0; left -= bytes.length) {
				pool.nextBytes(bytes);
				out.write(bytes, 0, (int) Math.min(left, bytes.length));
			}
		}
		catch (IOException ex) {
			// Without a number, the reader closes the pipe.
			if (args.length > 0) {
				throw ex;
			}
		}
	}

}
