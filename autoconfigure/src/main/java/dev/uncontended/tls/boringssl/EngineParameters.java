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

import dev.uncontended.tls.engine.NamedGroups;
import io.netty.handler.ssl.ClientAuth;
import org.jspecify.annotations.Nullable;

/**
 * The SSL parameters of a {@link BoringSslEngine}.
 *
 * @param values the parameters, with only protocols and cipher suites that {@link Suites}
 * supports
 * @param enabledGroups the groups that the TLS engine may use
 */
record EngineParameters(SSLParameters values, EnabledGroups enabledGroups) {

	EngineParameters(EnabledGroups enabledGroups) {
		this(new SSLParameters(Suites.CIPHER_SUITES.enabled(), Suites.PROTOCOLS.enabled()), enabledGroups);
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
						(cipherSuites != null) ? Suites.CIPHER_SUITES.retain(cipherSuites)
								: this.values.getCipherSuites(),
						(protocols != null) ? Suites.PROTOCOLS.retain(protocols) : this.values.getProtocols()),
				this.enabledGroups);
	}

	SSLParameters copy() {
		return copy(this.values, this.values.getCipherSuites(), this.values.getProtocols());
	}

	private static SSLParameters copy(SSLParameters source, String[] cipherSuites, String[] protocols) {
		SSLParameters copy = copyOptions(source, new SSLParameters(cipherSuites, protocols));
		copy.setApplicationProtocols(source.getApplicationProtocols());
		List<String> groups = NamedGroups.of(source);
		if (groups != null) {
			NamedGroups.set(copy, groups);
		}
		return copy;
	}

	/**
	 * Returns the parameters for Netty's engine. Omits the values that Netty's engine
	 * takes from its native context.
	 */
	SSLParameters forNetty() {
		SSLParameters parameters = copyOptions(this.values, new SSLParameters());
		if (groups() != null) {
			NamedGroups.set(parameters, usableGroups());
		}
		if (this.enabledGroups.configured()) {
			// BoringSSL has one order for groups and cipher suites.
			parameters.setUseCipherSuitesOrder(true);
		}
		return parameters;
	}

	@Nullable List<String> groups() {
		return NamedGroups.of(this.values);
	}

	/**
	 * Returns the enabled groups that these parameters do not exclude.
	 */
	List<String> usableGroups() {
		return this.enabledGroups.within(groups());
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
					+ ", which jdk.tls.disabledAlgorithms, jdk.tls.server.SignatureSchemes or"
					+ " jdk.tls.client.SignatureSchemes disables. Permit them, or use the JDK's engine");
		}
		List<String> protocols = Suites.usableProtocols(this.values.getProtocols(), this.values.getCipherSuites());
		if (!this.enabledGroups.requireTls13(usableGroups())) {
			return protocols;
		}
		if (!protocols.contains("TLSv1.3")) {
			throw new SSLHandshakeException("The groups " + this.enabledGroups.names()
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

	/*
	 * Without the mode of client authentication, setSSLParameters of Netty's engine would
	 * disable client authentication.
	 */
	private static SSLParameters copyOptions(SSLParameters source, SSLParameters target) {
		target.setWantClientAuth(source.getWantClientAuth());
		if (source.getNeedClientAuth()) {
			target.setNeedClientAuth(true);
		}
		target.setUseCipherSuitesOrder(source.getUseCipherSuitesOrder());
		target.setEndpointIdentificationAlgorithm(source.getEndpointIdentificationAlgorithm());
		target.setSNIMatchers(source.getSNIMatchers());
		return target;
	}

}
