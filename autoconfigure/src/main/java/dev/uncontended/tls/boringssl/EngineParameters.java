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

import java.util.List;
import java.util.Set;

import javax.net.ssl.SSLHandshakeException;
import javax.net.ssl.SSLParameters;

import dev.uncontended.tls.engine.NamedGroups;
import io.netty.handler.ssl.ClientAuth;

/**
 * The SSL parameters of a {@link BoringSslEngine}.
 *
 * @param values the parameters, with only protocols and cipher suites that {@link Suites}
 * supports
 * @param groups the groups that the TLS engine may use
 * @param orderedGroups whether the order of the groups overrules the client's
 */
record EngineParameters(SSLParameters values, List<String> groups, boolean orderedGroups) {

	/** Groups without a classical key exchange. They need TLS 1.3. */
	private static final Set<String> POST_QUANTUM = Set.of(JdkPolicy.HYBRID, JdkPolicy.ML_KEM);

	EngineParameters(List<String> groups, boolean orderedGroups) {
		this(new SSLParameters(Suites.CIPHER_SUITES.enabled(), Suites.PROTOCOLS.enabled()), groups, orderedGroups);
	}

	/**
	 * Copies the given parameters. If their protocols or cipher suites are {@code null},
	 * the copy has this object's.
	 * @throws IllegalArgumentException if the parameters have algorithm constraints,
	 * signature schemes, or names that {@link Suites#retain} rejects
	 */
	EngineParameters with(SSLParameters parameters) {
		if (parameters.getAlgorithmConstraints() != null) {
			throw new IllegalArgumentException("BoringSSL does not support algorithm constraints in SSLParameters");
		}
		NamedGroups.requireNoSignatureSchemes(parameters);
		String[] cipherSuites = parameters.getCipherSuites();
		String[] protocols = parameters.getProtocols();
		return new EngineParameters(
				copy(parameters,
						new SSLParameters(
								(cipherSuites != null) ? Suites.CIPHER_SUITES.retain(cipherSuites)
										: this.values.getCipherSuites(),
								(protocols != null) ? Suites.PROTOCOLS.retain(protocols) : this.values.getProtocols())),
				this.groups, this.orderedGroups);
	}

	EngineParameters copy() {
		return new EngineParameters(
				copy(this.values, new SSLParameters(this.values.getCipherSuites(), this.values.getProtocols())),
				this.groups, this.orderedGroups);
	}

	private static SSLParameters copy(SSLParameters source, SSLParameters target) {
		if (source.getNeedClientAuth()) {
			target.setNeedClientAuth(true);
		}
		else {
			target.setWantClientAuth(source.getWantClientAuth());
		}
		target.setUseCipherSuitesOrder(source.getUseCipherSuitesOrder());
		target.setEndpointIdentificationAlgorithm(source.getEndpointIdentificationAlgorithm());
		target.setSNIMatchers(source.getSNIMatchers());
		target.setApplicationProtocols(source.getApplicationProtocols());
		List<String> groups = NamedGroups.of(source);
		if (groups != null) {
			NamedGroups.set(target, groups);
		}
		return target;
	}

	/**
	 * Returns the parameters for Netty's engine, without the protocols and cipher suites,
	 * which it takes from its native context.
	 */
	SSLParameters forNetty() {
		SSLParameters parameters = copy(this.values, new SSLParameters());
		if (NamedGroups.of(this.values) != null) {
			NamedGroups.set(parameters, usableGroups());
		}
		// BoringSSL has one order for groups and cipher suites.
		parameters.setUseCipherSuitesOrder(this.orderedGroups || this.values.getUseCipherSuitesOrder());
		return parameters;
	}

	/**
	 * Returns the groups that can be used; empty if the server enables none of them. By
	 * default, Tomcat enables all groups that it knows, and from Java 20 on those of the
	 * client.
	 */
	List<String> usableGroups() {
		List<String> limit = NamedGroups.of(this.values);
		List<String> usable = this.groups.stream()
			.filter((group) -> limit == null || limit.stream().anyMatch(group::equalsIgnoreCase))
			.toList();
		// BoringSSL refuses classical clients itself, those of TLS 1.2 because of the
		// protocol.
		return (usable.isEmpty() && POST_QUANTUM.containsAll(this.groups)) ? this.groups : usable;
	}

	/**
	 * Returns the enabled protocols that can be used. Without a classical group, TLS 1.2
	 * cannot be used: its cipher suites without a key exchange are not post-quantum.
	 * @throws SSLHandshakeException if there is none, or if clients authenticate and
	 * BoringSSL accepts signatures that the JDK's properties disable
	 */
	List<String> usableProtocols() throws SSLHandshakeException {
		if (clientAuth() != ClientAuth.NONE && !JdkPolicy.UNENFORCEABLE_SCHEMES.isEmpty()) {
			throw new SSLHandshakeException("With client authentication, BoringSSL accepts signatures with "
					+ String.join(", ", JdkPolicy.UNENFORCEABLE_SCHEMES)
					+ ", which jdk.tls.disabledAlgorithms or jdk.tls.server.SignatureSchemes"
					+ " disables. Permit them, or use the JDK's engine");
		}
		List<String> groups = usableGroups();
		List<String> protocols = Suites.usableProtocols(this.values.getProtocols(), this.values.getCipherSuites());
		if (groups.isEmpty() || !POST_QUANTUM.containsAll(groups)) {
			return protocols;
		}
		if (!protocols.contains("TLSv1.3")) {
			throw new SSLHandshakeException("The groups " + groups
					+ " require TLS 1.3, but the usable protocols of the server are " + protocols);
		}
		return List.of("TLSv1.3");
	}

	ClientAuth clientAuth() {
		if (this.values.getNeedClientAuth()) {
			return ClientAuth.REQUIRE;
		}
		return this.values.getWantClientAuth() ? ClientAuth.OPTIONAL : ClientAuth.NONE;
	}

}
