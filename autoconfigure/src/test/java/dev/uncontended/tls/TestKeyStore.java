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

package dev.uncontended.tls;

import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.cert.X509Certificate;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

import javax.net.ssl.KeyManager;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManagerFactory;

/**
 * A key with a self-signed certificate for {@code localhost}, made by the JDK's
 * {@code keytool}, and a trust store for it.
 */
public final class TestKeyStore {

	/**
	 * The password of the store and of the key.
	 */
	public static final String PASSWORD = "changeit";

	private final Path path;

	private final KeyStore keyStore;

	private final KeyManager[] keyManagers;

	private TestKeyStore(Path path) throws IOException, GeneralSecurityException {
		this.path = path;
		this.keyStore = KeyStore.getInstance(path.toFile(), PASSWORD.toCharArray());
		KeyManagerFactory factory = KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
		factory.init(this.keyStore, PASSWORD.toCharArray());
		this.keyManagers = factory.getKeyManagers();
	}

	public static TestKeyStore create(Path path, String commonName) {
		run("-genkeypair", "-alias", "test", "-keyalg", "EC", "-groupname", "secp256r1", "-dname", "CN=" + commonName,
				"-ext", "san=dns:localhost,dns:" + commonName + ",ip:127.0.0.1", "-validity", "2", "-storetype",
				"PKCS12", "-storepass", PASSWORD, "-keystore", path.toString());
		try {
			TestKeyStore created = new TestKeyStore(path);
			try (OutputStream out = Files.newOutputStream(created.trustStorePath())) {
				trustStore(created).store(out, PASSWORD.toCharArray());
			}
			return created;
		}
		catch (IOException | GeneralSecurityException ex) {
			throw new IllegalStateException(ex);
		}
	}

	private static void run(String... arguments) {
		List<String> command = new ArrayList<>();
		command.add(Path.of(System.getProperty("java.home"), "bin", "keytool").toString());
		command.addAll(Arrays.asList(arguments));
		try {
			Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
			String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
			if (process.waitFor() != 0) {
				throw new IllegalStateException(output);
			}
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
			throw new IllegalStateException(ex);
		}
	}

	public String location() {
		return "file:" + this.path;
	}

	/**
	 * Return where the store is that trusts this certificate.
	 */
	public String trustStoreLocation() {
		return "file:" + trustStorePath();
	}

	private Path trustStorePath() {
		return this.path.resolveSibling(this.path.getFileName() + ".trust");
	}

	public KeyStore keyStore() {
		return this.keyStore;
	}

	public X509Certificate certificate() {
		try {
			return (X509Certificate) this.keyStore.getCertificate("test");
		}
		catch (GeneralSecurityException ex) {
			throw new IllegalStateException(ex);
		}
	}

	/**
	 * Return an SSL context that uses this key, and trusts these certificates.
	 */
	public SSLContext sslContext(TestKeyStore... trusted) {
		return sslContext("TLS", trusted);
	}

	/**
	 * Return an SSL context for this protocol that uses this key, and trusts these
	 * certificates.
	 */
	public SSLContext sslContext(String protocol, TestKeyStore... trusted) {
		try {
			TrustManagerFactory trust = TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
			trust.init(trustStore(trusted));
			SSLContext context = SSLContext.getInstance(protocol);
			context.init(this.keyManagers, trust.getTrustManagers(), null);
			return context;
		}
		catch (IOException | GeneralSecurityException ex) {
			throw new IllegalStateException(ex);
		}
	}

	private static KeyStore trustStore(TestKeyStore... trusted) throws IOException, GeneralSecurityException {
		KeyStore trustStore = KeyStore.getInstance("PKCS12");
		trustStore.load(null, null);
		for (int i = 0; i < trusted.length; i++) {
			trustStore.setCertificateEntry("trusted" + i, trusted[i].certificate());
		}
		return trustStore;
	}

}
