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
import org.springframework.boot.context.properties.source.InvalidConfigurationPropertyValueException;
import org.springframework.boot.convert.DurationUnit;
import org.springframework.util.unit.DataSize;

/**
 * Configuration properties for UUID generators. Empty values count as unset.
 * <p>
 * Not a record, because Spring Boot would convert the default values of a record in each
 * start.
 */
@ConfigurationProperties("uncontended.uuid")
class UuidProperties implements InitializingBean {

	private final Random random = new Random();

	public Random getRandom() {
		return this.random;
	}

	@Override
	public void afterPropertiesSet() {
		Random random = this.random;
		if (random.stripes != null && (random.stripes < 1 || random.stripes > StripedPool.MAX_STRIPES)) {
			throw new InvalidConfigurationPropertyValueException("uncontended.uuid.random.stripes", random.stripes,
					"must be from 1 to " + StripedPool.MAX_STRIPES);
		}
		long bufferSize = random.bufferSize.toBytes();
		if (bufferSize < StripedPool.MIN_BUFFER_SIZE || bufferSize > StripedPool.MAX_BUFFER_SIZE
				|| bufferSize % StripedPool.SLOT_SIZE != 0) {
			throw new InvalidConfigurationPropertyValueException("uncontended.uuid.random.buffer-size",
					random.bufferSize, "must be from 64B to 1MB and a multiple of " + StripedPool.SLOT_SIZE + " bytes");
		}
		if (random.reseedInterval.isNegative()) {
			throw new InvalidConfigurationPropertyValueException("uncontended.uuid.random.reseed-interval",
					random.reseedInterval, "must not be negative; 0 leaves reseeding to the algorithm");
		}
	}

	/**
	 * Configuration properties for the pools of random bytes.
	 */
	public static class Random {

		/**
		 * JCA SecureRandom algorithm that fills the pools of random bytes.
		 */
		private String algorithm = "CTR_DRBG";

		/**
		 * JCA provider of the algorithm. If not set, 'CTR_DRBG' is Uncontended's own. For
		 * other algorithms, the JVM's preference order decides.
		 */
		private @Nullable String provider;

		/**
		 * Number of stripes of each pool of random bytes, 1 to 1024, rounded up to a
		 * power of two. If not set, it depends on the number of processors. Each stripe
		 * has its own random number generator and buffer.
		 */
		private @Nullable Integer stripes;

		/**
		 * Buffer size of each stripe, 64B to 1MB, a multiple of 16 bytes.
		 */
		private DataSize bufferSize = DataSize.ofKilobytes(8);

		/**
		 * Time after which the next refill of a stripe reseeds it from the operating
		 * system. Must not be negative. 0 leaves reseeding to the algorithm.
		 */
		@DurationUnit(ChronoUnit.SECONDS)
		private Duration reseedInterval = Duration.ofHours(1);

		public String getAlgorithm() {
			return this.algorithm;
		}

		public void setAlgorithm(String algorithm) {
			if (!algorithm.isEmpty()) {
				this.algorithm = algorithm;
			}
		}

		public @Nullable String getProvider() {
			return this.provider;
		}

		public void setProvider(String provider) {
			if (!provider.isEmpty()) {
				this.provider = provider;
			}
		}

		public @Nullable Integer getStripes() {
			return this.stripes;
		}

		public void setStripes(Integer stripes) {
			this.stripes = stripes;
		}

		public DataSize getBufferSize() {
			return this.bufferSize;
		}

		public void setBufferSize(DataSize bufferSize) {
			this.bufferSize = bufferSize;
		}

		public Duration getReseedInterval() {
			return this.reseedInterval;
		}

		public void setReseedInterval(Duration reseedInterval) {
			this.reseedInterval = reseedInterval;
		}

	}

}
