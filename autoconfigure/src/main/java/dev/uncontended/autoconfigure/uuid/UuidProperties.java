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

package dev.uncontended.autoconfigure.uuid;

import java.time.Duration;
import java.time.temporal.ChronoUnit;

import dev.uncontended.random.internal.StripedPool;
import org.jspecify.annotations.Nullable;

import org.springframework.beans.factory.InitializingBean;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;
import org.springframework.boot.context.properties.source.InvalidConfigurationPropertyValueException;
import org.springframework.boot.convert.DurationUnit;
import org.springframework.util.unit.DataSize;

/**
 * Configuration properties for UUID generators.
 *
 * @param random the pools of random bytes
 */
@ConfigurationProperties("uncontended.uuid")
public record UuidProperties(@DefaultValue Random random) implements InitializingBean {

	@Override
	public void afterPropertiesSet() {
		this.random.validate();
	}

	/**
	 * Configuration properties for the pools of random bytes.
	 *
	 * @param algorithm JCA SecureRandom algorithm that fills the pools of random bytes.
	 * @param provider JCA provider of the algorithm. If not set, 'CTR_DRBG' is
	 * Uncontended's own. For other algorithms, the JVM's preference order decides.
	 * @param stripes Number of stripes of each pool of random bytes, 1 to 1024, rounded
	 * up to a power of two. By default, 8 for each processor, at most 256.
	 * @param bufferSize Buffer size of each stripe, 64B to 1MB, a multiple of 16 bytes.
	 * @param reseedInterval Longest time for which unused random bytes, and the states of
	 * generators that predict later bytes, stay in memory. Must not be negative. 0 means
	 * no limit, and leaves reseeding to the algorithm.
	 */
	public record Random(@DefaultValue(DEFAULT_ALGORITHM) String algorithm, @Nullable String provider,
			@Nullable Integer stripes, @DefaultValue("8KB") DataSize bufferSize,
			@DefaultValue("100ms") @DurationUnit(ChronoUnit.SECONDS) Duration reseedInterval) {

		private static final String DEFAULT_ALGORITHM = "CTR_DRBG";

		public Random {
			algorithm = algorithm.isBlank() ? DEFAULT_ALGORITHM : algorithm;
			provider = (provider == null || provider.isBlank()) ? null : provider;
		}

		public int stripesOrDefault() {
			return (this.stripes != null) ? this.stripes : StripedPool.defaultStripes();
		}

		void validate() {
			if (this.stripes != null && (this.stripes < 1 || this.stripes > StripedPool.MAX_STRIPES)) {
				throw invalid("stripes", this.stripes, "must be from 1 to " + StripedPool.MAX_STRIPES);
			}
			if (!isBufferSize(this.bufferSize.toBytes())) {
				throw invalid("buffer-size", this.bufferSize,
						"must be from 64B to 1MB and a multiple of " + StripedPool.SLOT_SIZE + " bytes");
			}
			if (this.reseedInterval.isNegative()) {
				throw invalid("reseed-interval", this.reseedInterval, "must not be negative; 0 means no limit");
			}
		}

		private static boolean isBufferSize(long bytes) {
			return bytes >= StripedPool.MIN_BUFFER_SIZE && bytes <= StripedPool.MAX_BUFFER_SIZE
					&& bytes % StripedPool.SLOT_SIZE == 0;
		}

		static InvalidConfigurationPropertyValueException invalid(String name, Object value, @Nullable String reason) {
			return new InvalidConfigurationPropertyValueException("uncontended.uuid.random." + name, value, reason);
		}

	}

}
