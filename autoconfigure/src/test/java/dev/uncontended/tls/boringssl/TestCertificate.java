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

package dev.uncontended.tls.boringssl;

import java.io.ByteArrayInputStream;
import java.security.GeneralSecurityException;
import java.security.Key;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.security.KeyStore;
import java.security.PrivateKey;
import java.security.Signature;
import java.security.cert.CertificateFactory;
import java.security.cert.X509Certificate;
import java.security.spec.AlgorithmParameterSpec;
import java.security.spec.ECGenParameterSpec;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

import javax.net.ssl.KeyManager;
import javax.net.ssl.TrustManager;
import javax.net.ssl.TrustManagerFactory;

import io.netty.pkitesting.CertificateBuilder;
import io.netty.pkitesting.CertificateBuilder.Algorithm;
import io.netty.pkitesting.X509Bundle;

/**
 * A certificate chain of any kind with its key.
 */
record TestCertificate(PrivateKey key, X509Certificate... chain) {

	private static final Map<String, KeyPair> rsaKeys = new ConcurrentHashMap<>();

	static TestCertificate issuedBy(X509Bundle issuer, String keyType, String name) {
		return issuedBy(issuer, keyType, name, builder());
	}

	static TestCertificate issuedBy(X509Bundle issuer, String keyType, String name, CertificateBuilder builder) {
		try {
			return of(
					builder.subject("CN=" + name).addSanDnsName(name).keyPair(keyPair(keyType)).buildIssuedBy(issuer));
		}
		catch (Exception ex) {
			throw new IllegalStateException(keyType, ex);
		}
	}

	static TestCertificate of(X509Bundle bundle) {
		return new TestCertificate(bundle.getKeyPair().getPrivate(), bundle.getCertificatePath());
	}

	static X509Bundle authority(String name) {
		return authority(name, Algorithm.ecp256);
	}

	static X509Bundle authority(String name, Algorithm algorithm) {
		try {
			return builder().subject("CN=" + name)
				.setIsCertificateAuthority(true)
				.algorithm(algorithm)
				.buildSelfSigned();
		}
		catch (Exception ex) {
			throw new IllegalStateException(ex);
		}
	}

	static CertificateBuilder builder() {
		Instant now = Instant.now();
		return new CertificateBuilder().notBefore(now.minus(30, ChronoUnit.DAYS))
			.notAfter(now.plus(300, ChronoUnit.DAYS));
	}

	/**
	 * Returns a key of a type such as {@code RSA:2048} or {@code EC:secp521r1}. RSA keys
	 * are reused, because creating one takes long.
	 */
	private static KeyPair keyPair(String type) throws Exception {
		KeyPair existing = rsaKeys.get(type);
		if (existing != null) {
			return existing;
		}
		KeyPair created = createKeyPair(type);
		if (type.startsWith("RSA")) {
			rsaKeys.put(type, created);
		}
		return created;
	}

	private static KeyPair createKeyPair(String type) throws Exception {
		String[] parts = type.split(":");
		KeyPairGenerator generator = KeyPairGenerator.getInstance(parts[0]);
		if (parts[0].equals("EC")) {
			AlgorithmParameterSpec curve = new ECGenParameterSpec(parts[1]);
			generator.initialize(curve);
		}
		else if (parts.length > 1) {
			generator.initialize(Integer.parseInt(parts[1]));
		}
		return generator.generateKeyPair();
	}

	/**
	 * Returns this certificate of an issuer with an RSA key, signed with another
	 * algorithm, such as {@code MD5withRSA}, which certificate builders reject.
	 */
	TestCertificate signedAgain(X509Bundle issuer, String algorithm) {
		try {
			byte[] encoded = this.chain[0].getEncoded();
			byte[] signed = this.chain[0].getTBSCertificate();
			int start = indexOf(encoded, signed, 0);
			setAlgorithm(signed, 0, algorithm);
			Signature signature = Signature.getInstance(algorithm);
			signature.initSign(issuer.getKeyPair().getPrivate());
			signature.update(signed);
			byte[] value = signature.sign();
			System.arraycopy(signed, 0, encoded, start, signed.length);
			setAlgorithm(encoded, start + signed.length, algorithm);
			System.arraycopy(value, 0, encoded, encoded.length - value.length, value.length);
			return new TestCertificate(this.key, (X509Certificate) CertificateFactory.getInstance("X.509")
				.generateCertificate(new ByteArrayInputStream(encoded)));
		}
		catch (GeneralSecurityException ex) {
			throw new IllegalStateException(ex);
		}
	}

	/*
	 * The object identifiers of PKCS #1 differ in their last byte only.
	 */
	private static void setAlgorithm(byte[] der, int from, String algorithm) {
		byte[] pkcs1 = HexFormat.of().parseHex("2a864886f70d0101");
		der[indexOf(der, pkcs1, from) + pkcs1.length] = (byte) (algorithm.equals("MD5withRSA") ? 4 : 5);
	}

	private static int indexOf(byte[] bytes, byte[] part, int from) {
		int i = from;
		while (!Arrays.equals(bytes, i, i + part.length, part, 0, part.length)) {
			i++;
		}
		return i;
	}

	TestCertificate withoutIntermediates() {
		return new TestCertificate(this.key, this.chain[0]);
	}

	KeyManager[] keyManagers() {
		return new KeyManager[] { new FixedKeyManager(this.key, this.chain) };
	}

	static KeyStore keyStore(TestCertificate... certificates) throws Exception {
		KeyStore store = emptyStore();
		for (int i = 0; i < certificates.length; i++) {
			Key key = certificates[i].key();
			store.setKeyEntry("key" + i, key, "changeit".toCharArray(), certificates[i].chain());
		}
		return store;
	}

	static TrustManager[] trustManagers(X509Certificate... trusted) {
		try {
			KeyStore store = emptyStore();
			for (X509Certificate certificate : trusted) {
				store.setCertificateEntry("trusted" + Arrays.asList(trusted).indexOf(certificate), certificate);
			}
			TrustManagerFactory factory = TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
			factory.init(store);
			return factory.getTrustManagers();
		}
		catch (Exception ex) {
			throw new IllegalStateException(ex);
		}
	}

	private static KeyStore emptyStore() throws Exception {
		KeyStore store = KeyStore.getInstance("PKCS12");
		store.load(null, null);
		return store;
	}

}
