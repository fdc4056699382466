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

package dev.uncontended.tls.session;

/**
 * The servers and nodes whose sessions {@link SslSessionCache#endAll()} ends, in
 * ascending order.
 */
public enum Reach {

	/**
	 * No server, because the starter reaches no TLS server of this application. Only the
	 * {@code sslsessions} endpoint returns this value.
	 */
	NO_SERVER,

	/**
	 * Some servers of this application. The starter does not reach its other TLS servers,
	 * whose sessions remain valid. Only the {@code sslsessions} endpoint returns this
	 * value.
	 */
	SOME_SERVERS,

	/**
	 * Only this node so far. A source of ticket keys with shared storage keeps trying to
	 * write the end there until the source is closed. Other nodes follow after the write.
	 */
	THIS_NODE,

	/**
	 * This node, and the other nodes that have confirmed. The end is in the shared
	 * storage. Nodes that have not confirmed should follow at their next read.
	 */
	CONFIRMED_NODES,

	/**
	 * All nodes: each node that this node has heard recently has confirmed.
	 */
	ALL_NODES

}
