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

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

import dev.uncontended.bench.Options;
import dev.uncontended.bench.tls.ServerProcess.BootServer;

/**
 * A measured server, and what the results call it.
 *
 * @param java the version of Java, or empty
 * @param name the server
 * @param variant the name of the {@link Variant}, or what nginx uses
 * @param tls whether it serves HTTPS
 * @param server the process
 */
record Target(String java, String name, String variant, boolean tls, ServerProcess server) {

	static final String NGINX = "nginx";

	/**
	 * Starts the {@code servers} with the {@code variants} on the JDKs {@code java} that
	 * options name. nginx, if it is installed, is the first if the variants use TLS.
	 * @param options the options
	 * @param arguments the arguments of the applications
	 * @return the servers
	 * @throws IOException if a server does not start
	 */
	static List<Target> start(Options options, List<String> arguments) throws IOException {
		List<Variant> variants = options.list("variants").stream().map(Variant::of).toList();
		List<Target> targets = new ArrayList<>();
		if (variants.get(0).isTls() && ServerProcess.isInstalled(NGINX)) {
			targets.add(new Target("", NGINX, "OpenSSL", true, ServerProcess.nginx()));
		}
		for (String home : options.list("java")) {
			String java = ServerProcess.javaVersion(Path.of(home));
			for (String name : options.list("servers")) {
				BootServer server = BootServer.of(name);
				for (Variant variant : variants) {
					if (variant != Variant.NETTY || server == BootServer.NETTY) {
						targets.add(new Target(java, server.toString(), variant.name().toLowerCase(Locale.ROOT),
								variant.isTls(), ServerProcess.boot(server, variant, Path.of(home),
										ServerProcess.freePort(), arguments)));
					}
				}
			}
		}
		return targets;
	}

}
