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

import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Locale;
import java.util.stream.Stream;

import io.netty.handler.ssl.OpenSsl;
import org.jspecify.annotations.Nullable;

/**
 * Verifies that Netty's BoringSSL is available. Netty can be missing from the class path.
 */
public final class BoringSslAvailability {

	private static final String NATIVE_LIBRARY = "io.netty:netty-tcnative-boringssl-static";

	private BoringSslAvailability() {
	}

	/**
	 * Verifies that BoringSSL is available.
	 * @throws BoringSslUnavailableException if the library would crash on this system, if
	 * Netty has not loaded BoringSSL, or if this version of Netty is not supported
	 */
	public static void require() {
		// First, because loading an old library on musl can crash the JVM.
		requireGlibcOrMusl(Path.of("/"), NativeVersion.find());
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
		requireJdkPolicy();
	}

	static void requireGlibcOrMusl(Path root, @Nullable String version) {
		if (NativeVersion.crashesOnMusl(version) && exists(root, "lib/ld-musl-x86_64.so.1", "lib/ld-musl-aarch64.so.1")
				&& !exists(root, "lib64/ld-linux-x86-64.so.2", "lib/ld-linux-aarch64.so.1")) {
			throw new BoringSslUnavailableException(
					"netty-tcnative " + version + " crashes on systems that use musl, such as this one",
					"Use version 2.0.84.Final or later, an image with glibc, such as Debian or Ubuntu,"
							+ " or the engine 'jdk'.",
					null);
		}
	}

	/*
	 * The JDK's own TLS fails with these properties, too.
	 */
	private static void requireJdkPolicy() {
		try {
			JdkPolicy.newEngine();
		}
		catch (ExceptionInInitializerError | NoClassDefFoundError ex) {
			Throwable root = ex;
			while (root.getCause() != null) {
				root = root.getCause();
			}
			throw new BoringSslUnavailableException(
					"The JDK's properties permit no TLS handshake: " + root.getMessage(),
					"Add a group or protocol that this JDK supports to the property, such as"
							+ " 'jdk.tls.namedGroups=X25519MLKEM768,x25519'. To require post-quantum key exchanges,"
							+ " remove the property and set 'uncontended.ssl.groups=X25519MLKEM768'.",
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
		if (text.contains("noopenssl=true")) {
			return new BoringSslUnavailableException("Netty's native TLS is disabled",
					"Remove the system property 'io.netty.handler.ssl.noOpenSsl'.", cause);
		}
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
		String folder = System.getProperty("io.netty.native.workdir", System.getProperty("java.io.tmpdir"));
		if (text.contains("failed to map segment") || !isWritable(Path.of(folder))) {
			return new BoringSslUnavailableException(
					"Netty cannot extract its native library to a folder from which the system can load it",
					"Make '" + folder + "' writable and executable, or set another folder with the"
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

	/*
	 * Not all file systems report permissions reliably.
	 */
	private static boolean isWritable(Path folder) {
		try {
			Files.delete(Files.createTempFile(folder, "uncontended", ".tmp"));
			return true;
		}
		catch (IOException ex) {
			return false;
		}
	}

	private static boolean exists(Path root, String... files) {
		return Stream.of(files).map(root::resolve).anyMatch(Files::exists);
	}

}
