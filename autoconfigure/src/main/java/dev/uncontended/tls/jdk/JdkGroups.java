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

package dev.uncontended.tls.jdk;

import java.security.AlgorithmConstraints;
import java.security.CryptoPrimitive;
import java.security.GeneralSecurityException;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.List;
import java.util.Objects;

import javax.net.ssl.KeyManager;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.SSLParameters;
import javax.net.ssl.TrustManager;

import dev.uncontended.tls.engine.NamedGroups;

/**
 * The groups that servers with the JDK's engine may use for key exchanges.
 *
 * @param names the names in the JDK's notation; empty for the JDK's own choice
 */
record JdkGroups(List<String> names) {

	static final JdkGroups DEFAULT = new JdkGroups(List.of());

	/**
	 * Returns the given groups.
	 * @throws IllegalArgumentException if this JDK does not support a group, or if its
	 * properties do not permit the group
	 */
	static JdkGroups of(List<String> names) {
		if (names.isEmpty()) {
			return DEFAULT;
		}
		if (!NamedGroups.areSupported()) {
			throw new IllegalArgumentException("The JDK's engine can limit groups from Java 20 on, and this is Java "
					+ Runtime.version().feature() + ". Set the system property 'jdk.tls.namedGroups' instead,"
					+ " or 'uncontended.ssl.engine=boringssl'");
		}
		return new JdkGroups(NamedGroups.select(names, available(), "this JDK"));
	}

	private static List<String> available() {
		try {
			// The default context would read the JVM's trust store.
			SSLContext context = SSLContext.getInstance("TLS");
			context.init(new KeyManager[0], new TrustManager[0], null);
			SSLParameters parameters = context.createSSLEngine().getSSLParameters();
			AlgorithmConstraints constraints = parameters.getAlgorithmConstraints();
			return Objects.requireNonNullElse(NamedGroups.of(parameters), List.<String>of())
				.stream()
				.filter((name) -> constraints == null
						|| constraints.permits(EnumSet.of(CryptoPrimitive.KEY_AGREEMENT), name, null))
				.toList();
		}
		catch (GeneralSecurityException ex) {
			throw new IllegalStateException(ex);
		}
	}

	/**
	 * Limits the groups of an SSL engine. Must be called again after the server has
	 * changed the engine's settings. Of the suites of TLS 1.2, leaves only
	 * {@code TLS_ECDHE_*}. Others have no key exchange with a group, or the JDK selects
	 * the group of {@code TLS_DHE_*} by itself.
	 */
	void limit(SSLEngine engine) {
		if (this.names.isEmpty()) {
			return;
		}
		SSLParameters parameters = engine.getSSLParameters();
		List<String> permitted = NamedGroups.of(parameters);
		NamedGroups.set(parameters,
				this.names.stream()
					.filter((name) -> permitted == null || permitted.stream().anyMatch(name::equalsIgnoreCase))
					.toList());
		parameters.setCipherSuites(Arrays.stream(parameters.getCipherSuites())
			.filter((suite) -> suite.startsWith("TLS_ECDHE_") || !suite.contains("_WITH_"))
			.toArray(String[]::new));
		engine.setSSLParameters(parameters);
	}

}
