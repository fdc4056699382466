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

import java.lang.module.ModuleDescriptor.Version;

import io.netty.internal.tcnative.SSL;
import org.jspecify.annotations.Nullable;

/**
 * The version of netty-tcnative, which contains BoringSSL.
 */
final class NativeVersion {

	private static final Version LOADS_ON_MUSL = Version.parse("2.0.82");

	private static final Version WITHOUT_KNOWN_VULNERABILITIES = Version.parse("2.0.84");

	private NativeVersion() {
	}

	/**
	 * Returns the version in the manifest of the library's classes. Loads no native code.
	 * @return the version; {@code null} if it is unknown, as in a jar that contains
	 * several libraries
	 */
	static @Nullable String find() {
		try {
			Package classes = SSL.class.getPackage();
			String title = classes.getImplementationTitle();
			return (title != null && title.startsWith("Netty/TomcatNative")) ? classes.getImplementationVersion()
					: null;
		}
		catch (NoClassDefFoundError ex) {
			return null;
		}
	}

	static boolean crashesOnMusl(@Nullable String version) {
		return isBefore(version, LOADS_ON_MUSL);
	}

	/**
	 * Returns a warning if clients can exploit known vulnerabilities of this version.
	 */
	static @Nullable String warning(@Nullable String version) {
		return isBefore(version, WITHOUT_KNOWN_VULNERABILITIES) ? "netty-tcnative " + version
				+ " has vulnerabilities that TLS clients can exploit: CVE-2026-116539, CVE-2026-116541 and"
				+ " CVE-2026-116542. Use version 2.0.84.Final or later: update to Spring Boot 4.1.2 or 4.0.9, or set"
				+ " the build property 'netty.version' to 4.2.18.Final or later." : null;
	}

	private static boolean isBefore(@Nullable String version, Version other) {
		try {
			return version != null && Version.parse(version).compareTo(other) < 0;
		}
		catch (IllegalArgumentException ex) {
			return false;
		}
	}

}
