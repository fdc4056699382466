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

package dev.uncontended.autoconfigure.uuid;

import dev.uncontended.actuate.UuidInfoContributor;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.json.JsonMapper;

import org.springframework.boot.actuate.info.Info;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.test.context.FilteredClassLoader;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for {@link UuidInfoAutoConfiguration} and {@link UuidInfoContributor}.
 */
class UuidInfoAutoConfigurationTests {

	private final ApplicationContextRunner contextRunner = new ApplicationContextRunner()
		.withConfiguration(AutoConfigurations.of(UuidAutoConfiguration.class, UuidInfoAutoConfiguration.class));

	@Test
	void isOffByDefault() {
		this.contextRunner
			.run((context) -> assertThat(context).hasNotFailed().doesNotHaveBean(UuidInfoContributor.class));
	}

	@Test
	void tellsAlgorithmsAndProviders() {
		this.contextRunner.withPropertyValues("management.info.uuid.enabled=true").run((context) -> {
			Info.Builder builder = new Info.Builder();
			context.getBean(UuidInfoContributor.class).contribute(builder);
			assertThat(JsonMapper.shared().readTree(JsonMapper.shared().writeValueAsString(builder.build())))
				.isEqualTo(JsonMapper.shared().readTree("""
						{"uuid": {
						  "generators": {"uuidGenerator": {"algorithm": "CTR_DRBG", "provider": "Uncontended"}},
						  "jdk": {"installed": false, "effective": false}
						}}"""));
		});
	}

	@Test
	void startsWithoutActuator() {
		this.contextRunner.withPropertyValues("management.info.uuid.enabled=true")
			.withClassLoader(new FilteredClassLoader("org.springframework.boot.actuate"))
			.run((context) -> assertThat(context).hasNotFailed().doesNotHaveBean(UuidInfoContributor.class));
	}

}
