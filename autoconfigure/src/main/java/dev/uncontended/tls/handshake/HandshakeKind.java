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

package dev.uncontended.tls.handshake;

/**
 * The properties by which {@link TlsHandshakes} groups completed handshakes.
 *
 * @param server the server
 * @param protocol the standard name of the protocol, such as {@code TLSv1.3}
 * @param cipherSuite the standard name of the cipher suite
 * @param group the IANA name of the group of the TLS 1.3 key exchange, such as
 * {@code x25519}, or {@code none} for a TLS 1.3 resumption without a key exchange,
 * {@code other} for a group without a name here, and {@code unknown} with TLS 1.2
 */
public record HandshakeKind(TlsServerId server, String protocol, String cipherSuite, String group) {

}
