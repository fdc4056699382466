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
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/**
 * A process that reads commands from its standard input, and writes answers to its
 * standard output.
 */
final class CommandProcess implements AutoCloseable {

	private final Process process;

	private final BufferedReader answers;

	CommandProcess(List<String> command) throws IOException {
		this.process = new ProcessBuilder(command).redirectError(ProcessBuilder.Redirect.INHERIT).start();
		this.answers = this.process.inputReader(StandardCharsets.US_ASCII);
	}

	void send(String command) throws IOException {
		this.process.getOutputStream().write((command + "\n").getBytes(StandardCharsets.US_ASCII));
		this.process.getOutputStream().flush();
	}

	/**
	 * Waits for a line.
	 * @param last the line
	 * @return the lines before it
	 */
	List<String> readUntil(String last) throws IOException {
		List<String> lines = new ArrayList<>();
		for (String line = this.answers.readLine(); !last.equals(line); line = this.answers.readLine()) {
			if (line == null) {
				throw new IOException("The process has ended instead of answering: " + last);
			}
			lines.add(line);
		}
		return lines;
	}

	Duration processorTime() {
		return this.process.info().totalCpuDuration().orElseThrow();
	}

	@Override
	public void close() {
		this.process.destroy();
	}

}
