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

import java.io.PrintWriter;
import java.io.StringWriter;
import java.lang.module.ModuleDescriptor.Version;
import java.util.Locale;

import io.netty.handler.ssl.OpenSsl;
import io.netty.internal.tcnative.SSL;
import org.jspecify.annotations.Nullable;

/**
 * Verifies that Netty's BoringSSL is available. Netty can be missing from the class path.
 */
public final class BoringSslAvailability {

	private static final String NATIVE_LIBRARY = "io.netty:netty-tcnative-boringssl-static";

	private static final Version WITHOUT_KNOWN_VULNERABILITIES = Version.parse("2.0.84");

	private BoringSslAvailability() {
	}

	/**
	 * Verifies that BoringSSL is available.
	 * @throws BoringSslUnavailableException if Netty has not loaded BoringSSL
	 */
	public static void require() {
		try {
			Throwable cause = OpenSsl.unavailabilityCause();
			if (cause != null) {
				throw explain(cause);
			}
			requireBoringSsl(OpenSsl.versionString());
		}
		catch (NoClassDefFoundError ex) {
			throw new BoringSslUnavailableException("Netty's TLS is not on the class path",
					"Add the dependency io.netty:netty-handler, and " + NATIVE_LIBRARY
							+ " with the classifier of your platform, such as 'linux-x86_64'.",
					ex);
		}
	}

	static void requireBoringSsl(@Nullable String version) {
		if (!"BoringSSL".equals(version)) {
			throw new BoringSslUnavailableException("Netty has loaded '" + version + "' instead of BoringSSL",
					"Remove other variants of netty-tcnative from the class path, except " + NATIVE_LIBRARY + ".",
					null);
		}
	}

	private static BoringSslUnavailableException explain(Throwable cause) {
		// Netty adds a suppressed exception for each library name that it fails to load.
		StringWriter trace = new StringWriter();
		cause.printStackTrace(new PrintWriter(trace));
		String text = trace.toString().toLowerCase(Locale.ROOT);
		if (cause instanceof ClassNotFoundException) {
			return new BoringSslUnavailableException("Netty's native library is not on the class path",
					"Add the dependency " + NATIVE_LIBRARY
							+ " with the classifier of your platform, such as 'linux-x86_64', or without one for all.",
					cause);
		}
		if (text.contains("illegalcallerexception") || text.contains("illegal native access")) {
			return new BoringSslUnavailableException("The JVM denies native access to the class path",
					"Start the JVM with '--enable-native-access=ALL-UNNAMED', or set the attribute"
							+ " 'Enable-Native-Access: ALL-UNNAMED' in the manifest of the application's jar.",
					cause);
		}
		if (text.contains("failed to map segment") || text.contains("java.io.ioexception")
				|| text.contains("java.nio.file.")) {
			return new BoringSslUnavailableException(
					"Netty cannot extract its native library to a folder from which the system can load it",
					"Make '" + System.getProperty("io.netty.native.workdir", System.getProperty("java.io.tmpdir"))
							+ "' writable and executable, or set another folder with the"
							+ " system property 'io.netty.native.workdir'.",
					cause);
		}
		return new BoringSslUnavailableException(
				"Netty's native library for this platform (%s, %s) cannot be loaded: %s"
					.formatted(System.getProperty("os.name"), System.getProperty("os.arch"), cause),
				"Add the dependency " + NATIVE_LIBRARY
						+ " with the classifier of this platform, if there is one, in the version that matches Netty's;"
						+ " or use the engine 'jdk'.",
				cause);
	}

	/**
	 * Returns the version of netty-tcnative in the manifest of its classes; {@code null}
	 * if it is unknown, as in a jar that contains several libraries.
	 */
	static @Nullable String version() {
		Package classes = SSL.class.getPackage();
		String title = classes.getImplementationTitle();
		return (title != null && title.startsWith("Netty/TomcatNative")) ? classes.getImplementationVersion() : null;
	}

	/**
	 * Returns a warning if clients can exploit known vulnerabilities of a version.
	 */
	static @Nullable String warning(@Nullable String version) {
		try {
			if (version == null || Version.parse(version).compareTo(WITHOUT_KNOWN_VULNERABILITIES) >= 0) {
				return null;
			}
		}
		catch (IllegalArgumentException ex) {
			return null;
		}
		return "netty-tcnative " + version + " has vulnerabilities that TLS clients can exploit: CVE-2026-116539,"
				+ " CVE-2026-116541 and CVE-2026-116542. Use version 2.0.84.Final or later: update to Spring Boot 4.1.2"
				+ " or 4.0.9, or set the build property 'netty.version' to 4.2.18.Final or later.";
	}

}
