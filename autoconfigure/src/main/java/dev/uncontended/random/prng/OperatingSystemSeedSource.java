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

package dev.uncontended.random.prng;

import java.io.File;
import java.io.FileInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.security.NoSuchAlgorithmException;
import java.security.Provider;
import java.security.ProviderException;
import java.security.SecureRandom;
import java.security.Security;
import java.util.Arrays;

/**
 * Reads entropy from the operating system: from {@code /dev/urandom} or, on Windows and
 * if this device cannot be read, through the JCA.
 * <p>
 * Each request opens, reads and closes the device. Unlike {@code NativePRNG}, this takes
 * no JVM-wide lock. Nothing is buffered, so a snapshot of the process contains no bytes
 * of later seeds.
 * <p>
 * Each request reads twice, and returns the second result. It fails if the results are
 * equal or too short, because the source is then stuck. Results of different requests are
 * not compared, because a comparison would keep a seed in memory.
 */
public final class OperatingSystemSeedSource implements SeedSource {

	/** The seed source of all generators. */
	public static final SeedSource INSTANCE = new OperatingSystemSeedSource("/dev/urandom", File.separatorChar);

	/** The name of the provider that reads its seeds from this class. */
	private static final String DROP_IN = "Uncontended";

	/**
	 * JCA algorithms that read the operating system's generator, in order of preference.
	 */
	private static final String[] ALGORITHMS = { "NativePRNGNonBlocking", "Windows-PRNG", "NativePRNG" };

	/**
	 * The minimum number of bytes to compare. Equal shorter results may be a coincidence.
	 */
	private static final int MIN_LENGTH = 16;

	private final String device;

	private final boolean hasDevices;

	OperatingSystemSeedSource(String device, char separator) {
		this.device = device;
		// On Windows, the device's name is a file of the current drive. Any user may be
		// able to create it, and would then choose the seeds.
		this.hasDevices = separator == '/';
	}

	@Override
	public byte[] generate(int length) {
		int padded = Math.max(MIN_LENGTH, length);
		byte[] control = read(padded);
		byte[] entropy = read(padded);
		try {
			if (control.length != padded || entropy.length != padded) {
				throw new ProviderException("Failed to seed a generator: the entropy source returned "
						+ Math.min(control.length, entropy.length) + " bytes instead of " + padded);
			}
			if (Arrays.equals(control, entropy)) {
				throw new ProviderException(
						"Failed to seed a generator: the entropy source is stuck, it returned the same bytes twice");
			}
			return Arrays.copyOf(entropy, length);
		}
		finally {
			Arrays.fill(control, (byte) 0);
			Arrays.fill(entropy, (byte) 0);
		}
	}

	private byte[] read(int length) {
		if (this.hasDevices) {
			try (InputStream input = new FileInputStream(this.device)) {
				return input.readNBytes(length);
			}
			catch (IOException ex) {
				// Try the JCA.
			}
		}
		// Not nextBytes, which may return buffered bytes. All processes restored from one
		// snapshot would share them.
		return find().generateSeed(length);
	}

	private static SecureRandom find() {
		// Not new SecureRandom(), which would recurse into this package if the drop-in is
		// installed.
		for (String algorithm : ALGORITHMS) {
			try {
				return SecureRandom.getInstance(algorithm);
			}
			catch (NoSuchAlgorithmException ex) {
				// Try the next algorithm.
			}
		}
		return findPortable();
	}

	private static SecureRandom findPortable() {
		for (Provider provider : Security.getProviders()) {
			if (provider.getName().equals(DROP_IN)) {
				continue;
			}
			for (Provider.Service service : provider.getServices()) {
				if (service.getType().equals("SecureRandom")) {
					try {
						return SecureRandom.getInstance(service.getAlgorithm(), provider);
					}
					catch (NoSuchAlgorithmException ex) {
						// Try the next service.
					}
				}
			}
		}
		throw new ProviderException("Failed to find a JCA provider that reads the operating system's random generator");
	}

}
