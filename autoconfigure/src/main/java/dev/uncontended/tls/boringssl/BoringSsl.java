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

import java.security.KeyManagementException;
import java.security.Provider;

import javax.net.ssl.KeyManager;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLContextSpi;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.TrustManager;

import org.jspecify.annotations.Nullable;

/**
 * Entry.
 */
public final class BoringSsl {

	private BoringSsl() {
	}

	public static SSLContext createContext(String host, BoringSslSessions sessions, KeyManager @Nullable [] keyManagers,
			TrustManager @Nullable [] trustManagers) throws KeyManagementException {
		SSLContext context = new Context(new BoringSslContextSpi(host, sessions));
		context.init(keyManagers, trustManagers, null);
		return context;
	}

	public static boolean isResumed(SSLEngine engine) {
		return engine instanceof BoringSslEngine boringSsl && boringSsl.isResumed();
	}

	private static final class Context extends SSLContext {

		private static final Provider provider = new Provider("BoringSSL", "1", "BoringSSL, by way of Netty") {
			private static final long serialVersionUID = 1L;

		};

		Context(SSLContextSpi spi) {
			super(spi, provider, "TLS");
		}

	}

}
