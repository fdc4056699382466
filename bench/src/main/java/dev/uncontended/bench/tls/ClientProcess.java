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

import java.io.BufferedReader;
import java.io.File;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/**
 * The process of a {@link ConnectionClient}.
 */
final class ClientProcess implements AutoCloseable {

	private final Process process;

	private final BufferedReader results;

	private ClientProcess(Process process) {
		this.process = process;
		this.results = process.inputReader(StandardCharsets.US_ASCII);
	}

	/**
	 * Starts a client. Its young generation is large enough that collections are rare.
	 */
	static ClientProcess start() throws IOException {
		List<String> command = ServerProcess.java(ServerProcess.currentJavaHome(),
				String.join(File.pathSeparator, ServerProcess.classPath()));
		command.addAll(1, List.of("-XX:+UseSerialGC", "-Xmn256m"));
		command.add(ConnectionClient.class.getName());
		return new ClientProcess(new ProcessBuilder(command).redirectError(ProcessBuilder.Redirect.INHERIT).start());
	}

	/**
	 * Opens connections with one client after another for a while, to warm up a server.
	 */
	void warmUp(int port, String kind, int seconds) throws IOException {
		run(port, kind, 0, seconds, seconds);
	}

	/**
	 * Opens connections at a rate.
	 * @param port the port of the server
	 * @param kind the kind of connections
	 * @param rate the connections per second
	 * @param seconds the duration
	 * @param interval the seconds for which there is a result each
	 * @return the results
	 */
	List<ClientResult> run(int port, String kind, int rate, int seconds, int interval) throws IOException {
		begin(port, kind, rate, seconds, interval);
		return results();
	}

	/**
	 * Begins to open connections.
	 */
	void begin(int port, String kind, int rate, int seconds, int interval) throws IOException {
		String command = port + " " + kind + " " + rate + " " + seconds + " " + interval + "\n";
		this.process.getOutputStream().write(command.getBytes(StandardCharsets.US_ASCII));
		this.process.getOutputStream().flush();
	}

	/**
	 * Waits for the end of the connections that began.
	 */
	List<ClientResult> results() throws IOException {
		List<ClientResult> read = new ArrayList<>();
		for (String line = this.results.readLine(); !ConnectionClient.END.equals(line); line = this.results
			.readLine()) {
			if (line == null) {
				throw new IOException("The client has ended");
			}
			read.add(ClientResult.parse(line));
		}
		return read;
	}

	Duration processorTime() {
		return this.process.info().totalCpuDuration().orElseThrow();
	}

	@Override
	public void close() {
		this.process.destroy();
	}

}
