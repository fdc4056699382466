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

package dev.uncontended.tls.tickets;

/**
 * What a node tells the other nodes after each sync with the store.
 *
 * @param node the random id of the node
 * @param sequence increases with each report of the node
 * @param left whether the node has stopped
 * @param format the version of the node's {@link TicketState}
 * @param validity the time in seconds after which a node without a further report counts
 * as stopped
 * @param digest the {@linkplain TicketState#digest() digest} of the ends that all TLS
 * contexts of the node have applied
 */
record TicketReport(long node, long sequence, boolean left, int format, int validity, long digest) {
}
