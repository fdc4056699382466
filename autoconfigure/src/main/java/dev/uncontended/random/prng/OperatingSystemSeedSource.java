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

import org.jspecify.annotations.Nullable;

/**
 * Reads entropy from the operating system: from {@code /dev/urandom} or, on Windows and
 * if this device cannot be read, through the JCA.
 * <p>
 * Each request opens, reads and closes the device. Unlike {@code NativePRNG}, this takes
 * no JVM-wide lock, and leaves no file open in a checkpoint of the process. Nothing is
 * buffered, so a snapshot of the process contains no bytes of later seeds.
 * <p>
 * Each request reads one block more than it returns, the guard. It fails if the result is
 * too short, or if the guard equals the previous request's, because the source is then
 * stuck. The guard is never returned, so no seed stays in memory.
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

	private static final int GUARD_LENGTH = 16;

	private static final int UNREADABLE = -1;

	private final String device;

	private final boolean hasDevices;

	/** {@code null} until the first request, which reads it in advance. */
	private volatile byte @Nullable [] lastGuard;

	OperatingSystemSeedSource(String device, char separator) {
		this.device = device;
		// On Windows, the device's name is a file of the current drive. Any user may be
		// able to create it, and would then choose the seeds.
		this.hasDevices = separator == '/';
	}

	@Override
	public byte[] generate(int length) {
		byte[] lastGuard = this.lastGuard;
		if (lastGuard == null) {
			lastGuard = read(GUARD_LENGTH);
		}
		byte[] bytes = read(GUARD_LENGTH + length);
		try {
			byte[] guard = Arrays.copyOf(bytes, GUARD_LENGTH);
			this.lastGuard = guard;
			if (Arrays.equals(guard, lastGuard)) {
				throw new ProviderException(
						"Failed to seed a generator: the entropy source is stuck, it returned the same bytes twice");
			}
			return Arrays.copyOfRange(bytes, GUARD_LENGTH, bytes.length);
		}
		finally {
			Arrays.fill(bytes, (byte) 0);
		}
	}

	private byte[] read(int length) {
		byte[] bytes = new byte[length];
		int read = this.hasDevices ? readDevice(bytes) : UNREADABLE;
		if (read == UNREADABLE) {
			// Not nextBytes, which may return buffered bytes. All processes restored from
			// one snapshot would share them.
			bytes = find().generateSeed(length);
			read = bytes.length;
		}
		if (read != length) {
			Arrays.fill(bytes, (byte) 0);
			throw new ProviderException(
					"Failed to seed a generator: the entropy source returned " + read + " bytes instead of " + length);
		}
		return bytes;
	}

	/**
	 * Reads the device, and returns the number of bytes, or {@link #UNREADABLE}.
	 */
	private int readDevice(byte[] bytes) {
		int read = 0;
		// Not readNBytes, which also requests the length of the file, and allocates.
		try (InputStream input = new FileInputStream(this.device)) {
			int count;
			while (read < bytes.length && (count = input.read(bytes, read, bytes.length - read)) > 0) {
				read += count;
			}
		}
		catch (IOException ex) {
			return UNREADABLE;
		}
		return read;
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
