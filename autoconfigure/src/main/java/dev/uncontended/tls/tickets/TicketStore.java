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

import java.time.Duration;
import java.util.Collection;
import java.util.Map;

import org.jspecify.annotations.Nullable;

/**
 * Storage through which nodes share ticket keys, such as Redis. Everything in it is
 * authenticated, and the keys are encrypted. All methods may block, and may throw any
 * {@link RuntimeException}. One thread calls them.
 */
public interface TicketStore {

	/**
	 * The maximum size of a string, and of all reports together, in bytes. Whoever can
	 * write to the store must not exhaust the memory of the nodes, so a store must not
	 * read more. It returns nothing instead, and lets the next write replace the value.
	 */
	int MAXIMUM_SIZE = 1 << 20;

	/**
	 * Returns a string.
	 * @param name the name of the string
	 * @return the string, or {@code null} if there is none, or no valid one
	 */
	@Nullable String get(String name);

	/**
	 * Sets a string.
	 * @param name the name of the string
	 * @param value the string
	 * @param timeToLive the time after which the store deletes the string
	 */
	void set(String name, String value, Duration timeToLive);

	/**
	 * Returns the reports of the nodes. If they are not valid, or larger than
	 * {@link #MAXIMUM_SIZE}, removes all of them.
	 * @param name the name of the reports
	 * @return the reports by node
	 */
	Map<String, String> reports(String name);

	/**
	 * Sets a node's report.
	 * @param name the name of the reports
	 * @param node the node
	 * @param report the report
	 * @return whether the node had no report
	 */
	boolean report(String name, String node, String report);

	/**
	 * Removes reports.
	 * @param name the name of the reports
	 * @param nodes the nodes, not empty
	 */
	void remove(String name, Collection<String> nodes);

	/**
	 * Returns whether a write has failed because the store refuses it, for example
	 * because it is full. Everything can then still be read, unlike after a timeout.
	 * @param failure the exception that a method of this store has thrown
	 * @return whether the store has answered that it does not write
	 */
	boolean isRefusal(RuntimeException failure);

}
