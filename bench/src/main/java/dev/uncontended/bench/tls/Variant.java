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

/**
 * What serves the requests of a measured application: the jars on its class path, and its
 * properties.
 */
enum Variant {

	/** HTTPS without Uncontended: what users have before they add it. */
	WITHOUT("without Uncontended", Variant.UNCONTENDED + "|" + Variant.TCNATIVE, Variant.HTTPS),

	/** HTTPS with Uncontended and no property of it, and so with the JDK's engine. */
	JDK("Uncontended, JDK's engine", Variant.TCNATIVE, Variant.HTTPS),

	/** HTTPS with Uncontended and BoringSSL. */
	BORINGSSL("Uncontended, BoringSSL", Variant.NOTHING, Variant.HTTPS, "--uncontended.ssl.engine=boringssl"),

	/** HTTPS without Uncontended; Reactor Netty takes Netty's native engine by itself. */
	NETTY("Netty's own engine", Variant.UNCONTENDED, Variant.HTTPS),

	/** HTTP without Uncontended. */
	PLAIN("HTTP, without Uncontended", Variant.UNCONTENDED + "|" + Variant.TCNATIVE),

	/**
	 * HTTP with Uncontended's JCA provider, which {@code UUID.randomUUID()} then uses.
	 */
	INSTALL("HTTP, Uncontended installed", Variant.TCNATIVE, "--uncontended.secure-random.install=true");

	private static final String UNCONTENDED = "uncontended-spring-boot-[^/]*\\.jar$|/autoconfigure/target/classes$";

	private static final String TCNATIVE = "netty-tcnative-[^/]*\\.jar$";

	private static final String NOTHING = "(?!)";

	private static final String HTTPS = "--server.ssl.bundle=bench";

	private final String label;

	private final Pattern otherJars;

	@SuppressWarnings("ImmutableEnumChecker")
	private final List<String> properties;

	Variant(String label, String otherJars, String... properties) {
		this.label = label;
		this.otherJars = Pattern.compile(otherJars);
		this.properties = List.of(properties);
	}

	static Variant of(String name) {
		return valueOf(name.toUpperCase(Locale.ROOT));
	}

	boolean isTls() {
		return this.properties.contains(HTTPS);
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

	/**
	 * Returns the properties of the application.
	 */
	List<String> properties() {
		return this.properties;
	}

	@Override
	public String toString() {
		return this.label;
	}

}
