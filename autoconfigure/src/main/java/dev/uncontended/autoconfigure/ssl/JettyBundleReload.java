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

import java.lang.ref.WeakReference;

import dev.uncontended.tls.server.jetty.JettyTlsServer;
import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;
import org.jspecify.annotations.Nullable;

import org.springframework.boot.ssl.SslBundle;
import org.springframework.boot.ssl.SslBundles;
import org.springframework.boot.ssl.SslStoreBundle;
import org.springframework.boot.web.server.AbstractConfigurableWebServerFactory;
import org.springframework.boot.web.server.Ssl;
import org.springframework.util.StringUtils;

/**
 * Reloads the SSL bundle of a Jetty server when the bundle is updated, as Spring Boot
 * does for Tomcat and Reactor Netty. Reloading a bundle twice has no effect, so that
 * Spring Boot may reload the bundle as well.
 */
final class JettyBundleReload {

	private static final Log logger = LogFactory.getLog(JettyBundleReload.class);

	private JettyBundleReload() {
	}

	/**
	 * Follows the updates of the bundle that the factory's server uses, if it uses one.
	 * The handler cannot be removed, so it references the server weakly.
	 */
	static void register(AbstractConfigurableWebServerFactory factory, JettyTlsServer tls) {
		Ssl ssl = factory.getSsl();
		SslBundles bundles = factory.getSslBundles();
		if (ssl != null && bundles != null && StringUtils.hasText(ssl.getBundle())) {
			WeakReference<JettyTlsServer> reference = new WeakReference<>(tls);
			bundles.addBundleUpdateHandler(ssl.getBundle(), (bundle) -> reload(reference.get(), bundle));
		}
	}

	private static void reload(@Nullable JettyTlsServer tls, SslBundle bundle) {
		if (tls == null) {
			return;
		}
		try {
			SslStoreBundle stores = bundle.getStores();
			tls.reload((factory) -> {
				factory.setKeyStore(stores.getKeyStore());
				factory.setKeyStorePassword(stores.getKeyStorePassword());
				factory.setKeyManagerPassword(bundle.getKey().getPassword());
				factory.setCertAlias(bundle.getKey().getAlias());
				factory.setTrustStore(stores.getTrustStore());
			});
		}
		catch (RuntimeException ex) {
			logger.error("Failed to reload the SSL bundle of Jetty; the server keeps its certificate: " + ex);
			throw ex;
		}
	}

}
