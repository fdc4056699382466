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

package dev.uncontended.uuid;

/**
 * Customizes the auto-configured {@link UuidGenerator}. Beans of this type are called in
 * order after the properties {@code uncontended.uuid.random.*} have been applied.
 */
@FunctionalInterface
public interface UuidGeneratorBuilderCustomizer {

	/**
	 * Customizes the builder.
	 * @param builder the builder of the generator
	 */
	void customize(UuidGenerator.Builder builder);

}
