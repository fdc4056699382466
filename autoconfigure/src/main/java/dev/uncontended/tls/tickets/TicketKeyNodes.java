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

import java.util.List;

/**
 * The running nodes that share {@link TicketKeys}, this node included, by their random
 * ids.
 *
 * @param self the id of this node
 * @param confirmed the nodes that have applied all ends of all sessions that this node
 * knows
 * @param unconfirmed the nodes that have not applied them all
 * @param otherFormat the nodes whose version stores ticket keys in another format. They
 * share neither keys nor ends with this node
 */
public record TicketKeyNodes(String self, List<String> confirmed, List<String> unconfirmed, List<String> otherFormat) {
}
