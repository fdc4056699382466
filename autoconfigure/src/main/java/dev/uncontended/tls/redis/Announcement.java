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
package dev.uncontended.tls.redis;

import java.time.Duration;

import org.jspecify.annotations.Nullable;

/**
 * A message with which a node shows that it runs, and which end of all sessions it has
 * applied.
 *
 * @param node the random id of the node's process
 * @param number increases with each announcement of the node
 * @param validity the time until which the node announces itself again; zero if it stops
 * @param urgent whether the other nodes should poll and announce themselves soon
 * @param end the last end of all sessions that the node has applied; {@code null} if the
 * node uses another format of the Redis hash
 */
record Announcement(long node, long number, Duration validity, boolean urgent, @Nullable End end) {
}
