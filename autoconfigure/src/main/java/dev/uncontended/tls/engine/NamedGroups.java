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

package dev.uncontended.tls.engine;

import java.lang.reflect.Method;
import java.util.Arrays;
import java.util.List;

import javax.net.ssl.SSLParameters;

import org.jspecify.annotations.Nullable;

/**
 * Accesses the named groups and signature schemes of {@link SSLParameters} by reflection,
 * because they need Java 20 or later.
 */
public final class NamedGroups {

	private static final @Nullable Method GETTER = method("getNamedGroups");

	private static final @Nullable Method SIGNATURE_SCHEMES = method("getSignatureSchemes");

	private static final @Nullable Method SETTER = method("setNamedGroups", String[].class);

	private NamedGroups() {
	}

	private static @Nullable Method method(String name, Class<?>... parameterTypes) {
		try {
			return SSLParameters.class.getMethod(name, parameterTypes);
		}
		catch (NoSuchMethodException ex) {
			return null;
		}
	}

	/**
	 * Returns whether this JDK can limit the groups of an SSL engine.
	 */
	public static boolean areSupported() {
		return SETTER != null;
	}

	/**
	 * Returns the available groups of the given names, ignoring case.
	 * @throws IllegalArgumentException if a group is not available
	 */
	public static List<String> select(List<String> names, List<String> available, String implementation) {
		return names.stream()
			.map((name) -> available.stream()
				.filter(name.strip()::equalsIgnoreCase)
				.findFirst()
				.orElseThrow(() -> new IllegalArgumentException("'" + name + "' is not a group that " + implementation
						+ " supports and the JDK's properties permit: " + available)))
			.distinct()
			.toList();
	}

	public static @Nullable List<String> of(SSLParameters parameters) {
		String[] groups = get(GETTER, parameters);
		return (groups != null) ? List.of(groups) : null;
	}

	public static void set(SSLParameters parameters, List<String> groups) {
		if (SETTER != null) {
			invoke(SETTER, parameters, (Object) groups.toArray(String[]::new));
		}
	}

	public static void requireNoSignatureSchemes(SSLParameters parameters) {
		String[] schemes = get(SIGNATURE_SCHEMES, parameters);
		if (schemes != null) {
			throw new IllegalArgumentException(
					"BoringSSL does not support signature schemes in SSLParameters, but they are "
							+ Arrays.toString(schemes));
		}
	}

	private static String @Nullable [] get(@Nullable Method getter, SSLParameters parameters) {
		return (getter != null) ? (String[]) invoke(getter, parameters) : null;
	}

	private static @Nullable Object invoke(Method method, SSLParameters parameters, Object... arguments) {
		try {
			return method.invoke(parameters, arguments);
		}
		catch (ReflectiveOperationException ex) {
			throw new IllegalStateException(ex);
		}
	}

}
