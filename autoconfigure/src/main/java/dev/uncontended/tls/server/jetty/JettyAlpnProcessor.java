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

package dev.uncontended.tls.server.jetty;

import javax.net.ssl.SSLEngine;

import dev.uncontended.tls.engine.ReportingSslEngine;
import org.eclipse.jetty.alpn.java.server.JDK9ServerALPNProcessor;

/**
 * Enables ALPN in Jetty for a {@link ReportingSslEngine}. Jetty's own processor accepts
 * only SSL engines of the JDK. Jetty finds this class with
 * {@link java.util.ServiceLoader}.
 */
public final class JettyAlpnProcessor extends JDK9ServerALPNProcessor {

	@Override
	public boolean appliesTo(SSLEngine engine) {
		return engine instanceof ReportingSslEngine;
	}

}
