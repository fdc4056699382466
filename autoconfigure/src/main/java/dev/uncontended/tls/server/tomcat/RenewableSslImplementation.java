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

package dev.uncontended.tls.server.tomcat;

import java.util.List;

import javax.net.ssl.SSLSessionContext;

import dev.uncontended.tls.engine.RenewableSslContext;
import org.apache.tomcat.util.net.SSLContext;
import org.apache.tomcat.util.net.SSLHostConfig.CertificateVerification;
import org.apache.tomcat.util.net.SSLHostConfigCertificate;
import org.apache.tomcat.util.net.SSLUtil;
import org.apache.tomcat.util.net.jsse.JSSEImplementation;
import org.apache.tomcat.util.net.jsse.JSSEUtil;
import org.jspecify.annotations.Nullable;

/**
 * Extends Tomcat's JSSE implementation to use SSL contexts created by a
 * {@link TomcatTlsServer}. Tomcat creates an instance for each connector.
 */
public final class RenewableSslImplementation extends JSSEImplementation {

	// Kept, because the lookup fails for virtual hosts added after the connector's start.
	private volatile @Nullable TomcatTlsServer connector;

	@Override
	public SSLUtil getSSLUtil(SSLHostConfigCertificate certificate) {
		TomcatTlsServer connector = this.connector;
		if (connector == null) {
			connector = TomcatTlsServer.of(certificate.getSSLHostConfig());
			this.connector = connector;
		}
		return (connector != null) ? new RenewableSslUtil(certificate, connector) : super.getSSLUtil(certificate);
	}

	private static final class RenewableSslUtil extends JSSEUtil {

		private final TomcatTlsServer connector;

		RenewableSslUtil(SSLHostConfigCertificate certificate, TomcatTlsServer connector) {
			super(certificate);
			this.connector = connector;
		}

		@Override
		public SSLContext createSSLContextInternal(List<String> negotiableProtocols) {
			RenewableSslContext context = this.connector.createContext(this.sslHostConfig);
			context.setApplicationProtocols(negotiableProtocols);
			return new TomcatSslContext(context, this,
					this.sslHostConfig.getCertificateVerification() != CertificateVerification.NONE);
		}

		@Override
		public void configureSessionContext(@Nullable SSLSessionContext sessions) {
			if (sessions != null) {
				super.configureSessionContext(sessions);
			}
		}

	}

}
