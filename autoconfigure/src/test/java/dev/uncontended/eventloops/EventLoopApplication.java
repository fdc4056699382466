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

package dev.uncontended.eventloops;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.security.Security;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Queue;
import java.util.ServiceLoader;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.Callable;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.FutureTask;

import javax.net.ssl.SSLContext;

import dev.uncontended.autoconfigure.WithoutStores;
import dev.uncontended.integration.internal.UncontendedBlockHoundIntegration;
import dev.uncontended.random.internal.FaultyProvider;
import dev.uncontended.random.internal.FaultyProvider.Fault;
import dev.uncontended.tls.TestKeyStore;
import dev.uncontended.uuid.NameUuidFactory;
import dev.uncontended.uuid.UuidGenerator;
import reactor.blockhound.BlockHound;
import reactor.blockhound.BlockingOperationError;
import reactor.blockhound.integration.BlockHoundIntegration;
import reactor.core.scheduler.Scheduler;
import reactor.core.scheduler.Schedulers;

import org.springframework.boot.SpringBootConfiguration;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.boot.jetty.autoconfigure.reactive.JettyReactiveWebServerAutoConfiguration;
import org.springframework.boot.tomcat.autoconfigure.reactive.TomcatReactiveWebServerAutoConfiguration;
import org.springframework.context.ApplicationContext;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.web.reactive.function.server.RouterFunction;
import org.springframework.web.reactive.function.server.RouterFunctions;
import org.springframework.web.reactive.function.server.ServerResponse;

/**
 * A WebFlux application that {@link EventLoopTests} runs in a separate JVM. Prints the
 * number of blocking calls on event loops.
 */
final class EventLoopApplication {

	private static final int THREADS = 8;

	private static final Queue<Throwable> blocked = new ConcurrentLinkedQueue<>();

	private final ConfigurableApplicationContext context;

	private final SSLContext client;

	private EventLoopApplication(TestKeyStore keyStore, List<String> arguments) {
		List<String> all = new ArrayList<>(List.of("--" + WithoutStores.PROPERTY, "--server.address=127.0.0.1",
				"--server.port=0", "--server.http2.enabled=true", "--server.ssl.bundle=web",
				"--spring.ssl.bundle.jks.web.keystore.location=" + keyStore.location(),
				"--spring.ssl.bundle.jks.web.keystore.password=" + TestKeyStore.PASSWORD,
				"--spring.ssl.bundle.jks.web.key.alias=test", "--uncontended.secure-random.install=true",
				"--management.endpoints.web.exposure.include=uuid,sslsessions",
				"--management.endpoint.sslsessions.access=unrestricted"));
		all.addAll(arguments);
		this.context = new SpringApplicationBuilder(Application.class).web(WebApplicationType.REACTIVE)
			.run(all.toArray(String[]::new));
		// Lazy beans, which applications inject when they start.
		this.context.getBeansOfType(NameUuidFactory.class);
		this.client = keyStore.sslContext(keyStore);
	}

	public static void main(String[] args) {
		try {
			run(args);
			System.exit(0);
		}
		catch (Throwable ex) {
			ex.printStackTrace(System.out);
			System.exit(1);
		}
	}

	private static void run(String[] args) throws Exception {
		install(args[0].equals("load"));
		Path directory = Files.createTempDirectory("event-loops");
		Path file = directory.resolve("web.p12");
		EventLoopApplication application = new EventLoopApplication(TestKeyStore.create(file, "web.test"),
				Arrays.asList(args).subList(1, args.length));
		System.out.println("detected=" + application.detects());
		switch (args[0]) {
			case "load" -> application.load();
			case "without-integration" -> onEventLoops(1, () -> draw(application.context));
			case "failure" -> application.fail();
			default -> throw new IllegalArgumentException(args[0]);
		}
		System.out.println("blocked=" + blocked.size());
		blocked.stream().limit(10).forEach((call) -> call.printStackTrace(System.out));
		try (var files = Files.list(directory)) {
			for (Path created : files.toList()) {
				Files.delete(created);
			}
		}
		Files.delete(directory);
	}

	private static void install(boolean complete) {
		BlockHound.Builder builder = BlockHound.builder();
		ServiceLoader.load(BlockHoundIntegration.class)
			.stream()
			.filter((integration) -> complete || integration.type() != UncontendedBlockHoundIntegration.class)
			.map(ServiceLoader.Provider::get)
			.sorted()
			.forEach(builder::with);
		builder.blockingMethodCallback((method) -> {
			BlockingOperationError error = new BlockingOperationError(method);
			blocked.add(error);
			throw error;
		});
		builder.install();
	}

	private boolean detects() throws Exception {
		try {
			onEventLoops(1, () -> {
				Thread.sleep(1);
				return "";
			});
			return false;
		}
		catch (ExecutionException ex) {
			return blocked.poll() == ex.getCause();
		}
	}

	private void load() throws Exception {
		// The pools are cold, and the event loops contend for them.
		onEventLoops(THREADS, () -> {
			for (int i = 0; i < 50; i++) {
				draw(this.context);
			}
			return "";
		});
		FaultyProvider provider = new FaultyProvider();
		provider.fail(Fault.SLOW);
		Security.addProvider(provider);
		try (UuidGenerator unstarted = UuidGenerator.builder().stripes(2).build();
				UuidGenerator slow = UuidGenerator.builder()
					.algorithm(FaultyProvider.NAME)
					.stripes(1)
					.reseedInterval(Duration.ofNanos(1))
					.build()) {
			onEventLoops(THREADS, () -> {
				UUID[] ids = new UUID[100_000];
				unstarted.fill(ids);
				unstarted.fillTimeOrdered(ids);
				slow.fill(new UUID[5000]);
				return "";
			});
		}
		connect();
		System.out.println("ended=" + send(this.client, "DELETE", "/actuator/sslsessions"));
		connect();
	}

	private void connect() throws Exception {
		ExecutorService executor = Executors.newFixedThreadPool(THREADS);
		try {
			List<Future<?>> connections = new ArrayList<>();
			for (int i = 0; i < 5 * THREADS; i++) {
				connections.add(executor.submit(() -> send(this.client, "GET", "/ids")));
			}
			for (Future<?> connection : connections) {
				connection.get();
			}
		}
		finally {
			executor.shutdown();
		}
	}

	/*
	 * Uses a new connection.
	 */
	private String send(SSLContext client, String method, String path) throws Exception {
		URI uri = URI.create(
				"https://localhost:" + this.context.getEnvironment().getRequiredProperty("local.server.port") + path);
		HttpResponse<String> response = HttpClient.newBuilder()
			.sslContext(client)
			.build()
			.send(HttpRequest.newBuilder(uri).method(method, HttpRequest.BodyPublishers.noBody()).build(),
					HttpResponse.BodyHandlers.ofString());
		if (response.statusCode() != 200) {
			throw new IOException(response.statusCode() + " " + response.body());
		}
		return response.body();
	}

	/**
	 * Draws from a generator whose seed is a blocking call for BlockHound.
	 */
	private void fail() throws Exception {
		try (UuidGenerator generator = UuidGenerator.builder().stripes(1).reseedInterval(Duration.ZERO).build()) {
			Callable<Object> draw = () -> {
				UUID[] ids = new UUID[10_000];
				generator.fill(ids);
				return ids;
			};
			try {
				onEventLoops(1, draw);
			}
			catch (ExecutionException ex) {
				System.out.println("failed=" + (generator.stats().pool().refillFailures() == 1));
			}
			generator.seed();
			onEventLoops(1, draw);
			onEventLoops(1, () -> draw(this.context));
			System.out.println("drawn=" + (generator.stats().generated(4) == 10_000));
		}
	}

	private static void onEventLoops(int threads, Callable<?> action) throws Exception {
		Scheduler scheduler = Schedulers.newParallel("test", threads);
		try {
			List<FutureTask<?>> tasks = new ArrayList<>();
			for (int i = 0; i < threads; i++) {
				FutureTask<?> task = new FutureTask<>(action);
				tasks.add(task);
				scheduler.schedule(task);
			}
			for (FutureTask<?> task : tasks) {
				task.get();
			}
		}
		finally {
			scheduler.dispose();
		}
	}

	/**
	 * Creates ids of all kinds, which must differ.
	 */
	private static String draw(ApplicationContext context) {
		if (!Schedulers.isInNonBlockingThread()) {
			throw new IllegalStateException("Not on an event loop");
		}
		UuidGenerator generator = context.getBean(UuidGenerator.class);
		UUID[] random = new UUID[2000];
		UUID[] timeOrdered = new UUID[2000];
		generator.fill(random);
		generator.fillTimeOrdered(timeOrdered);
		Set<UUID> ids = ConcurrentHashMap.newKeySet();
		ids.addAll(Arrays.asList(random));
		ids.addAll(Arrays.asList(timeOrdered));
		byte[] bytes = new byte[100];
		new SecureRandom().nextBytes(bytes);
		for (int i = 0; i < 1000; i++) {
			ids.add(generator.randomUuid());
			ids.add(generator.timeOrderedUuid());
			ids.add(UUID.randomUUID());
		}
		context.getBeansOfType(NameUuidFactory.class).values().forEach((factory) -> {
			ids.add(factory.nameUuid(bytes));
			ids.add(factory.nameUuid(NameUuidFactory.DNS, "www.example.com"));
		});
		if (ids.size() != 7004) {
			throw new IllegalStateException("Duplicate ids: " + ids.size());
		}
		return "ok";
	}

	@SpringBootConfiguration(proxyBeanMethods = false)
	@EnableAutoConfiguration(
			exclude = { TomcatReactiveWebServerAutoConfiguration.class, JettyReactiveWebServerAutoConfiguration.class })
	static class Application {

		@Bean
		RouterFunction<ServerResponse> ids(ApplicationContext context) {
			return RouterFunctions.route()
				.GET("/ids", (request) -> ServerResponse.ok().bodyValue(draw(context)))
				.build();
		}

	}

}
