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

import java.util.Comparator;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;

import org.jspecify.annotations.Nullable;

/**
 * The groups that servers may use for key exchanges.
 *
 * @param names the IANA names, in order of preference
 * @param configured whether the application has configured the names. If not, only the
 * hybrid group is preferred to the client's order
 */
record EnabledGroups(List<String> names, boolean configured) {

	private static final EnabledGroups DEFAULT = new EnabledGroups(JdkPolicy.ALLOWED_GROUPS, false);

	/** Groups without a classical key exchange. They need TLS 1.3. */
	private static final Set<String> POST_QUANTUM = Set.of(JdkPolicy.HYBRID, JdkPolicy.ML_KEM);

	/**
	 * Returns the given groups. If the list is empty, returns the groups that the JDK
	 * permits, with the hybrid group first.
	 * @throws IllegalArgumentException if BoringSSL does not support a group or the JDK
	 * does not permit it
	 */
	static EnabledGroups of(List<String> names) {
		if (names.isEmpty()) {
			return DEFAULT;
		}
		List<String> available = available();
		return new EnabledGroups(names.stream().map((name) -> find(name, available)).distinct().toList(), true);
	}

	/**
	 * Returns the groups that BoringSSL supports and the JDK permits.
	 */
	static List<String> available() {
		return Stream.concat(DEFAULT.names.stream(), Stream.of(JdkPolicy.ML_KEM).filter(JdkPolicy::permitsGroup))
			.toList();
	}

	private static String find(String name, List<String> available) {
		return available.stream()
			.filter(name.strip()::equalsIgnoreCase)
			.findFirst()
			.orElseThrow(() -> new IllegalArgumentException("'" + name
					+ "' is not a group that BoringSSL supports and the JDK's properties permit: " + available));
	}

	/**
	 * Returns the enabled groups that the given list contains. Drops other groups,
	 * because Tomcat by default sets all groups that it knows. If no groups are
	 * configured, follows the order of the list, but moves the hybrid group to the start,
	 * because Tomcat's default order has it at the end.
	 * @param limit the list, or {@code null} for all
	 */
	List<String> within(@Nullable List<String> limit) {
		if (limit == null) {
			return this.names;
		}
		if (this.configured) {
			return this.names.stream().filter((name) -> limit.stream().anyMatch(name::equalsIgnoreCase)).toList();
		}
		return limit.stream()
			.flatMap((group) -> this.names.stream().filter(group::equalsIgnoreCase))
			.sorted(Comparator.comparing((group) -> !group.equals(JdkPolicy.HYBRID)))
			.toList();
	}

	/**
	 * Returns whether the given groups exist only in TLS 1.3. If none is given, considers
	 * all enabled groups.
	 */
	boolean requireTls13(List<String> usable) {
		return POST_QUANTUM.containsAll(usable.isEmpty() ? this.names : usable);
	}

}
