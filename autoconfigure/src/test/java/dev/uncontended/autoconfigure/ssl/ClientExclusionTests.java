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

package dev.uncontended.autoconfigure.ssl;

import java.io.IOException;
import java.math.BigInteger;
import java.security.cert.X509Certificate;
import java.util.HexFormat;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

import javax.net.ssl.SSLContext;

import dev.uncontended.tls.session.SslSessionCache;
import jakarta.servlet.FilterChain;
import jakarta.servlet.ServletException;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import org.assertj.core.api.AbstractThrowableAssert;
import org.junit.jupiter.api.Test;

import org.springframework.web.filter.OncePerRequestFilter;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

/**
 * Tests for the recipe in docs/sessions.md that ends all sessions of a client.
 */
class ClientExclusionTests extends AbstractTlsServerTests {

	ClientExclusionTests() {
		super(TestServer.TOMCAT, "jdk");
	}

	@Override
	List<Class<?>> sources() {
		return List.of(ExcludedClients.class);
	}

	@Test
	void allSessionsOfExcludedClientEnd() throws Exception {
		start("--server.ssl.client-auth=need");
		// Two devices with one certificate.
		List<SSLContext> devices = List.of(first.sslContext(first), first.sslContext(first));
		for (int i = 0; i < 2; i++) {
			for (SSLContext device : devices) {
				this.clients.assertConnects(device);
			}
		}
		awaitCounts("TLSv1.3", 2, 2);
		assertThat(sessions().estimatedSize()).isEqualTo(2);
		context().getBean(ExcludedClients.class).excluded.add(first.certificate().getSerialNumber());
		for (SSLContext device : devices) {
			assertRefused(device);
		}
		awaitCounts("TLSv1.3", 2, 4);
		assertThat(sessions().estimatedSize()).isZero();
		for (SSLContext device : devices) {
			assertRefused(device);
		}
		awaitCounts("TLSv1.3", 4, 4);
	}

	private AbstractThrowableAssert<?, ?> assertRefused(SSLContext device) {
		return assertThatThrownBy(() -> this.clients.assertConnects(device)).isInstanceOf(AssertionError.class)
			.hasMessageContaining("HTTP/1.1 403");
	}

	static final class ExcludedClients extends OncePerRequestFilter {

		final Set<BigInteger> excluded = ConcurrentHashMap.newKeySet();

		private final SslSessionCache sslSessionCache;

		ExcludedClients(SslSessionCache sslSessionCache) {
			this.sslSessionCache = sslSessionCache;
		}

		@Override
		protected void doFilterInternal(HttpServletRequest request, HttpServletResponse response, FilterChain chain)
				throws ServletException, IOException {
			X509Certificate[] client = (X509Certificate[]) request
				.getAttribute("jakarta.servlet.request.X509Certificate");
			if (client == null || !this.excluded.contains(client[0].getSerialNumber())) {
				chain.doFilter(request, response);
				return;
			}
			String id = (String) request.getAttribute("jakarta.servlet.request.ssl_session_id");
			this.sslSessionCache.remove(HexFormat.of().parseHex(id));
			response.sendError(HttpServletResponse.SC_FORBIDDEN);
		}

	}

}
