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

import java.security.Security;
import java.util.UUID;
import java.util.concurrent.TimeUnit;

import com.amazon.corretto.crypto.provider.AmazonCorrettoCryptoProvider;
import dev.uncontended.uuid.UuidGenerator;
import org.conscrypt.Conscrypt;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.TearDown;
import org.openjdk.jmh.annotations.Warmup;

/**
 * Measures version 4 UUIDs of {@link UuidGenerator} by the settings of its pool: the
 * algorithm, the stripes, and the size of their buffers.
 */
@Warmup(iterations = 2, time = 500, timeUnit = TimeUnit.MILLISECONDS)
@Measurement(iterations = 2, time = 500, timeUnit = TimeUnit.MILLISECONDS)
public class PoolSettingsBenchmark extends UuidBenchmark {

	/** The algorithm. */
	@Param
	Algorithm algorithm = Algorithm.CTR_DRBG;

	/** The stripes for each processor. */
	@Param("8")
	int stripesPerProcessor = 8;

	/** The buffer size of a stripe, in KB. */
	@Param("8")
	int bufferKilobytes = 8;

	@SuppressWarnings("NullAway.Init")
	private UuidGenerator generator;

	/** Creates the generator. */
	@Setup
	public void setUp() {
		this.generator = this.algorithm.builder()
			.stripes(this.stripesPerProcessor * Runtime.getRuntime().availableProcessors())
			.bufferSize(this.bufferKilobytes * 1024)
			.build();
	}

	/** Closes the generator. */
	@TearDown
	public void tearDown() {
		this.generator.close();
	}

	/**
	 * Creates a UUID.
	 * @return the UUID
	 */
	@Benchmark
	public UUID randomUuid() {
		return this.generator.randomUuid();
	}

	/**
	 * Algorithms of random number generators.
	 */
	public enum Algorithm {

		/** Uncontended's own, the default. */
		CTR_DRBG("CTR_DRBG"),

		/** The JDK's {@code DRBG}. */
		DRBG("DRBG"),

		/** The JDK's {@code SHA1PRNG}. */
		SHA1PRNG("SHA1PRNG"),

		/** The JDK's generator that reads {@code /dev/urandom}. */
		NATIVE_PRNG("NativePRNG"),

		/** The native generator of Amazon's provider. */
		ACCP("LibCryptoRng") {

			@Override
			void install() {
				AmazonCorrettoCryptoProvider.install();
			}

		},

		/** The native generator of Conscrypt, which is named like the JDK's. */
		CONSCRYPT("SHA1PRNG") {

			@Override
			void install() {
				Security.insertProviderAt(Conscrypt.newProvider(), 1);
			}

		};

		private final String jcaName;

		Algorithm(String jcaName) {
			this.jcaName = jcaName;
		}

		void install() {
		}

		UuidGenerator.Builder builder() {
			install();
			return UuidGenerator.builder().algorithm(this.jcaName);
		}

	}

}
