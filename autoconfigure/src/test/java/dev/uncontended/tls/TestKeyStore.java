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
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.cert.X509Certificate;
import java.util.List;
import java.util.function.UnaryOperator;

import javax.net.ssl.KeyManager;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManagerFactory;

import io.netty.pkitesting.CertificateBuilder;
import io.netty.pkitesting.X509Bundle;

/**
 * A key with a self-signed certificate for {@code localhost}, and a trust store for it.
 */
public final class TestKeyStore {

	/**
	 * The password of the store and of the key.
	 */
	public static final String PASSWORD = "changeit";

	static {
		// Each start of a server decrypts its stores.
		for (String part : List.of("certPbe", "keyPbe", "mac")) {
			System.setProperty("keystore.pkcs12." + part + "IterationCount", "1");
		}
	}

	private final Path path;

	private final KeyStore keyStore;

	private final KeyManager[] keyManagers;

	private TestKeyStore(Path path, KeyStore keyStore) throws GeneralSecurityException {
		this.path = path;
		this.keyStore = keyStore;
		KeyManagerFactory factory = KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
		factory.init(this.keyStore, PASSWORD.toCharArray());
		this.keyManagers = factory.getKeyManagers();
	}

	public static TestKeyStore create(Path path, String commonName) {
		return create(path, commonName, CertificateBuilder::ecp256);
	}

	public static TestKeyStore create(Path path, String commonName, UnaryOperator<CertificateBuilder> options) {
		try {
			X509Bundle certificate = options
				.apply(new CertificateBuilder().subject("CN=" + commonName)
					.addSanDnsName("localhost")
					.addSanDnsName(commonName)
					.addSanIpAddress("127.0.0.1")
					.setIsCertificateAuthority(true))
				.buildSelfSigned();
			KeyStore keyStore = emptyStore();
			keyStore.setKeyEntry("test", certificate.getKeyPair().getPrivate(), PASSWORD.toCharArray(),
					certificate.getCertificatePath());
			TestKeyStore created = new TestKeyStore(path, keyStore);
			store(keyStore, path);
			store(trustStore(created), created.trustStorePath());
			return created;
		}
		catch (Exception ex) {
			throw new IllegalStateException(ex);
		}
	}

	public static void store(KeyStore keyStore, Path path) throws IOException, GeneralSecurityException {
		try (OutputStream out = Files.newOutputStream(path)) {
			keyStore.store(out, PASSWORD.toCharArray());
		}
	}

	/**
	 * Returns a key store with this key and the certificate of another one.
	 */
	public KeyStore withCertificateOf(TestKeyStore other) throws IOException, GeneralSecurityException {
		KeyStore mixed = emptyStore();
		mixed.setKeyEntry("test", this.keyStore.getKey("test", PASSWORD.toCharArray()), PASSWORD.toCharArray(),
				new X509Certificate[] { other.certificate() });
		return mixed;
	}

	public String location() {
		return "file:" + this.path;
	}

	/**
	 * Returns the location of a trust store with this certificate.
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
	 * Returns an SSL context that uses this key and trusts the given certificates.
	 */
	public SSLContext sslContext(TestKeyStore... trusted) {
		return sslContext("TLS", trusted);
	}

	/**
	 * Returns an SSL context for the given protocol that uses this key and trusts the
	 * given certificates.
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
		KeyStore trustStore = emptyStore();
		for (int i = 0; i < trusted.length; i++) {
			trustStore.setCertificateEntry("trusted" + i, trusted[i].certificate());
		}
		return trustStore;
	}

	public static KeyStore emptyStore() throws IOException, GeneralSecurityException {
		KeyStore keyStore = KeyStore.getInstance("PKCS12");
		keyStore.load(null, null);
		return keyStore;
	}

}
