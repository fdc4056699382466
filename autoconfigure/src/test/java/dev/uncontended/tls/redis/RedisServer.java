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
package dev.uncontended.tls.redis;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;

import dev.uncontended.tls.CommandLine;
import org.awaitility.Awaitility;

import org.springframework.util.FileSystemUtils;

/**
 * A {@code redis-server} on a free port of the loopback interface.
 */
public final class RedisServer implements AutoCloseable {

	/** The password of the user {@code nodes}. */
	public static final String PASSWORD = "password";

	/** Concurrent JVMs start with different ports. */
	private static final AtomicInteger nextPort = new AtomicInteger(
			(int) (ProcessHandle.current().pid() * 137 % 10_000));

	private final Path directory;

	private final int port;

	private final List<String> options;

	private Process process;

	private RedisServer(Path directory, int port, List<String> options) {
		this.directory = directory;
		this.port = port;
		this.options = options;
		start();
	}

	/**
	 * Returns whether Redis is installed.
	 */
	public static boolean isInstalled() {
		return CommandLine.isInstalled("redis-server") && CommandLine.isInstalled("redis-cli");
	}

	/**
	 * Starts a server without persistence.
	 */
	public static RedisServer create(String... options) {
		return new RedisServer(directory(), freePort(), List.of(options));
	}

	/**
	 * Starts a Sentinel that watches one server under the name {@code main}.
	 */
	public static RedisServer sentinel(RedisServer watched) throws IOException {
		Path directory = directory();
		Path configuration = directory.resolve("sentinel.conf");
		Files.writeString(configuration, "sentinel monitor main 127.0.0.1 " + watched.port() + " 1\n");
		return new RedisServer(directory, freePort(), List.of(configuration.toString(), "--sentinel"));
	}

	/**
	 * Returns a port that was free a moment ago. It is not ephemeral, so no client
	 * receives it while the server is down, and each call returns another port.
	 */
	public static int freePort() {
		// Cluster nodes also use the port plus 10,000.
		for (;;) {
			int port = 10_000 + nextPort.getAndIncrement() % 10_000;
			if (isFree(port) && isFree(port + 10_000)) {
				return port;
			}
		}
	}

	private static boolean isFree(int port) {
		try (ServerSocket socket = new ServerSocket(port, 1, InetAddress.getLoopbackAddress())) {
			return socket.isBound();
		}
		catch (IOException ex) {
			return false;
		}
	}

	private static Path directory() {
		try {
			return Files.createTempDirectory("redis");
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

	/**
	 * Starts the server again on the same port, without data.
	 */
	public void start() {
		List<String> command = new ArrayList<>(List.of("redis-server"));
		command.addAll(this.options);
		command.addAll(List.of("--bind", "127.0.0.1", "--port", Integer.toString(this.port), "--save", "",
				"--daemonize", "no", "--dir", this.directory.toString()));
		try {
			this.process = new ProcessBuilder(command).redirectErrorStream(true)
				.redirectOutput(this.directory.resolve("log").toFile())
				.start();
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
		String id = "process_id:" + this.process.pid();
		Awaitility.await()
			.failFast(() -> !this.process.isAlive())
			.until(() -> cli("info", "server").lines().anyMatch(id::equals));
	}

	/**
	 * Kills the server.
	 */
	public void kill() {
		this.process.destroyForcibly().onExit().join();
	}

	/**
	 * Creates the user {@code nodes} if there is none, and adds rights.
	 */
	void allow(List<String> rights) {
		List<String> command = new ArrayList<>(List.of("acl", "setuser", "nodes", "on", ">" + PASSWORD));
		command.addAll(rights);
		cli(command.toArray(String[]::new));
	}

	/**
	 * Runs a command and returns its output.
	 */
	public String cli(String... arguments) {
		List<String> command = new ArrayList<>(
				List.of("redis-cli", "-h", "127.0.0.1", "-p", Integer.toString(this.port)));
		command.addAll(List.of(arguments));
		try {
			return CommandLine.run("", command).strip();
		}
		catch (Exception ex) {
			throw new IllegalStateException(ex);
		}
	}

	public int port() {
		return this.port;
	}

	@Override
	public void close() {
		kill();
		try {
			FileSystemUtils.deleteRecursively(this.directory);
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

}
