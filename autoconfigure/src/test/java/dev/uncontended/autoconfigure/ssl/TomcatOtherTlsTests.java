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

import java.util.List;

import org.apache.tomcat.util.net.jsse.JSSEImplementation;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThatException;

/**
 * Tests for BoringSSL on a Tomcat whose TLS implementation the application has set.
 */
class TomcatOtherTlsTests extends AbstractTlsServerTests {

	TomcatOtherTlsTests() {
		super(TestServer.TOMCAT, "boringssl");
	}

	@Override
	List<Class<?>> sources() {
		return List.of(TomcatSslServerTests.Customizers.class);
	}

	@Test
	void failsStartInsteadOfServingWithoutBoringSsl() {
		String implementation = JSSEImplementation.class.getName();
		assertThatException().isThrownBy(() -> start("--test.ssl-implementation=" + implementation))
			.withStackTraceContaining("Failed to use BoringSSL for the connector")
			.withStackTraceContaining("the application has set the connector's SSL implementation " + implementation);
	}

}
