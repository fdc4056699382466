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

import java.io.InvalidObjectException;
import java.io.NotSerializableException;
import java.io.ObjectInputStream;
import java.io.ObjectOutputStream;
import java.security.DrbgParameters;
import java.security.SecureRandomParameters;
import java.security.SecureRandomSpi;
import java.time.Duration;

import org.jspecify.annotations.Nullable;

/**
 * {@code SecureRandom.CTR_DRBG}: one generator an instance, seeded from the operating
 * system when it is first used. The JCA calls it under the lock of the
 * {@code SecureRandom} in front of it.
 * <p>
 * As with the JDK's own DRBG, an instance has prediction resistance if it is asked for
 * with {@link DrbgParameters.Capability#PR_AND_RESEED}, and then every request, with
 * parameters or without, is preceded by a reseed; without parameters it is
 * {@code RESEED_ONLY}. A request that fails, be it with an {@code Error}, costs the
 * generator: the next one makes and seeds another.
 */
class CtrDrbgSpi extends SecureRandomSpi {

	private static final long serialVersionUID = 1L;

	/** The security strength in bits, of AES-256. */
	private static final int STRENGTH = 256;

	private final transient DrbgParameters.Instantiation parameters;

	private final transient Reseeding reseeding = new Reseeding(Duration.ofHours(1), System::nanoTime);

	private transient @Nullable CtrDrbg drbg;

	private transient long seededAt;

	/**
	 * Makes an instance.
	 * @param parameters {@link DrbgParameters.Instantiation} or {@code null}
	 * @throws IllegalArgumentException if the parameters are of another kind, the
	 * strength is above 256 or the personalization string is longer than 48 bytes
	 */
	CtrDrbgSpi(@Nullable Object parameters) {
		this.parameters = effective(parameters);
	}

	private static DrbgParameters.Instantiation effective(@Nullable Object parameters) {
		if (parameters == null) {
			return DrbgParameters.instantiation(STRENGTH, DrbgParameters.Capability.RESEED_ONLY, null);
		}
		if (!(parameters instanceof DrbgParameters.Instantiation instantiation)) {
			throw new IllegalArgumentException(
					"CTR_DRBG takes DrbgParameters.Instantiation, not " + parameters.getClass().getName());
		}
		requireStrength(instantiation.getStrength());
		requireRoom("The personalization string", instantiation.getPersonalizationString());
		return DrbgParameters.instantiation(STRENGTH, instantiation.getCapability(),
				instantiation.getPersonalizationString());
	}

	private static void requireStrength(int strength) {
		if (strength > STRENGTH) {
			throw new IllegalArgumentException(
					"CTR_DRBG has a security strength of " + STRENGTH + " bits, but " + strength + " were asked for");
		}
	}

	private static void requireRoom(String what, byte @Nullable [] input) {
		if (input != null && input.length > CtrDrbg.SEED_LENGTH) {
			throw new IllegalArgumentException(
					what + " must not be longer than " + CtrDrbg.SEED_LENGTH + " bytes, but there are " + input.length);
		}
	}

	/**
	 * Late, because a provider makes its first generator while the JCA starts, which must
	 * not call back into the JCA.
	 */
	private CtrDrbg drbg() {
		CtrDrbg drbg = this.drbg;
		if (drbg == null) {
			drbg = new CtrDrbg(seedSource(), this.parameters.getPersonalizationString());
			this.drbg = drbg;
			this.seededAt = this.reseeding.now();
		}
		return drbg;
	}

	SeedSource seedSource() {
		return SeedSource.operatingSystem();
	}

	@Override
	protected void engineSetSeed(byte[] seed) {
		guard(() -> drbg().addSeed(seed));
	}

	@Override
	protected void engineNextBytes(byte[] bytes) {
		generate(bytes, this.parameters.getCapability().supportsPredictionResistance(), null);
	}

	@Override
	protected void engineNextBytes(byte[] bytes, SecureRandomParameters parameters) {
		if (!(parameters instanceof DrbgParameters.NextBytes request)) {
			throw new IllegalArgumentException("CTR_DRBG takes DrbgParameters.NextBytes, not " + parameters);
		}
		requireStrength(request.getStrength());
		byte[] additionalInput = request.getAdditionalInput();
		requireRoom("Additional input", additionalInput);
		if (request.getPredictionResistance()) {
			requirePredictionResistance();
		}
		generate(bytes, request.getPredictionResistance(), additionalInput);
	}

	private void generate(byte[] bytes, boolean predictionResistance, byte @Nullable [] additionalInput) {
		guard(() -> {
			CtrDrbg drbg = drbg();
			int offset = 0;
			do {
				int length = Math.min(CtrDrbg.MAX_REQUEST_LENGTH, bytes.length - offset);
				if (predictionResistance) {
					reseed(drbg, additionalInput);
					drbg.generate(bytes, offset, length, null);
				}
				else {
					if (this.reseeding.isDue(this.seededAt, this.reseeding.now())) {
						reseed(drbg, null);
					}
					drbg.generate(bytes, offset, length, additionalInput);
				}
				offset += length;
			}
			while (offset < bytes.length);
		});
	}

	/**
	 * Drops the generator if the action fails: its cipher may be left without a key.
	 */
	private void guard(Runnable action) {
		try {
			action.run();
		}
		catch (Throwable ex) {
			this.drbg = null;
			throw ex;
		}
	}

	private void reseed(CtrDrbg drbg, byte @Nullable [] additionalInput) {
		drbg.reseed(additionalInput);
		this.seededAt = this.reseeding.now();
	}

	private void requirePredictionResistance() {
		if (!this.parameters.getCapability().supportsPredictionResistance()) {
			throw new IllegalArgumentException("This CTR_DRBG was made without prediction resistance");
		}
	}

	@Override
	protected void engineReseed(@Nullable SecureRandomParameters parameters) {
		if (!this.parameters.getCapability().supportsReseeding()) {
			throw new UnsupportedOperationException("This CTR_DRBG was made without reseeding");
		}
		byte[] additionalInput = null;
		if (parameters != null) {
			if (!(parameters instanceof DrbgParameters.Reseed request)) {
				throw new IllegalArgumentException("CTR_DRBG takes DrbgParameters.Reseed, not " + parameters);
			}
			if (request.getPredictionResistance()) {
				requirePredictionResistance();
			}
			additionalInput = request.getAdditionalInput();
			requireRoom("Additional input", additionalInput);
		}
		byte[] input = additionalInput;
		guard(() -> reseed(drbg(), input));
	}

	@Override
	protected byte[] engineGenerateSeed(int length) {
		return seedSource().generate(length);
	}

	@Override
	protected SecureRandomParameters engineGetParameters() {
		return this.parameters;
	}

	@Override
	public String toString() {
		return "CTR_DRBG,AES-256,no_df," + this.parameters.getCapability();
	}

	private void writeObject(ObjectOutputStream out) throws NotSerializableException {
		throw new NotSerializableException("The state of a generator is secret");
	}

	private void readObject(ObjectInputStream in) throws InvalidObjectException {
		throw new InvalidObjectException("The state of a generator is secret");
	}

}
