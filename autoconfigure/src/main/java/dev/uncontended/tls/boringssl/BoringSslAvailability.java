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
import java.lang.System.Logger.Level;
import java.util.Locale;
import java.util.regex.Pattern;

import io.netty.handler.ssl.OpenSsl;
import io.netty.internal.tcnative.SSL;
import org.jspecify.annotations.Nullable;

/**
 * Verifies that Netty's BoringSSL is available. Netty can be missing from the class path.
 */
public final class BoringSslAvailability {

	private static final String NATIVE_LIBRARY = "io.netty:netty-tcnative-boringssl-static";

	/** The title and version of netty-tcnative before 2.0.84. */
	private static final Pattern VULNERABLE = Pattern
		.compile("Netty/TomcatNative.* ([01]\\..*|2\\.0\\.([0-7]?\\d|8[0-3])(\\D.*)?)");

	private static final String PLATFORM = " with the classifier of your platform, such as 'linux-x86_64'";

	private BoringSslAvailability() {
	}

	/**
	 * Verifies that BoringSSL is available.
	 * @throws IllegalStateException if Netty has not loaded BoringSSL; the message says
	 * what the user can do
	 */
	public static void require() {
		try {
			Throwable cause = OpenSsl.unavailabilityCause();
			if (cause != null) {
				throw explain(cause);
			}
			requireBoringSsl(OpenSsl.versionString());
			Package library = SSL.class.getPackage();
			String version = library.getImplementationVersion();
			if (isVulnerable(library.getImplementationTitle() + " " + version)) {
				System.getLogger(BoringSslAvailability.class.getName())
					.log(Level.WARNING, "netty-tcnative {0} has vulnerabilities that TLS clients can exploit:"
							+ " CVE-2026-116539, CVE-2026-116541 and CVE-2026-116542. Use version 2.0.84.Final or later:"
							+ " update to Spring Boot 4.1.2 or 4.0.9, or set the build property ''netty.version'' to"
							+ " 4.2.18.Final or later.", version);
			}
		}
		catch (NoClassDefFoundError ex) {
			throw new IllegalStateException("Netty's TLS is not on the class path. Add the dependency"
					+ " io.netty:netty-handler, and " + NATIVE_LIBRARY + PLATFORM + ".", ex);
		}
	}

	static void requireBoringSsl(@Nullable String version) {
		if (!"BoringSSL".equals(version)) {
			throw new IllegalStateException("Netty has loaded '" + version + "' instead of BoringSSL. Remove other"
					+ " variants of netty-tcnative from the class path, except " + NATIVE_LIBRARY + ".");
		}
	}

	private static IllegalStateException explain(Throwable cause) {
		// Netty adds a suppressed exception for each library name that it fails to load.
		StringWriter trace = new StringWriter();
		cause.printStackTrace(new PrintWriter(trace));
		String text = trace.toString().toLowerCase(Locale.ROOT);
		String reason;
		if (cause instanceof ClassNotFoundException) {
			reason = "Netty's native library is not on the class path. Add the dependency " + NATIVE_LIBRARY + PLATFORM
					+ ", or without one for all.";
		}
		else if (text.contains("illegalcallerexception") || text.contains("illegal native access")) {
			reason = "The JVM denies native access to the class path. Start the JVM with"
					+ " '--enable-native-access=ALL-UNNAMED', or set the attribute"
					+ " 'Enable-Native-Access: ALL-UNNAMED' in the manifest of the application's jar.";
		}
		else if (text.contains("failed to map segment") || text.contains("java.io.ioexception")
				|| text.contains("java.nio.file.")) {
			reason = "Netty cannot extract its native library to a folder from which the system can load it. Make '"
					+ System.getProperty("io.netty.native.workdir", System.getProperty("java.io.tmpdir"))
					+ "' writable and executable, or set another folder with the system property"
					+ " 'io.netty.native.workdir'.";
		}
		else {
			reason = "Netty's native library for this platform (" + System.getProperty("os.name") + ", "
					+ System.getProperty("os.arch") + ") cannot be loaded: " + cause + ". Add the dependency "
					+ NATIVE_LIBRARY + " with the classifier of this platform, if there is one, in the version that"
					+ " matches Netty's; or use the engine 'jdk'.";
		}
		return new IllegalStateException(reason, cause);
	}

	/**
	 * Returns whether clients can exploit known vulnerabilities of a library.
	 */
	static boolean isVulnerable(String library) {
		return VULNERABLE.matcher(library).matches();
	}

}
