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

import javax.net.ssl.SSLHandshakeException;
import javax.net.ssl.SSLParameters;

import io.netty.handler.ssl.ClientAuth;
import org.jspecify.annotations.Nullable;

/**
 * The parameters of an engine, as far as BoringSSL knows them.
 *
 * @param values the parameters, with protocols and cipher suites that BoringSSL has
 */
record EngineParameters(SSLParameters values) {

	EngineParameters() {
		this(new SSLParameters(Suites.cipherSuites().enabled(), Suites.protocols().enabled()));
	}

	/**
	 * Takes over the protocols, the cipher suites and their order, the groups, client
	 * authentication and how clients are identified, the matchers of server names, and
	 * the application protocols. The rest does not concern a server with TLS.
	 * @throws IllegalArgumentException if the parameters have algorithm constraints or
	 * signature schemes: for BoringSSL the JDK's security properties alone decide
	 */
	EngineParameters with(SSLParameters parameters) {
		if (parameters.getAlgorithmConstraints() != null) {
			throw new IllegalArgumentException("The algorithm constraints of an engine must be null with BoringSSL");
		}
		NamedGroups.requireNoSignatureSchemes(parameters);
		String[] cipherSuites = parameters.getCipherSuites();
		String[] protocols = parameters.getProtocols();
		return new EngineParameters(copyAll(parameters,
				new SSLParameters(
						(cipherSuites != null) ? Suites.cipherSuites().retain(cipherSuites)
								: this.values.getCipherSuites(),
						(protocols != null) ? Suites.protocols().retain(protocols) : this.values.getProtocols())));
	}

	SSLParameters copy() {
		return copyAll(this.values, new SSLParameters(this.values.getCipherSuites(), this.values.getProtocols()));
	}

	/**
	 * Returns the parameters that Netty's engine does not take from its context.
	 */
	SSLParameters forNetty() {
		SSLParameters parameters = copyOptions(this.values, new SSLParameters());
		List<String> groups = groups();
		if (groups != null) {
			NamedGroups.set(parameters, NamedGroups.supported(groups));
		}
		return parameters;
	}

	/**
	 * Returns the groups that are set, or {@code null} if the default applies.
	 */
	@Nullable List<String> groups() {
		return NamedGroups.of(this.values);
	}

	List<String> usableProtocols() throws SSLHandshakeException {
		return Suites.usableProtocols(this.values.getProtocols(), this.values.getCipherSuites());
	}

	ClientAuth clientAuth() {
		if (this.values.getNeedClientAuth()) {
			return ClientAuth.REQUIRE;
		}
		return this.values.getWantClientAuth() ? ClientAuth.OPTIONAL : ClientAuth.NONE;
	}

	private static SSLParameters copyAll(SSLParameters source, SSLParameters target) {
		target.setApplicationProtocols(source.getApplicationProtocols());
		List<String> groups = NamedGroups.of(source);
		if (groups != null) {
			NamedGroups.set(target, groups);
		}
		return copyOptions(source, target);
	}

	/*
	 * Netty's engine takes over the mode of client authentication with every call, too.
	 */
	private static SSLParameters copyOptions(SSLParameters source, SSLParameters target) {
		if (source.getNeedClientAuth()) {
			target.setNeedClientAuth(true);
		}
		else {
			target.setWantClientAuth(source.getWantClientAuth());
		}
		target.setUseCipherSuitesOrder(source.getUseCipherSuitesOrder());
		target.setEndpointIdentificationAlgorithm(source.getEndpointIdentificationAlgorithm());
		target.setSNIMatchers(source.getSNIMatchers());
		return target;
	}

}
