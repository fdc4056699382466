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

package dev.uncontended.autoconfigure;

import java.util.Comparator;
import java.util.Locale;
import java.util.Set;
import java.util.function.ToIntFunction;

import org.jspecify.annotations.Nullable;

import org.springframework.boot.origin.Origin;
import org.springframework.boot.origin.PropertySourceOrigin;
import org.springframework.core.env.PropertySource;
import org.springframework.core.env.SystemEnvironmentPropertySource;

/**
 * A property of Uncontended as written in a property source. Comparisons of names ignore
 * case, dashes and underscores. Comparisons with the name of an environment variable also
 * ignore dots.
 *
 * @param name the name in the property source
 * @param key the name used in comparisons, without the index of a list element
 * @param variable whether the property is an environment variable
 * @param value the value, which may be a secret
 * @param origin where the property is set, or {@code null} if unknown
 */
record ConfiguredProperty(String name, String key, boolean variable, @Nullable Object value, @Nullable Origin origin) {

	private static final String ROOT = "uncontended";

	/**
	 * Returns the property, or {@code null} if the name does not have Uncontended's
	 * prefix.
	 */
	static @Nullable ConfiguredProperty of(PropertySource<?> source, String name) {
		if (!name.regionMatches(true, 0, ROOT, 0, ROOT.length())) {
			return null;
		}
		boolean variable = source instanceof SystemEnvironmentPropertySource && name.indexOf('.') == -1;
		if (variable ? !isOwn(name) : !name.startsWith(".", ROOT.length())) {
			return null;
		}
		return new ConfiguredProperty(name, key(name, variable), variable, source.getProperty(name),
				PropertySourceOrigin.get(source, name));
	}

	/*
	 * Excludes variables of other programs, such as "UNCONTENDED_OPTS" and Kubernetes'
	 * "UNCONTENDED_SSL_SERVICE_HOST".
	 */
	private static boolean isOwn(String variable) {
		return variable.matches("(?i)uncontended_(uuid|ssl|secure_?random)_.*")
				&& !variable.matches("(?i).*_(service_(host|port(_.*)?)|port(_\\d+_(tcp|udp|sctp)(_.*)?)?)");
	}

	private static String key(String name, boolean variable) {
		String key = name.toLowerCase(Locale.ROOT);
		return variable ? key.replaceFirst("_\\d+_?$", "").replace("_", "")
				: key.replaceFirst("\\[\\d+]$", "").replaceAll("[-_]", "");
	}

	boolean isOneOf(Set<String> names) {
		return names.stream().anyMatch(this::is);
	}

	boolean is(String property) {
		return this.key.equals(comparable(property));
	}

	private String comparable(String property) {
		return property.replaceAll(this.variable ? "[-.]" : "-", "");
	}

	boolean hasValue() {
		return this.value != null && !this.value.toString().isEmpty();
	}

	String nearest(Set<String> names) {
		ToIntFunction<String> edits = (name) -> EditDistance.of(this.key, comparable(name));
		ToIntFunction<String> difference = (name) -> -commonPrefix(this.key, comparable(name));
		return names.stream().min(Comparator.comparingInt(edits).thenComparingInt(difference)).orElseThrow();
	}

	private static int commonPrefix(String a, String b) {
		int i = 0;
		while (i < a.length() && i < b.length() && a.charAt(i) == b.charAt(i)) {
			i++;
		}
		return i;
	}

	@Override
	public String toString() {
		return "'" + this.name + "'" + ((this.origin != null) ? " (" + this.origin + ")" : "");
	}

}
