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

import dev.uncontended.tls.server.TlsServers;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for TLS on Reactor Netty with the engine that Reactor Netty selects.
 */
class NettyDefaultEngineTests extends AbstractTlsServerTests {

	NettyDefaultEngineTests() {
		super(TestServer.NETTY, "");
	}

	@Test
	void emptyPropertyLeavesEngineToReactorNetty() throws Exception {
		start();
		assertServes();
		assertThat(completed()).isEmpty();
	}

	@Test
	@ExtendWith(OutputCaptureExtension.class)
	void warnsThatSessionsDoNotEnd(CapturedOutput output) throws Exception {
		start();
		assertWarnsOfOwnContext(output);
		assertThat(context().getBean(TlsServers.class).unreached())
			.containsExactly("netty (application) by Reactor Netty's engine");
	}

}
