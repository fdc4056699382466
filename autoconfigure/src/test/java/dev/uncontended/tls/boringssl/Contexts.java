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

import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.util.List;

import javax.net.ssl.KeyManager;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManager;
import javax.net.ssl.TrustManagerFactory;

import dev.uncontended.tls.TestKeyStore;
import dev.uncontended.tls.engine.RenewableSslContext;
import dev.uncontended.tls.engine.TlsEngine;
import dev.uncontended.tls.handshake.TlsHandshakes;
import dev.uncontended.tls.handshake.TlsServerId;

/**
 * Creates contexts from the key stores of tests.
 */
final class Contexts {

	private Contexts() {
	}

	static SSLContext create(String host, BoringSslSessions sessions, TestKeyStore key, TestKeyStore... trusted) {
		try {
			return create(new BoringSslTlsEngine(sessions, List.of()).forHost(host), keyManagers(key),
					trustManagers(trusted));
		}
		catch (GeneralSecurityException ex) {
			throw new IllegalStateException(ex);
		}
	}

	/*
	 * The context of the engine stays the same, even after an end of all sessions.
	 */
	static SSLContext create(TlsEngine engine, KeyManager[] keyManagers, TrustManager[] trustManagers)
			throws GeneralSecurityException {
		TlsEngine.Context fixed = engine.createContext("TLS", keyManagers, trustManagers, null);
		SSLContext context = new SSLContext(new RenewableSslContext((protocol, keys, trust, random) -> fixed, "TLS",
				new TlsServerId("test", TlsServerId.Context.APPLICATION), new TlsHandshakes()), null, "TLS") {
		};
		context.init(null, null, null);
		return context;
	}

	static KeyManager[] keyManagers(TestKeyStore key) throws GeneralSecurityException {
		KeyManagerFactory factory = KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
		factory.init(key.keyStore(), TestKeyStore.PASSWORD.toCharArray());
		return factory.getKeyManagers();
	}

	static TrustManager[] trustManagers(TestKeyStore... trusted) throws GeneralSecurityException {
		try {
			KeyStore store = KeyStore.getInstance("PKCS12");
			store.load(null, null);
			for (int i = 0; i < trusted.length; i++) {
				store.setCertificateEntry("trusted" + i, trusted[i].certificate());
			}
			TrustManagerFactory factory = TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
			factory.init(store);
			return factory.getTrustManagers();
		}
		catch (java.io.IOException ex) {
			throw new IllegalStateException(ex);
		}
	}

}
