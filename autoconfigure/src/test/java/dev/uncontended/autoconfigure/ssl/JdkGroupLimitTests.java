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

package dev.uncontended.autoconfigure.ssl;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledForJreRange;
import org.junit.jupiter.api.condition.JRE;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for servers with configured groups and the JDK's engine.
 */
@EnabledForJreRange(min = JRE.JAVA_20)
@ParameterizedClass
@EnumSource
class JdkGroupLimitTests extends AbstractGroupLimitTests {

	JdkGroupLimitTests(TestServer server) {
		super(server, "jdk");
	}

	@Test
	void followsOrderOfClients() throws Exception {
		share(GROUPS + "secp384r1,x25519");
		assertThat(GroupClient.request(port(), first.certificate(), "TLSv1.3", "X25519 P-384")).isEqualTo("x25519");
	}

	@Test
	void contextThatReplacesAnotherHasSameGroups() throws Exception {
		start(GROUPS + "secp384r1");
		sessions().endAll();
		assertThat(GroupClient.request(port(), first.certificate(), "TLSv1.3", "X25519 P-384")).isEqualTo("secp384r1");
	}

}
