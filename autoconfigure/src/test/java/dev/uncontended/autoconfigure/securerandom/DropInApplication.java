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

package dev.uncontended.autoconfigure.securerandom;

import java.net.InetAddress;
import java.security.KeyPairGenerator;
import java.security.ProviderException;
import java.security.SecureRandom;
import java.security.Security;
import java.security.interfaces.RSAPublicKey;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLServerSocket;
import javax.net.ssl.SSLSocket;

import dev.uncontended.actuate.UuidEndpoint;
import dev.uncontended.actuate.UuidHealthIndicator;
import dev.uncontended.autoconfigure.StartupLogAutoConfiguration;
import dev.uncontended.autoconfigure.uuid.UuidActuatorAutoConfiguration;
import dev.uncontended.autoconfigure.uuid.UuidAutoConfiguration;
import dev.uncontended.random.UncontendedProvider;
import dev.uncontended.random.prng.StrangeAesProvider;
import dev.uncontended.random.prng.StrangeAesProvider.Fault;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.netty.pkitesting.CertificateBuilder;
import io.netty.pkitesting.X509Bundle;

import org.springframework.boot.SpringApplication;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.autoconfigure.ImportAutoConfiguration;
import org.springframework.boot.micrometer.metrics.autoconfigure.MetricsAutoConfiguration;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/**
 * An application that {@link SecureRandomAutoConfigurationTests} runs in a separate JVM.
 */
@Configuration(proxyBeanMethods = false)
@ImportAutoConfiguration({ SecureRandomAutoConfiguration.class, StartupLogAutoConfiguration.class,
		UuidAutoConfiguration.class, UuidActuatorAutoConfiguration.class, MetricsAutoConfiguration.class })
class DropInApplication {

	private static final StrangeAesProvider aes = new StrangeAesProvider();

	public static void main(String[] args) throws Exception {
		List<String> arguments = Arrays.asList(args);
		if (arguments.contains("--draw-first")) {
			UUID.randomUUID();
		}
		if (arguments.contains("--install-first")) {
			UncontendedProvider.install();
		}
		SpringApplication application = new SpringApplication(DropInApplication.class);
		application.setWebApplicationType(WebApplicationType.NONE);
		if (arguments.contains("--fail=initialization")) {
			application.addInitializers((context) -> {
				UUID.randomUUID();
				System.out.println("during initialization stripes=" + UncontendedProvider.stats().stripes().size());
				throw new IllegalStateException("On purpose");
			});
		}
		if (arguments.contains("--fail=refresh")) {
			application.addInitializers((context) -> context.addBeanFactoryPostProcessor((beanFactory) -> {
				System.out.println("during start installed=" + UncontendedProvider.isInstalled());
				throw new IllegalStateException("On purpose");
			}));
		}
		if (arguments.contains("--break")) {
			Security.insertProviderAt(aes, 1);
		}
		try (ConfigurableApplicationContext context = application.run(withEndpointAvailable(args))) {
			UuidEndpoint.DropInDescriptor jdk = context.getBean(UuidEndpoint.class).uuid().dropIn();
			System.out.println("installed=" + jdk.installed() + " effective=" + jdk.effective());
			System.out.println("first=" + new SecureRandom().getProvider().getName());
			if (arguments.contains("--draw")) {
				draw(context);
			}
			if (arguments.contains("--break")) {
				breakGenerator(context);
			}
			if (arguments.contains("--use")) {
				for (Use use : Use.values()) {
					System.out.println(use + (use.check.call() ? " works" : " does not work"));
				}
			}
		}
		catch (IllegalStateException ex) {
			System.out.println("failed " + ex.getMessage());
		}
		System.out.println("after close installed=" + UncontendedProvider.isInstalled());
		System.out.println("after close health=" + new UuidHealthIndicator(Map.of()).health().getStatus());
		System.out.println("after close version=" + UUID.randomUUID().version());
	}

	private static void draw(ConfigurableApplicationContext context) {
		long before = generated(context);
		for (int i = 0; i < 1000; i++) {
			UUID.randomUUID();
		}
		UuidEndpoint.DropInDescriptor jdk = context.getBean(UuidEndpoint.class).uuid().dropIn();
		System.out.println("endpoint=" + (jdk.generated().get("random") - before) + " stripes=" + jdk.pool().stripes()
				+ " failures=" + jdk.pool().refillFailures() + " fast=" + (jdk.throughput().sinceStart() > 0));
		UuidEndpoint.DropInDescriptor alone = (UuidEndpoint.DropInDescriptor) context.getBean(UuidEndpoint.class)
			.source("dropIn");
		System.out.println("alone stripes=" + (alone.pool().perStripe().size() == alone.pool().stripes()));
		MeterRegistry registry = context.getBean(MeterRegistry.class);
		System.out.println("meter="
				+ (registry.get("uuid.generated").tags("generator", "dropIn", "version", "4").functionCounter().count()
						- before));
		System.out.println("refill failures="
				+ registry.get("uuid.pool.refill.failures").tag("generator", "dropIn").functionCounter().count());
	}

	private static void breakGenerator(ConfigurableApplicationContext context) {
		aes.fail(Fault.REFUSES_KEYS);
		try {
			// Uses up the bytes of all stripes, and then refills one.
			for (int i = 0; i < 1_000_000; i++) {
				UUID.randomUUID();
			}
		}
		catch (ProviderException ex) {
			System.out.println("failed draw: " + ex.getMessage());
		}
		UuidEndpoint.PoolDescriptor pool = context.getBean(UuidEndpoint.class).uuid().dropIn().pool();
		System.out.println("failures=" + pool.refillFailures() + " last=" + pool.lastFailure().type());
		System.out.println("health=" + new UuidHealthIndicator(Map.of()).health());
	}

	private static long generated(ConfigurableApplicationContext context) {
		return context.getBean(UuidEndpoint.class).uuid().dropIn().generated().get("random");
	}

	@Bean
	MeterRegistry meterRegistry() {
		return new SimpleMeterRegistry();
	}

	private static String[] withEndpointAvailable(String[] args) {
		String[] all = Arrays.copyOf(args, args.length + 2);
		all[args.length] = "--spring.jmx.enabled=true";
		all[args.length + 1] = "--management.endpoints.jmx.exposure.include=uuid";
		return all;
	}

	enum Use {

		RSA_KEY(() -> {
			KeyPairGenerator generator = KeyPairGenerator.getInstance("RSA");
			generator.initialize(2048);
			return ((RSAPublicKey) generator.generateKeyPair().getPublic()).getModulus().bitLength() == 2048;
		}),

		NATIVE_PRNG(() -> {
			SecureRandom random = SecureRandom.getInstance("NativePRNG");
			return !Arrays.equals(bytes(random, 32), bytes(random, 32));
		}),

		LARGE_REQUEST(() -> {
			byte[] bytes = bytes(new SecureRandom(), 1 << 20);
			return !Arrays.equals(bytes, 0, 16, bytes, bytes.length - 16, bytes.length);
		}),

		STRONG_INSTANCE(() -> !Arrays.equals(bytes(SecureRandom.getInstanceStrong(), 16), new byte[16])),

		TLS_HANDSHAKE(DropInApplication::handshake);

		private final Callable<Boolean> check;

		Use(Callable<Boolean> check) {
			this.check = check;
		}

	}

	private static boolean handshake() throws Exception {
		X509Bundle bundle = new CertificateBuilder().subject("CN=localhost")
			.addSanDnsName("localhost")
			.setIsCertificateAuthority(true)
			.buildSelfSigned();
		SSLContext server = SSLContext.getInstance("TLS");
		server.init(bundle.toKeyManagerFactory().getKeyManagers(), null, null);
		SSLContext client = SSLContext.getInstance("TLS");
		client.init(null, bundle.toTrustManagerFactory().getTrustManagers(), null);
		ExecutorService executor = Executors.newSingleThreadExecutor();
		try (SSLServerSocket listener = (SSLServerSocket) server.getServerSocketFactory()
			.createServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
			Future<Integer> received = executor.submit(() -> {
				try (SSLSocket socket = (SSLSocket) listener.accept()) {
					return socket.getInputStream().read();
				}
			});
			try (SSLSocket socket = (SSLSocket) client.getSocketFactory()
				.createSocket(InetAddress.getLoopbackAddress(), listener.getLocalPort())) {
				socket.getOutputStream().write(42);
				return received.get() == 42;
			}
		}
		finally {
			executor.shutdown();
		}
	}

	private static byte[] bytes(SecureRandom random, int size) {
		byte[] bytes = new byte[size];
		random.nextBytes(bytes);
		return bytes;
	}

}
