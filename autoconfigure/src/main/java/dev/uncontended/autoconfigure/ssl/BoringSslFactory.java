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

import dev.uncontended.tls.boringssl.BoringSslAvailability;
import dev.uncontended.tls.boringssl.BoringSslSessions;
import dev.uncontended.tls.boringssl.BoringSslTlsEngine;
import dev.uncontended.tls.boringssl.BoringSslUnavailableException;
import dev.uncontended.tls.engine.TlsEngine;
import dev.uncontended.tls.session.SslSessionCache;
import dev.uncontended.tls.tickets.TicketKeys;

import org.springframework.boot.context.properties.source.InvalidConfigurationPropertyValueException;
import org.springframework.context.support.GenericApplicationContext;

/**
 * Creates the TLS engine {@code boringssl}, which uses BoringSSL through Netty. Its
 * classes are optional, so no other class of this package uses them.
 */
final class BoringSslFactory {

	private BoringSslFactory() {
	}

	static TlsEngine create(GenericApplicationContext context, SslProperties properties, SslSessionCache cache) {
		if (Boolean.TRUE.equals(properties.sessionCache().stateful())) {
			throw SslProperties.invalid("session-cache.stateful", true,
					"The TLS engine 'boringssl' keeps sessions in the clients' tickets only.");
		}
		try {
			BoringSslAvailability.require();
		}
		catch (BoringSslUnavailableException ex) {
			throw unusable("is not available: " + ex.getMessage() + ". " + ex.getAction());
		}
		BoringSslSessions sessions = ServerTls.get(context, BoringSslSessions.class, "boringSslSessions",
				() -> new BoringSslSessions(cache, context.getBean(TicketKeys.class)));
		return new BoringSslTlsEngine(sessions, properties.groups());
	}

	static InvalidConfigurationPropertyValueException unusable(String reason) {
		return SslProperties.invalid("engine", "boringssl",
				reason + " To use the JDK's engine instead, remove the property.");
	}

}
