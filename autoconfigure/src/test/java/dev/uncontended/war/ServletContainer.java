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

package dev.uncontended.war;

import java.io.File;
import java.io.IOException;
import java.lang.ref.WeakReference;
import java.net.URI;
import java.net.URL;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;

import dev.uncontended.random.UncontendedProvider;
import dev.uncontended.tls.TestKeyStore;
import org.apache.catalina.LifecycleException;
import org.apache.catalina.connector.Connector;
import org.apache.catalina.core.StandardContext;
import org.apache.catalina.startup.Constants;
import org.apache.catalina.startup.ContextConfig;
import org.apache.catalina.startup.Tomcat;
import org.apache.catalina.webresources.DirResourceSet;
import org.apache.catalina.webresources.FileResourceSet;
import org.apache.catalina.webresources.StandardRoot;
import org.apache.tomcat.util.net.SSLHostConfig;
import org.apache.tomcat.util.net.SSLHostConfigCertificate;
import org.awaitility.Awaitility;
import org.awaitility.core.ConditionTimeoutException;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * A Tomcat with TLS that {@link WarTests} runs in a separate JVM. It deploys an
 * application several times, each time with its own class loader.
 */
final class ServletContainer {

	/** The libraries of an application with Spring MVC, Actuator and BoringSSL. */
	private static final Pattern LIBRARIES = Pattern
		.compile("(spring-(boot|boot-actuator.*|boot-autoconfigure|boot-health|boot-jackson|boot-micrometer-.*"
				+ "|boot-http-converter|boot-servlet|boot-web-server|boot-webmvc|aop|beans|context|core|expression|web|webmvc)"
				+ "|jackson-.*|micrometer-.*|netty-.*|logback-.*|slf4j-.*|jspecify|commons-logging|snakeyaml"
				+ "|jakarta\\.annotation-api|HdrHistogram|LatencyUtils)-\\d.*\\.jar");

	static final String INSTALL = "--install";

	private final HttpClient client;

	private final Tomcat tomcat = new Tomcat();

	private ServletContainer(Path directory) throws LifecycleException {
		TestKeyStore keyStore = TestKeyStore.create(directory.resolve("tomcat.p12"), "localhost");
		this.client = HttpClient.newBuilder().sslContext(keyStore.sslContext(keyStore)).build();
		this.tomcat.setBaseDir(directory.toString());
		this.tomcat.setConnector(connector(keyStore));
		this.tomcat.start();
	}

	/**
	 * Deploys an application as often as the first argument says. With a second argument
	 * of {@value #INSTALL}, the container installs the drop-in. The other arguments are
	 * the application's properties.
	 */
	public static void main(String[] args) throws Exception {
		List<String> properties = new ArrayList<>(List.of(args).subList(1, args.length));
		if (properties.remove(INSTALL)) {
			UncontendedProvider.install();
		}
		ServletContainer container = new ServletContainer(Files.createTempDirectory("tomcat"));
		List<WeakReference<ClassLoader>> loaders = new ArrayList<>();
		for (int i = 0; i < Integer.parseInt(args[0]); i++) {
			loaders.add(container.deploy(properties));
		}
		// Until the next record, the JDK keeps a class of the last application.
		assertThat(new LastRecord(loaders)).hasSameHashCodeAs(new LastRecord(loaders))
			.isEqualTo(new LastRecord(loaders))
			.asString()
			.isNotEmpty();
		System.out.println("class loaders left: " + left(loaders));
		System.exit(0);
	}

	private static Connector connector(TestKeyStore keyStore) {
		SSLHostConfig host = new SSLHostConfig();
		SSLHostConfigCertificate certificate = new SSLHostConfigCertificate(host,
				SSLHostConfigCertificate.Type.UNDEFINED);
		certificate.setCertificateKeystoreFile(keyStore.location());
		certificate.setCertificateKeystorePassword(TestKeyStore.PASSWORD);
		host.addCertificate(certificate);
		Connector connector = new Connector();
		connector.setPort(0);
		connector.setScheme("https");
		connector.setSecure(true);
		connector.setProperty("address", "127.0.0.1");
		connector.setProperty("SSLEnabled", "true");
		connector.addSslHostConfig(host);
		return connector;
	}

	private WeakReference<ClassLoader> deploy(List<String> properties) throws Exception {
		StandardContext context = new StandardContext();
		context.setPath("");
		context.setDocBase(Files.createTempDirectory("war").toString());
		ContextConfig config = new ContextConfig();
		config.setDefaultWebXml(Constants.NoDefaultWebXml);
		context.addLifecycleListener(config);
		context.setParentClassLoader(new OnlyTomcat());
		StandardRoot resources = new StandardRoot(context);
		context.setResources(resources);
		for (String entry : System.getProperty("java.class.path").split(File.pathSeparator)) {
			Path path = Path.of(entry);
			if (LIBRARIES.matcher(path.getFileName().toString()).matches()) {
				resources
					.addPreResources(new FileResourceSet(resources, "/WEB-INF/lib/" + path.getFileName(), entry, "/"));
			}
			else if (entry.endsWith("/target/classes")) {
				resources.addPreResources(new DirResourceSet(resources, "/WEB-INF/classes", entry, "/"));
			}
		}
		String application = WarApplication.class.getName().replace('.', '/') + ".class";
		resources.addPreResources(new FileResourceSet(resources, "/WEB-INF/classes/" + application,
				Path.of(WarApplication.class.getResource("WarApplication.class").toURI()).toString(), "/"));
		properties.forEach((property) -> context.addParameter(property.substring(0, property.indexOf('=')),
				property.substring(property.indexOf('=') + 1)));
		this.tomcat.getHost().addChild(context);
		System.out.println("state=" + context.getState());
		System.out.println("uuid=" + send("GET", "uuid"));
		WeakReference<ClassLoader> loader = new WeakReference<>(context.getLoader().getClassLoader());
		this.tomcat.getHost().removeChild(context);
		return loader;
	}

	private String send(String method, String endpoint) throws IOException, InterruptedException {
		URI uri = URI
			.create("https://localhost:" + this.tomcat.getConnector().getLocalPort() + "/actuator/" + endpoint);
		return this.client
			.send(HttpRequest.newBuilder(uri).method(method, HttpRequest.BodyPublishers.noBody()).build(),
					BodyHandlers.ofString())
			.body();
	}

	private static long left(List<WeakReference<ClassLoader>> loaders) {
		try {
			Awaitility.await().atMost(Duration.ofSeconds(10)).pollInterval(Duration.ofSeconds(1)).until(() -> {
				System.gc();
				return loaders.stream().allMatch((loader) -> loader.refersTo(null));
			});
		}
		catch (ConditionTimeoutException ex) {
			// Prints how many are left.
		}
		return loaders.stream().filter((loader) -> !loader.refersTo(null)).count();
	}

	private record LastRecord(List<?> value) {

	}

	/**
	 * Loads Tomcat's classes, but none of the class path's libraries.
	 */
	private static final class OnlyTomcat extends ClassLoader {

		private static final Pattern PACKAGES = Pattern
			.compile("(org\\.apache\\.(catalina|coyote|juli|naming|tomcat)|jakarta\\.(servlet|el|websocket))\\..*");

		OnlyTomcat() {
			super(ClassLoader.getPlatformClassLoader());
		}

		@Override
		protected Class<?> findClass(String name) throws ClassNotFoundException {
			if (PACKAGES.matcher(name).matches()) {
				return getSystemClassLoader().loadClass(name);
			}
			throw new ClassNotFoundException(name);
		}

		@Override
		protected URL findResource(String name) {
			return PACKAGES.matcher(name.replace('/', '.')).matches() ? getSystemClassLoader().getResource(name) : null;
		}

	}

}
