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

import java.nio.file.Path;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for {@link OperatingSystemSeedSource}.
 */
class OperatingSystemSeedSourceTests {

	@Test
	void readsAnotherSeedEachTime() {
		byte[] seed = OperatingSystemSeedSource.INSTANCE.generate(48);
		assertThat(seed).hasSize(48).isNotEqualTo(OperatingSystemSeedSource.INSTANCE.generate(48));
	}

	@Test
	void readsGeneratorOfJdkWithoutDevice(@TempDir Path directory) {
		String device = directory.resolve("urandom").toString();
		byte[] seed = OperatingSystemSeedSource.read(device, 48);
		assertThat(seed).hasSize(48)
			.isNotEqualTo(new byte[48])
			.isNotEqualTo(OperatingSystemSeedSource.read(device, 48));
	}

}
