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
package dev.uncontended.bench.tls;

import java.io.File;
import java.util.List;
import java.util.Locale;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * What serves the requests of a measured application: the jars on its class path, the
 * options of its JVM, and its properties.
 */
enum Variant {

	/** HTTPS without Uncontended: what users have before they add it. */
	WITHOUT("without Uncontended", List.of(Jars.UNCONTENDED, Jars.TCNATIVE, Jars.ACCP, Jars.CONSCRYPT), ""),

	/** HTTPS with Uncontended and the JDK's engine. */
	JDK("Uncontended, JDK's engine", List.of(Jars.TCNATIVE, Jars.ACCP, Jars.CONSCRYPT), "--uncontended.ssl.engine=jdk"),

	/** HTTPS with Uncontended and BoringSSL. */
	BORINGSSL("Uncontended, BoringSSL", List.of(Jars.ACCP, Jars.CONSCRYPT), "--uncontended.ssl.engine=boringssl"),

	/** HTTPS without Uncontended; Reactor Netty takes Netty's native engine by itself. */
	NETTY("Netty's own engine", List.of(Jars.UNCONTENDED, Jars.ACCP, Jars.CONSCRYPT), ""),

	/** HTTPS without Uncontended, with Amazon's provider first. */
	ACCP("JDK with ACCP", List.of(Jars.UNCONTENDED, Jars.TCNATIVE, Jars.CONSCRYPT),
			"-Dbench.provider=com.amazon.corretto.crypto.provider.AmazonCorrettoCryptoProvider"),

	/** HTTPS without Uncontended, with Conscrypt first. */
	CONSCRYPT("Conscrypt", List.of(Jars.UNCONTENDED, Jars.TCNATIVE, Jars.ACCP),
			"-Dbench.provider=org.conscrypt.OpenSSLProvider"),

	/** HTTP without Uncontended. */
	PLAIN("HTTP, without Uncontended", List.of(Jars.UNCONTENDED, Jars.TCNATIVE, Jars.ACCP, Jars.CONSCRYPT), ""),

	/**
	 * HTTP with Uncontended's JCA provider, which {@code UUID.randomUUID()} then uses.
	 */
	INSTALL("HTTP, Uncontended installed", List.of(Jars.TCNATIVE, Jars.ACCP, Jars.CONSCRYPT),
			"--uncontended.secure-random.install=true");

	private final String label;

	private final Pattern otherJars;

	private final String option;

	Variant(String label, List<String> otherJars, String option) {
		this.label = label;
		this.otherJars = Pattern.compile(String.join("|", otherJars));
		this.option = option;
	}

	static Variant of(String name) {
		return valueOf(name.toUpperCase(Locale.ROOT));
	}

	boolean isTls() {
		return this != PLAIN && this != INSTALL;
	}

	/**
	 * Returns the class path of an application.
	 * @param entries the entries for all variants
	 */
	String classPath(List<String> entries) {
		return entries.stream()
			.filter((entry) -> !this.otherJars.matcher(entry).find())
			.collect(Collectors.joining(File.pathSeparator));
	}

	List<String> jvmOptions() {
		return this.option.startsWith("-D") ? List.of(this.option) : List.of();
	}

	/**
	 * Returns the properties of the application.
	 */
	List<String> properties() {
		List<String> properties = this.option.startsWith("--") ? List.of(this.option) : List.of();
		return isTls() ? Stream.concat(Stream.of("--server.ssl.bundle=bench"), properties.stream()).toList()
				: properties;
	}

	@Override
	public String toString() {
		return this.label;
	}

	/**
	 * Entries of the class path that not all variants have.
	 */
	private static final class Jars {

		static final String UNCONTENDED = "uncontended-spring-boot-[^/]*\\.jar$|/autoconfigure/target/classes$";

		static final String TCNATIVE = "netty-tcnative-[^/]*\\.jar$";

		static final String ACCP = "AmazonCorretto[^/]*\\.jar$";

		static final String CONSCRYPT = "conscrypt-[^/]*\\.jar$";

	}

}
