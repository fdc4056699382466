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
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;

import dev.uncontended.bench.Options;
import dev.uncontended.bench.Rounds;

/**
 * Measures the server's CPU time of requests on connections that stay open: large
 * responses, small ones, and responses with new UUIDs. Connections use TLS 1.3 or HTTP.
 * The client runs in this process, on the same processors.
 * <p>
 * The servers alternate in rounds. nginx, if it is installed, is measured with HTTPS. The
 * arguments have the form {@code name=value}, and all have a default:
 * <ul>
 * <li>{@code java}: homes of JDKs that run the servers
 * <li>{@code servers}: {@code tomcat,jetty,netty}
 * <li>{@code variants}: names of {@link Variant}s; the first is the baseline of ratios
 * <li>{@code paths}: {@code /bytes/8000000}, {@code /bytes/100000}, {@code /},
 * {@code /ids/COUNT}
 * <li>{@code connections}, {@code seconds} per measurement, {@code warm-up} in seconds
 * per server, {@code rounds}
 * <li>{@code results}: a file to which the raw results are appended
 * </ul>
 * Prints the table: the server's CPU time per megabyte of large responses in ms, and per
 * other response in microseconds.
 */
public final class RequestCost {

	private static final String HEADER = "path\tjava\tserver\tvariant\tround\tCPU ms/MB or us\tresponses/s\tcipher suite";

	private final Options options;

	private RequestCost(String[] args) {
		this.options = Options.parse(args,
				Map.of("java", ServerProcess.currentJavaHome().toString(), "servers", "tomcat,jetty,netty", "variants",
						"without,jdk,boringssl,netty", "paths", "/bytes/8000000,/bytes/100000", "connections", "8",
						"seconds", "3", "warm-up", "10", "rounds", "5", "results", ""));
	}

	/**
	 * Prints the table.
	 * @param args the arguments
	 * @throws Exception if a server does not start
	 */
	public static void main(String[] args) throws Exception {
		Rounds.table(new RequestCost(args).run()).forEach(System.out::println);
	}

	private List<String> run() throws Exception {
		List<String> results = new ArrayList<>(List.of(HEADER));
		int seconds = this.options.number("seconds");
		int rounds = this.options.number("rounds");
		List<Target> targets = Target.start(this.options, List.of("--server.tomcat.max-keep-alive-requests=-1"));
		try {
			for (String path : this.options.list("paths")) {
				// Servers alternate in the warm-up as well, because a server that has
				// waited for minutes is slow in its next rounds.
				for (int round = -this.options.number("warm-up") / seconds; round <= rounds; round++) {
					for (Target target : targets) {
						String row = run(target, path, seconds, round);
						System.err.println(row);
						if (round > 0) {
							results.add(row);
						}
					}
				}
			}
		}
		finally {
			targets.forEach((target) -> target.server().close());
		}
		this.options.append(results);
		return results;
	}

	/*
	 * Opens connections for each measurement, because servers close idle connections.
	 */
	private String run(Target target, String path, int seconds, int round) throws IOException, InterruptedException {
		try (KeptAliveClient client = KeptAliveClient.open(target.server().port(), target.tls(),
				this.options.number("connections"))) {
			Duration before = target.server().processorTime();
			KeptAliveClient.Result result = client.run(path, seconds);
			Duration cpu = target.server().processorTime().minus(before);
			double cost = path.startsWith("/bytes") ? cpu.toNanos() / (double) result.bytes()
					: cpu.toNanos() / 1e3 / result.responses();
			return String.join("\t", path, target.java(), target.name(), target.variant(), String.valueOf(round),
					String.format(Locale.ROOT, "%.3f", cost),
					String.valueOf(1_000_000_000L * result.responses() / result.nanos()), client.cipherSuite());
		}
	}

}
