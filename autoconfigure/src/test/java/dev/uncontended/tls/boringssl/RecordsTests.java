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

package dev.uncontended.tls.boringssl;

import java.nio.ByteBuffer;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for {@link Records} and {@link OutboundBuffer}.
 */
class RecordsTests {

	@ParameterizedTest
	@CsvSource({ "16704, false", "16705, true" })
	void recordIsOversizedAboveLimit(int length, boolean oversized) {
		ByteBuffer header = ByteBuffer.wrap(new byte[] { 23, 3, 3, (byte) (length >> 8), (byte) length });
		assertThat(Records.isOversized(header)).isEqualTo(oversized);
	}

	@ParameterizedTest
	@CsvSource({ "6, 0", "7, 7", "13, 7", "14, 14", "15, 14" })
	void sendsRecordsThatFit(int space, int sent) {
		OutboundBuffer buffer = new OutboundBuffer();
		buffer.addAlert(1, 0);
		buffer.addAlert(2, 40);
		assertThat(buffer.send(ByteBuffer.allocate(space))).isEqualTo(sent);
	}

}
