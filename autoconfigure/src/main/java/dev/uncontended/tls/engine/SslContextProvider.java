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

import java.io.Serial;
import java.security.Provider;
import java.security.Security;
import java.util.List;
import java.util.function.Function;

import javax.net.ssl.SSLContextSpi;

import org.jspecify.annotations.Nullable;

/**
 * A security provider of SSL contexts, for servers that accept a security provider
 * instead of an SSL context. Other services, such as key manager factories, come from the
 * providers registered in the JVM.
 */
public final class SslContextProvider extends Provider {

	@Serial
	private static final long serialVersionUID = 1L;

	private final transient Function<String, ? extends SSLContextSpi> contexts;

	/**
	 * Creates a provider without registering it in the JVM.
	 * @param contexts creates an SSL context for the requested protocol, such as
	 * {@code TLS}
	 */
	public SslContextProvider(String name, Function<String, ? extends SSLContextSpi> contexts) {
		super(name, "1", "SSL contexts that report their handshakes and can end their sessions");
		this.contexts = contexts;
	}

	@Override
	public @Nullable Service getService(String type, String algorithm) {
		for (Provider provider : Security.getProviders()) {
			Service service = isOfThisKind(provider) ? null : provider.getService(type, algorithm);
			if (service != null) {
				return type.equals("SSLContext") ? new ContextService(algorithm) : service;
			}
		}
		return null;
	}

	/*
	 * Compares names, because several class loaders can load this class. Two providers of
	 * this class would call each other endlessly.
	 */
	private static boolean isOfThisKind(Provider provider) {
		return provider.getClass().getName().equals(SslContextProvider.class.getName());
	}

	private final class ContextService extends Service {

		ContextService(String algorithm) {
			super(SslContextProvider.this, "SSLContext", algorithm, RenewableSslContext.class.getName(), List.of(),
					null);
		}

		@Override
		public Object newInstance(@Nullable Object parameter) {
			return SslContextProvider.this.contexts.apply(getAlgorithm());
		}

	}

}
