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

import org.springframework.boot.autoconfigure.condition.ConditionMessage;
import org.springframework.boot.autoconfigure.condition.ConditionOutcome;
import org.springframework.boot.autoconfigure.condition.SpringBootCondition;
import org.springframework.context.annotation.ConditionContext;
import org.springframework.core.Ordered;
import org.springframework.core.annotation.MergedAnnotation;
import org.springframework.core.annotation.Order;
import org.springframework.core.env.Environment;
import org.springframework.core.type.AnnotatedTypeMetadata;

/**
 * The condition of {@link ConditionalOnFeature @ConditionalOnFeature}. Its message
 * contains the property's value and origin.
 */
@Order(Ordered.HIGHEST_PRECEDENCE + 40)
class OnFeatureCondition extends SpringBootCondition {

	@Override
	public ConditionOutcome getMatchOutcome(ConditionContext context, AnnotatedTypeMetadata metadata) {
		MergedAnnotation<ConditionalOnFeature> feature = metadata.getAnnotations().get(ConditionalOnFeature.class);
		String property = feature.getString("value");
		Environment environment = context.getEnvironment();
		return new ConditionOutcome(SingleProperty.isTrue(environment, property, feature.getBoolean("matchIfMissing")),
				ConditionMessage.of(SingleProperty.describe(environment, property)));
	}

}
