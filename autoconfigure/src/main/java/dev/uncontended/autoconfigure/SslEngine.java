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

package dev.uncontended.autoconfigure;

import org.springframework.boot.autoconfigure.condition.ConditionOutcome;
import org.springframework.boot.autoconfigure.condition.SpringBootCondition;
import org.springframework.context.annotation.ConditionContext;
import org.springframework.core.type.AnnotatedTypeMetadata;

/**
 * The TLS engines of web servers. The property {@value #PROPERTY} selects one of them.
 */
public enum SslEngine {

	/** The JDK's engine. */
	JDK,

	/** BoringSSL through Netty. */
	BORINGSSL;

	/** The name of the property that selects the engine. */
	public static final String PROPERTY = "uncontended.ssl.engine";

	/**
	 * Matches if the engine is {@link #BORINGSSL}. Reads the property without a binder,
	 * which is slow to create, and so ignores what Spring Boot ignores in the names of
	 * constants.
	 */
	public static final class OnBoringSsl extends SpringBootCondition {

		@Override
		public ConditionOutcome getMatchOutcome(ConditionContext context, AnnotatedTypeMetadata metadata) {
			String value = context.getEnvironment().getProperty(PROPERTY, "jdk");
			return new ConditionOutcome(value.replaceAll("[^\\p{Alnum}]", "").equalsIgnoreCase(BORINGSSL.name()),
					PROPERTY + " is " + value);
		}

	}

}
