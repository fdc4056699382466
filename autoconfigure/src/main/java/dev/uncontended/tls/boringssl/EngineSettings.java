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
 * The settings shared by all engines of a native context. A server uses few combinations.
 *
 * @param protocols the standard names of the protocols
 * @param cipherSuites the standard names of the cipher suites, in order of preference
 * @param applicationProtocols the selected application protocol, or empty
 * @param clientAuth the mode of client authentication
 * @param keyTypes the types of keys that the server may use
 */
record EngineSettings(List<String> protocols, List<String> cipherSuites, List<String> applicationProtocols,
		ClientAuth clientAuth, List<String> keyTypes) {

}
