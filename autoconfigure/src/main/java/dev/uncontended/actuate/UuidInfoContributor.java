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

package dev.uncontended.actuate;

import java.util.LinkedHashMap;
import java.util.Map;

import dev.uncontended.random.UncontendedProvider;
import dev.uncontended.uuid.UuidGenerator;

import org.springframework.boot.actuate.info.Info;
import org.springframework.boot.actuate.info.InfoContributor;

/**
 * {@link InfoContributor} that tells which random number generators the UUIDs come from.
 */
public class UuidInfoContributor implements InfoContributor {

	private final Map<String, UuidGenerator> generators;

	/**
	 * Creates an info contributor.
	 * @param generators the generators, by their bean names
	 */
	public UuidInfoContributor(Map<String, UuidGenerator> generators) {
		this.generators = generators;
	}

	@Override
	public void contribute(Info.Builder builder) {
		Map<String, GeneratorInfo> generators = new LinkedHashMap<>();
		this.generators.forEach((name, generator) -> generators.put(name,
				new GeneratorInfo(generator.algorithm(), generator.provider())));
		builder.withDetail("uuid", new UuidInfo(generators,
				new JdkInfo(UncontendedProvider.isInstalled(), UncontendedProvider.isEffective())));
	}

	/**
	 * What {@code /actuator/info} has under {@code uuid}.
	 *
	 * @param generators the generators by bean name
	 * @param jdk the JDK's own generator
	 */
	public record UuidInfo(Map<String, GeneratorInfo> generators, JdkInfo jdk) {
	}

	/**
	 * A generator.
	 *
	 * @param algorithm the JCA algorithm that fills the pool
	 * @param provider the JCA provider in use
	 */
	public record GeneratorInfo(String algorithm, String provider) {
	}

	/**
	 * The JDK's own generator.
	 *
	 * @param installed whether the provider is in the JVM's list
	 * @param effective whether {@code UUID.randomUUID()} runs on it
	 */
	public record JdkInfo(boolean installed, boolean effective) {
	}

}
