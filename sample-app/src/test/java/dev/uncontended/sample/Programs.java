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
package dev.uncontended.sample;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.BindException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

import org.awaitility.Awaitility;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Programs started by a test, which are ended with it.
 */
public final class Programs implements AutoCloseable {

	/** Concurrent JVMs start with different ports. */
	private static final AtomicInteger nextPort = new AtomicInteger(
			(int) (ProcessHandle.current().pid() * 137 % 20_000));

	private final Path logs;

	private final Map<Process, Path> running = new LinkedHashMap<>();

	Programs(Path logs) {
		this.logs = logs;
	}

	static boolean areInstalled(String... programs) {
		List<String> path = List.of(System.getenv().getOrDefault("PATH", "").split(":"));
		return Arrays.stream(programs)
			.allMatch((program) -> path.stream()
				.anyMatch((directory) -> Files.isExecutable(Path.of(directory, program))));
	}

	/**
	 * Returns a port of the loopback interface that was free a moment ago. It is not
	 * ephemeral, so no client receives it while a program is down, and each call returns
	 * another port.
	 */
	public static int freePort() {
		while (true) {
			int port = 10_000 + nextPort.getAndIncrement() % 20_000;
			try (ServerSocket socket = new ServerSocket(port, 1, InetAddress.getLoopbackAddress())) {
				return socket.getLocalPort();
			}
			catch (BindException ex) {
				// The port is in use.
			}
			catch (IOException ex) {
				throw new UncheckedIOException(ex);
			}
		}
	}

	/**
	 * Starts a program and waits until it listens on a port.
	 */
	Process start(int port, String... command) throws IOException {
		Process process = launch(port, Map.of(), command);
		await(process, port);
		return process;
	}

	/**
	 * Starts a main class or a source file with this JVM's Java, and waits until it
	 * listens on a port.
	 */
	Process startJava(int port, String... arguments) throws IOException {
		Process process = launchJava(port, Map.of(), arguments);
		await(process, port);
		return process;
	}

	/**
	 * Starts a main class or a source file with this JVM's Java.
	 */
	Process launchJava(int port, Map<String, String> environment, String... arguments) throws IOException {
		List<String> command = new ArrayList<>();
		command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
		command.addAll(List.of(arguments));
		return launch(port, environment, command.toArray(String[]::new));
	}

	private Process launch(int port, Map<String, String> environment, String... command) throws IOException {
		Path log = this.logs.resolve(Path.of(command[0]).getFileName() + "-" + port + ".log");
		ProcessBuilder builder = new ProcessBuilder(command).redirectErrorStream(true)
			.redirectOutput(ProcessBuilder.Redirect.appendTo(log.toFile()));
		builder.environment().putAll(environment);
		Process process = builder.start();
		this.running.put(process, log);
		return process;
	}

	/**
	 * Waits until a program listens on a port.
	 */
	void await(Process process, int port) {
		Path log = this.running.get(process);
		Awaitility.await()
			.atMost(Duration.ofMinutes(2))
			.failFast(() -> assertThat(process.isAlive()).as(Files.readString(log)).isTrue())
			.until(() -> isListening(port));
	}

	/**
	 * Writes a line to a program and waits until its output contains the answer.
	 */
	void tell(Process process, String line, String answer) throws IOException {
		process.getOutputStream().write((line + "\n").getBytes(StandardCharsets.US_ASCII));
		process.getOutputStream().flush();
		Awaitility.await()
			.atMost(Duration.ofMinutes(2))
			.until(() -> Files.readString(this.running.get(process)).contains(answer));
	}

	private static boolean isListening(int port) {
		try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), port)) {
			return socket.isConnected();
		}
		catch (IOException ex) {
			return false;
		}
	}

	/**
	 * Runs a program to its end and returns its output.
	 */
	static String run(String input, String... command) throws IOException, InterruptedException {
		Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
		process.getOutputStream().write(input.getBytes(StandardCharsets.US_ASCII));
		process.getOutputStream().close();
		String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.ISO_8859_1);
		if (!process.waitFor(60, TimeUnit.SECONDS)) {
			process.destroyForcibly();
		}
		return output;
	}

	static void end(Process process) {
		process.destroyForcibly();
		try {
			process.waitFor(60, TimeUnit.SECONDS);
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
		}
	}

	@Override
	public void close() {
		this.running.keySet().forEach(Programs::end);
	}

}
