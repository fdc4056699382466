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
package dev.uncontended.bench.tls;

import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.Base64;
import java.util.List;
import java.util.zip.DataFormatException;

import org.HdrHistogram.Histogram;

/**
 * What a {@link ConnectionClient} measured. Times are microseconds.
 *
 * @param connections the number of connections
 * @param resumed how many of them resumed a session
 * @param failed how many of them got no response
 * @param median half of the latencies are at most so long
 * @param p99 99% of the latencies are at most so long
 * @param p999 99.9% of the latencies are at most so long
 * @param max the longest latency
 * @param medianLateness half of the connections started at most so long after their
 * scheduled time
 * @param p99Lateness 99% of the connections started at most so long after their scheduled
 * time
 * @param failure the last failure, or empty
 * @param histogram all latencies, as HdrHistogram's compressed bytes in Base64
 */
record ClientResult(long connections, long resumed, long failed, long median, long p99, long p999, long max,
		long medianLateness, long p99Lateness, String failure, String histogram) {

	private static final String TAB = "\t";

	static ClientResult parse(String line) {
		String[] cells = line.split(TAB, -1);
		return new ClientResult(Long.parseLong(cells[0]), Long.parseLong(cells[1]), Long.parseLong(cells[2]),
				Long.parseLong(cells[3]), Long.parseLong(cells[4]), Long.parseLong(cells[5]), Long.parseLong(cells[6]),
				Long.parseLong(cells[7]), Long.parseLong(cells[8]), cells[9], (cells.length > 10) ? cells[10] : "");
	}

	static String encode(Histogram latencies) {
		ByteBuffer buffer = ByteBuffer.allocate(latencies.getNeededByteBufferCapacity());
		int length = latencies.encodeIntoCompressedByteBuffer(buffer);
		return Base64.getEncoder().encodeToString(Arrays.copyOf(buffer.array(), length));
	}

	/**
	 * Returns the latencies of several results together.
	 */
	static Histogram merge(List<ClientResult> results) {
		Histogram all = new Histogram(3);
		for (ClientResult result : results) {
			if (result.histogram.isEmpty()) {
				continue;
			}
			try {
				all.add(Histogram
					.decodeFromCompressedByteBuffer(ByteBuffer.wrap(Base64.getDecoder().decode(result.histogram)), 0));
			}
			catch (DataFormatException ex) {
				throw new IllegalArgumentException(ex);
			}
		}
		return all;
	}

	@Override
	public String toString() {
		return this.connections + TAB + this.resumed + TAB + this.failed + TAB + this.median + TAB + this.p99 + TAB
				+ this.p999 + TAB + this.max + TAB + this.medianLateness + TAB + this.p99Lateness + TAB
				+ this.failure.replaceAll("\\s", " ") + TAB + this.histogram;
	}

}
