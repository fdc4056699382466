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

package dev.uncontended.tls.boringssl;

import java.util.List;

import io.netty.handler.ssl.ClientAuth;

/**
 * What the engines of one native context have in common. A server has few of them.
 *
 * @param protocols the standard names of the protocols
 * @param cipherSuites the standard names of the cipher suites, in order of preference
 * @param applicationProtocols the application protocol to agree on, or none
 * @param clientAuth whether clients have to authenticate
 */
record EngineSettings(List<String> protocols, List<String> cipherSuites, List<String> applicationProtocols,
		ClientAuth clientAuth) {

}
