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

import java.io.FileInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.security.NoSuchAlgorithmException;
import java.security.Provider;
import java.security.ProviderException;
import java.security.SecureRandom;
import java.security.Security;

/**
 * The operating system's generator: on Unix its device, elsewhere through the JCA.
 * <p>
 * The device is opened and read for each seed. That takes microseconds and no lock,
 * whereas {@code NativePRNG} has one for the whole JVM; and nothing stays in this
 * process, neither bytes nor a file, that a snapshot could save. A local generator that
 * all others are seeded from would have a lock and a state to forget, and save nothing.
 * <p>
 * Through the JCA the algorithm is named, because a plain {@code new SecureRandom()}
 * would come back to this package when {@link UncontendedProvider} is first in the list.
 * It is asked through {@link SecureRandom#generateSeed(int)} because that reads the
 * source itself: {@code nextBytes} may serve from a buffer or a generator, and whatever
 * is in those when a process is snapshotted is in every copy. Nothing is kept between two
 * calls, so that one that fails does not make the next one fail.
 */
final class OperatingSystemSeedSource {

	private static final String DEVICE = "/dev/urandom";

	/**
	 * The generators that read the operating system's, in order of preference.
	 */
	private static final String[] ALGORITHMS = { "NativePRNGNonBlocking", "Windows-PRNG", "NativePRNG" };

	static final SeedSource INSTANCE = new HealthTestedSeedSource(OperatingSystemSeedSource::read);

	private OperatingSystemSeedSource() {
	}

	private static byte[] read(int length) {
		try (InputStream device = new FileInputStream(DEVICE)) {
			return device.readNBytes(length);
		}
		catch (IOException ex) {
			return find().generateSeed(length);
		}
	}

	private static SecureRandom find() {
		for (String algorithm : ALGORITHMS) {
			try {
				return SecureRandom.getInstance(algorithm);
			}
			catch (NoSuchAlgorithmException ex) {
				// Another operating system's: try the next.
			}
		}
		return findPortable();
	}

	/**
	 * Any other provider's first generator: {@code generateSeed} of SUN's reads what the
	 * security property {@code securerandom.source} names.
	 */
	private static SecureRandom findPortable() {
		for (Provider provider : Security.getProviders()) {
			if (provider instanceof UncontendedProvider) {
				continue;
			}
			for (Provider.Service service : provider.getServices()) {
				if (service.getType().equals("SecureRandom")) {
					try {
						return SecureRandom.getInstance(service.getAlgorithm(), provider);
					}
					catch (NoSuchAlgorithmException ex) {
						// Listed but not usable here: try the next.
					}
				}
			}
		}
		throw new ProviderException("No JCA provider of this JVM reaches the operating system's random generator");
	}

}
