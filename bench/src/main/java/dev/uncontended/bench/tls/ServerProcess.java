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
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.regex.Pattern;
import java.util.stream.Stream;

import io.netty.pkitesting.CertificateBuilder;
import io.netty.pkitesting.X509Bundle;

import org.springframework.util.FileSystemUtils;

/**
 * A measured server in a process of its own, on a port of the loopback interface.
 */
public final class ServerProcess implements AutoCloseable {

	/** The name in the certificate of all servers. */
	static final String HOST = "bench.example";

	private static final String CERTIFICATE = "certificate.pem";

	private static final String KEY = "key.pem";

	/** Contains the certificate and the files of the servers, until this JVM ends. */
	static final Path DIRECTORY = createDirectory();

	private final String name;

	private final int port;

	private final Process process;

	private ServerProcess(String name, int port, Process process) {
		this.name = name;
		this.port = port;
		this.process = process;
	}

	private static Path createDirectory() {
		try {
			Path directory = Files.createTempDirectory("servers");
			Runtime.getRuntime()
				.addShutdownHook(new Thread(() -> FileSystemUtils.deleteRecursively(directory.toFile())));
			X509Bundle certificate = new CertificateBuilder().subject("CN=" + HOST)
				.addSanDnsName(HOST)
				.setIsCertificateAuthority(true)
				.ecp256()
				.buildSelfSigned();
			Files.writeString(directory.resolve(CERTIFICATE), certificate.getCertificatePEM());
			Files.writeString(directory.resolve(KEY), certificate.getPrivateKeyPEM());
			return directory;
		}
		catch (Exception ex) {
			throw new IllegalStateException("Failed to write the certificate of the servers", ex);
		}
	}

	static boolean isInstalled(String program) {
		return Stream.of(System.getenv("PATH").split(":"))
			.anyMatch((directory) -> Files.isExecutable(Path.of(directory, program)));
	}

	/**
	 * Starts nginx with HTTPS as a single process, so that its CPU time is complete.
	 */
	static ServerProcess nginx() throws IOException {
		int port = freePort();
		Path prefix = nginxPrefix("""
				listen 127.0.0.1:%d ssl;
				ssl_certificate ../%s;
				ssl_certificate_key ../%s;
				ssl_protocols TLSv1.3;
				keepalive_requests 1000000000;
				keepalive_timeout 1h;
				root .;
				location = / { return 200 "%s"; }
				""".formatted(port, CERTIFICATE, KEY, MeasuredApplication.BODY));
		Path bytes = Files.createDirectory(prefix.resolve("bytes"));
		for (int size : MeasuredApplication.SIZES) {
			Files.write(bytes.resolve(String.valueOf(size)), new byte[size]);
		}
		return startNginx(port, prefix);
	}

	/**
	 * Starts nginx with HTTP, as a proxy that opens a connection for each request and
	 * resumes TLS sessions.
	 * @param server the port of the server behind it
	 * @param protocol the version of TLS
	 */
	static ServerProcess nginxProxy(int server, String protocol) throws IOException {
		int port = freePort();
		return startNginx(port, nginxPrefix("""
				listen 127.0.0.1:%d;
				location / {
					proxy_pass https://127.0.0.1:%d;
					proxy_set_header Host %s;
					proxy_ssl_server_name on;
					proxy_ssl_name %s;
					proxy_ssl_protocols %s;
					proxy_ssl_session_reuse on;
				}
				""".formatted(port, server, HOST, HOST, protocol)));
	}

	private static Path nginxPrefix(String server) throws IOException {
		Path prefix = Files.createTempDirectory(DIRECTORY, "nginx");
		Files.writeString(prefix.resolve("nginx.conf"), """
				daemon off;
				master_process off;
				pid nginx.pid;
				worker_rlimit_nofile 20000;
				events { worker_connections 16384; }
				http {
					access_log off;
					client_body_temp_path body;
					fastcgi_temp_path fastcgi;
					proxy_temp_path proxy;
					scgi_temp_path scgi;
					uwsgi_temp_path uwsgi;
					server {
				%s
					}
				}
				""".formatted(server));
		return prefix;
	}

	private static ServerProcess startNginx(int port, Path prefix) throws IOException {
		return start("nginx", port, List.of("nginx", "-p", prefix + "/", "-c", "nginx.conf", "-e", "stderr"));
	}

	/**
	 * Starts Redis without persistence.
	 * @return the server, which accepts connections
	 * @throws IOException if it does not start
	 */
	public static ServerProcess redis() throws IOException {
		int port = freePort();
		return start("redis-server", port, List.of("redis-server", "--bind", "127.0.0.1", "--port",
				String.valueOf(port), "--save", "", "--appendonly", "no", "--dir", DIRECTORY.toString()));
	}

	/**
	 * Starts the measured application.
	 * @param server the server
	 * @param variant what serves the requests
	 * @param javaHome the JDK that runs it
	 * @param port the port
	 * @param arguments options of the JVM, which begin with {@code -X}, and properties of
	 * the application
	 */
	static ServerProcess boot(BootServer server, Variant variant, Path javaHome, int port, List<String> arguments)
			throws IOException {
		List<String> command = java(javaHome, variant.classPath(server.classPath()));
		command.add(MeasuredApplication.class.getName());
		addArguments(command, variant, port, arguments);
		return start(server + ", " + variant, port, command);
	}

	/**
	 * Adds the options of the JVM and the properties of a measured application.
	 */
	static void addArguments(List<String> command, Variant variant, int port, List<String> arguments) {
		command.addAll(1, arguments.stream().filter((argument) -> argument.startsWith("-X")).toList());
		command.addAll(List.of("--server.address=127.0.0.1", "--server.port=" + port, "--spring.main.banner-mode=off",
				"--logging.level.root=warn",
				"--spring.ssl.bundle.pem.bench.keystore.certificate=" + DIRECTORY.resolve(CERTIFICATE),
				"--spring.ssl.bundle.pem.bench.keystore.private-key=" + DIRECTORY.resolve(KEY)));
		command.addAll(variant.properties());
		command.addAll(arguments.stream().filter((argument) -> argument.startsWith("--")).toList());
	}

	/**
	 * Returns the beginning of a command that runs a main class.
	 */
	static List<String> java(Path javaHome, String classPath) throws IOException {
		List<String> command = new ArrayList<>(List.of(javaHome.resolve(Path.of("bin", "java")).toString()));
		if (Integer.parseInt(javaVersion(javaHome)) >= 24) {
			command.add("--enable-native-access=ALL-UNNAMED");
		}
		command.addAll(List.of("-cp", classPath));
		return command;
	}

	/**
	 * Returns the feature version of a JDK.
	 */
	static String javaVersion(Path javaHome) throws IOException {
		try (Stream<String> lines = Files.lines(javaHome.resolve("release"))) {
			return lines.filter((line) -> line.startsWith("JAVA_VERSION="))
				.map((line) -> line.replaceAll("JAVA_VERSION=\"(\\d+).*", "$1"))
				.findFirst()
				.orElseThrow(() -> new IllegalStateException(javaHome + " is no JDK"));
		}
	}

	static Path currentJavaHome() {
		return Path.of(System.getProperty("java.home"));
	}

	/**
	 * Returns the class path of the module, which the build writes.
	 */
	static List<String> classPath() throws IOException {
		Path target = target();
		List<String> classPath = new ArrayList<>(List.of(target.resolve("classes").toString()));
		classPath
			.addAll(List.of(Files.readString(target.resolve("servers.classpath")).strip().split(File.pathSeparator)));
		return classPath;
	}

	/**
	 * Returns the root of the repository.
	 */
	static Path repository() {
		return target().resolve(Path.of("..", "..")).normalize();
	}

	private static Path target() {
		try {
			return Path.of(ServerProcess.class.getProtectionDomain().getCodeSource().getLocation().toURI())
				.resolveSibling("");
		}
		catch (URISyntaxException ex) {
			throw new IllegalStateException(ex);
		}
	}

	/**
	 * Returns a port that clients do not use, so that a server can use it again after a
	 * restart.
	 */
	static int freePort() throws IOException {
		for (int port = 20_000 + (int) (ProcessHandle.current().pid() * 37 % 10_000);; port++) {
			try (ServerSocket socket = new ServerSocket(port, 1, InetAddress.getLoopbackAddress())) {
				return socket.getLocalPort();
			}
			catch (IOException ex) {
				if (port == 32_000) {
					throw ex;
				}
			}
		}
	}

	private static ServerProcess start(String name, int port, List<String> command) throws IOException {
		Path log = Files.createTempFile("server", ".log");
		try {
			ServerProcess server = new ServerProcess(name, port,
					new ProcessBuilder(command).redirectErrorStream(true).redirectOutput(log.toFile()).start());
			Runtime.getRuntime().addShutdownHook(new Thread(server.process::destroy));
			server.awaitStart(log);
			return server;
		}
		finally {
			// The server keeps the file open.
			Files.delete(log);
		}
	}

	private void awaitStart(Path log) throws IOException {
		IOException failure = null;
		for (int attempt = 1; this.process.isAlive() && attempt < 600; attempt++) {
			try (Socket socket = new Socket()) {
				socket.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), this.port));
				return;
			}
			catch (IOException ex) {
				failure = ex;
				LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(100));
			}
		}
		this.process.destroy();
		throw new IOException(this.name + " does not start: " + Files.readString(log), failure);
	}

	/**
	 * Returns the port.
	 * @return the port
	 */
	public int port() {
		return this.port;
	}

	long pid() {
		return this.process.pid();
	}

	Duration processorTime() {
		return this.process.info().totalCpuDuration().orElseThrow();
	}

	/**
	 * Stops the server, and waits for its end.
	 */
	@Override
	public void close() {
		this.process.destroy();
		this.process.onExit().join();
	}

	/**
	 * A server of Spring Boot. Its class path has no other server.
	 */
	enum BootServer {

		TOMCAT("Tomcat", "jetty", BootServer.REACTIVE, BootServer.REDIS, BootServer.ACTUATOR),

		TOMCAT_WITH_ACTUATOR("Tomcat", "jetty", BootServer.REACTIVE, BootServer.REDIS),

		/** With Redis, through which nodes share ticket keys. */
		TOMCAT_WITH_REDIS("Tomcat", "jetty", BootServer.REACTIVE, BootServer.ACTUATOR),

		JETTY("Jetty", "tomcat-embed-(core|websocket)|spring-boot-tomcat", BootServer.REACTIVE, BootServer.REDIS,
				BootServer.ACTUATOR),

		NETTY("Reactor Netty", "tomcat|jetty|webmvc|servlet", BootServer.REDIS, BootServer.ACTUATOR);

		private static final String REACTIVE = "webflux|reactor-netty|spring-boot-netty|netty-codec-http3?-";

		private static final String REDIS = "redis|lettuce";

		private static final String ACTUATOR = "actuator|boot-health|boot-micrometer|micrometer-(core|jakarta9)|HdrHistogram|LatencyUtils";

		private final String name;

		private final String otherJars;

		BootServer(String name, String... otherJars) {
			this.name = name;
			this.otherJars = "/[^/]*(" + String.join("|", otherJars) + ")[^/]*\\.jar$";
		}

		static BootServer of(String name) {
			return valueOf(name.toUpperCase(Locale.ROOT));
		}

		List<String> classPath() throws IOException {
			Pattern other = Pattern.compile(this.otherJars);
			return ServerProcess.classPath().stream().filter((entry) -> !other.matcher(entry).find()).toList();
		}

		/**
		 * Returns the class path without directories, of which the JVM makes no archive.
		 */
		List<String> jars() throws IOException {
			List<String> jars = new ArrayList<>(classPath());
			jars.set(0, target().resolve("original-benchmarks.jar").toString());
			return jars;
		}

		@Override
		public String toString() {
			return this.name;
		}

	}

}
