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

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;

import io.netty.handler.ssl.ReferenceCountedOpenSslContext;
import io.netty.internal.tcnative.SSLContext;
import io.netty.internal.tcnative.SSLSessionCache;

/**
 * Installs a session cache in a native context. Netty has no public API for this. This
 * class therefore reads the pointer to the native context from a protected field of
 * {@link ReferenceCountedOpenSslContext}.
 */
final class NativeAccess {

	static final String CONTEXT = "ctx";

	private NativeAccess() {
	}

	static VarHandle require(String field) {
		try {
			return MethodHandles.privateLookupIn(ReferenceCountedOpenSslContext.class, MethodHandles.lookup())
				.findVarHandle(ReferenceCountedOpenSslContext.class, field, long.class);
		}
		catch (ReflectiveOperationException ex) {
			throw new BoringSslUnavailableException("The session cache of this version of Netty cannot be replaced",
					"Use the version of Netty that Spring Boot manages.", ex);
		}
	}

	/**
	 * Replaces a native context's session cache. Must be called before the context
	 * creates an engine.
	 */
	static void setSessionCache(ReferenceCountedOpenSslContext context, SSLSessionCache cache) {
		SSLContext.setSSLSessionCache((long) require(CONTEXT).get(context), cache);
	}

}
