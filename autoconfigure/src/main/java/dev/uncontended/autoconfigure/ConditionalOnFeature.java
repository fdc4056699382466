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

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

import org.springframework.context.annotation.Conditional;

/**
 * A {@link Conditional @Conditional} that matches if a property enables a feature. Unlike
 * {@code @ConditionalOnBooleanProperty}, it accepts every boolean that Spring Boot can
 * bind, such as {@code yes}. A blank value counts as unset. Any other value fails the
 * start.
 */
@Documented
@Conditional(OnFeatureCondition.class)
@Retention(RetentionPolicy.RUNTIME)
@Target({ ElementType.TYPE, ElementType.METHOD })
public @interface ConditionalOnFeature {

	/**
	 * The name of the property.
	 */
	String value();

	/**
	 * Whether the feature is enabled if the property is not set.
	 */
	boolean matchIfMissing() default false;

}
