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

package dev.uncontended.integration.internal;

import reactor.blockhound.BlockHound;
import reactor.blockhound.integration.BlockHoundIntegration;

/**
 * Allows three calls on event loops that BlockHound would report. BlockHound finds this
 * class through {@link java.util.ServiceLoader}.
 * <ul>
 * <li>Seeding reads 48 bytes of {@code /dev/urandom}. Once the operating system has
 * initialized its generator, this device never waits for entropy or for a disk.</li>
 * <li>The first cipher of a process loads classes and files of the JDK. BlockHound allows
 * this in class loaders only. In a reactive web application, the start does it.</li>
 * <li>A thread that has lost a race for random bytes spins for a few microseconds.</li>
 * </ul>
 */
public final class UncontendedBlockHoundIntegration implements BlockHoundIntegration {

	@Override
	public void applyTo(BlockHound.Builder builder) {
		builder.allowBlockingCallsInside("dev.uncontended.random.prng.OperatingSystemSeedSource", "read");
		builder.allowBlockingCallsInside("dev.uncontended.random.prng.AesCtr", "newCipher");
		builder.allowBlockingCallsInside("dev.uncontended.random.internal.StripedPool", "backOff");
	}

}
