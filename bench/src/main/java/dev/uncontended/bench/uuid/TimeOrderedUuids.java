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

import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandleProxies;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.util.UUID;
import java.util.function.LongFunction;
import java.util.function.Supplier;

import com.fasterxml.uuid.Generators;
import com.fasterxml.uuid.impl.TimeBasedEpochGenerator;
import com.fasterxml.uuid.impl.TimeBasedEpochRandomGenerator;
import com.github.f4b6a3.uuid.UuidCreator;
import dev.uncontended.uuid.UuidGenerator;
import io.github.robsonkades.uuidv7.UUIDv7;
import org.hibernate.id.uuid.UuidVersion7Strategy;

/**
 * Implementations of version 7 UUIDs.
 */
public enum TimeOrderedUuids {

	/** Uncontended's pool with default settings. */
	UNCONTENDED {
		@Override
		Supplier<UUID> create() {
			return UuidGenerator.builder().build()::timeOrderedUuid;
		}
	},

	/** java-uuid-generator, which counts by one within a millisecond: no bits are new. */
	JAVA_UUID_GENERATOR {
		@Override
		Supplier<UUID> create() {
			TimeBasedEpochGenerator generator = Generators.timeBasedEpochGenerator();
			return generator::generate;
		}
	},

	/** java-uuid-generator, with new random bits for each UUID. */
	JAVA_UUID_GENERATOR_RANDOM {
		@Override
		Supplier<UUID> create() {
			TimeBasedEpochRandomGenerator generator = Generators.timeBasedEpochRandomGenerator();
			return generator::generate;
		}
	},

	/** uuid-creator. */
	UUID_CREATOR {
		@Override
		Supplier<UUID> create() {
			return UuidCreator::getTimeOrderedEpoch;
		}
	},

	/** uuid-creator, which counts by one within a millisecond: no bits are new. */
	UUID_CREATOR_PLUS_1 {
		@Override
		Supplier<UUID> create() {
			return UuidCreator::getTimeOrderedEpochPlus1;
		}
	},

	/** uuid-creator over ThreadLocalRandom, not secure. */
	UUID_CREATOR_FAST_INSECURE {
		@Override
		Supplier<UUID> create() {
			return UuidCreator::getTimeOrderedEpochFast;
		}
	},

	/** uuidv7, which adds a step without secure bits within a millisecond. */
	UUIDV7_INSECURE {
		@Override
		Supplier<UUID> create() {
			return UUIDv7::randomUUID;
		}
	},

	/** uuidv7, which adds a secure random number within a millisecond. */
	UUIDV7_SECURE {
		@Override
		Supplier<UUID> create() {
			return UUIDv7::secureRandomUUID;
		}
	},

	/** Hibernate's {@code @UuidGenerator(style = VERSION_7)}. */
	HIBERNATE {
		@Override
		Supplier<UUID> create() {
			return () -> UuidVersion7Strategy.INSTANCE.generateUuid(null);
		}
	},

	/** The JDK's method, since JDK 26. */
	JDK {
		@Override
		@SuppressWarnings("unchecked")
		Supplier<UUID> create() {
			try {
				MethodHandle ofEpochMillis = MethodHandles.lookup()
					.findStatic(UUID.class, "ofEpochMillis", MethodType.methodType(UUID.class, long.class));
				LongFunction<UUID> uuids = MethodHandleProxies.asInterfaceInstance(LongFunction.class, ofEpochMillis);
				return () -> uuids.apply(System.currentTimeMillis());
			}
			catch (ReflectiveOperationException ex) {
				throw new UnsupportedOperationException("This JDK does not support version 7 UUIDs", ex);
			}
		}
	};

	abstract Supplier<UUID> create();

}
