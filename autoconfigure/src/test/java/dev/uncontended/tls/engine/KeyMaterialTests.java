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

package dev.uncontended.tls.engine;

import java.security.KeyManagementException;
import java.security.KeyStore;
import java.security.PrivateKey;
import java.security.Provider;
import java.security.ProviderException;
import java.security.PublicKey;
import java.security.Security;
import java.security.SignatureSpi;
import java.security.cert.X509Certificate;

import javax.net.ssl.KeyManager;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.X509ExtendedKeyManager;
import javax.net.ssl.X509KeyManager;

import dev.uncontended.tls.TestKeyStore;
import io.netty.pkitesting.CertificateBuilder;
import io.netty.pkitesting.CertificateBuilder.Algorithm;
import io.netty.pkitesting.X509Bundle;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.mockito.ArgumentMatchers.any;
import static org.mockito.BDDMockito.given;
import static org.mockito.Mockito.mock;

/**
 * Tests for {@link KeyMaterial}.
 */
class KeyMaterialTests {

	private static final char[] PASSWORD = TestKeyStore.PASSWORD.toCharArray();

	private static X509Bundle ecKey;

	private static X509Bundle otherEcKey;

	private static X509Bundle rsaKey;

	@BeforeAll
	static void createCertificates() throws Exception {
		ecKey = bundle(Algorithm.ecp256);
		otherEcKey = bundle(Algorithm.ecp256);
		rsaKey = bundle(Algorithm.rsa2048);
	}

	private static X509Bundle bundle(Algorithm algorithm) throws Exception {
		return new CertificateBuilder().subject("CN=localhost")
			.algorithm(algorithm)
			.setIsCertificateAuthority(true)
			.buildSelfSigned();
	}

	@ParameterizedTest
	@EnumSource(names = { "ecp256", "ecp384", "rsa2048", "ed25519", "ed448" })
	void acceptsKeyOfCertificate(Algorithm algorithm) throws Exception {
		X509Bundle bundle = bundle(algorithm);
		KeyMaterial.verify(keyManagers(bundle.getKeyPair().getPrivate(), bundle));
	}

	@Test
	void refusesKeyOfOtherCertificate() {
		assertRefused(otherEcKey, ecKey);
		assertRefused(rsaKey, ecKey);
		assertRefused(ecKey, rsaKey);
	}

	private static void assertRefused(X509Bundle key, X509Bundle certificate) {
		assertThatExceptionOfType(KeyManagementException.class)
			.isThrownBy(() -> KeyMaterial.verify(keyManagers(key.getKeyPair().getPrivate(), certificate)))
			.withMessageContaining("does not belong to the certificate of CN=localhost");
	}

	@ParameterizedTest
	@ValueSource(strings = { "SunX509", "NewSunX509" })
	void refusesOneOfSeveralKeys(String algorithm) throws Exception {
		KeyStore store = TestKeyStore.emptyStore();
		store.setKeyEntry("first", rsaKey.getKeyPair().getPrivate(), PASSWORD, rsaKey.getCertificatePath());
		store.setKeyEntry("second", otherEcKey.getKeyPair().getPrivate(), PASSWORD, ecKey.getCertificatePath());
		KeyManagerFactory factory = KeyManagerFactory.getInstance(algorithm);
		factory.init(store, PASSWORD);
		assertThatExceptionOfType(KeyManagementException.class)
			.isThrownBy(() -> KeyMaterial.verify(factory.getKeyManagers()));
	}

	@Test
	void acceptsKeyManagersThatDoNotAnswer() {
		X509ExtendedKeyManager failing = mock(X509ExtendedKeyManager.class, (call) -> {
			throw new UnsupportedOperationException("of the test");
		});
		X509KeyManager silent = mock(X509KeyManager.class);
		X509ExtendedKeyManager empty = mock(X509ExtendedKeyManager.class);
		given(empty.chooseEngineServerAlias(any(), any(), any())).willReturn("alias");
		for (KeyManager manager : new KeyManager[] { failing, silent, empty, mock(KeyManager.class) }) {
			assertThatCode(() -> KeyMaterial.verify(new KeyManager[] { manager })).doesNotThrowAnyException();
		}
		assertThatCode(() -> KeyMaterial.verify(null)).doesNotThrowAnyException();
	}

	/*
	 * Such as keys in hardware that sign only what TLS 1.3 needs.
	 */
	@Test
	void acceptsKeyThatFailsToSign() throws Exception {
		PrivateKey key = mock(PrivateKey.class);
		given(key.getAlgorithm()).willReturn("EC");
		KeyMaterial.verify(keyManagers(key, ecKey));
		Provider provider = new Provider("Hardware", "1", "of the test") {
		};
		provider.put("Signature.SHA256withECDSA", FailingSignature.class.getName());
		Security.addProvider(provider);
		try {
			KeyMaterial.verify(keyManagers(key, ecKey));
		}
		finally {
			Security.removeProvider("Hardware");
		}
	}

	private static KeyManager[] keyManagers(PrivateKey key, X509Bundle certificate) {
		X509ExtendedKeyManager manager = mock(X509ExtendedKeyManager.class);
		X509Certificate[] chain = certificate.getCertificatePath();
		given(manager.chooseEngineServerAlias(any(), any(), any()))
			.willAnswer((call) -> chain[0].getPublicKey().getAlgorithm().equals(call.getArgument(0)) ? "key" : null);
		given(manager.getCertificateChain("key")).willReturn(chain);
		given(manager.getPrivateKey("key")).willReturn(key);
		return new KeyManager[] { manager };
	}

	/**
	 * Signs nothing.
	 */
	public static final class FailingSignature extends SignatureSpi {

		@Override
		protected void engineInitVerify(PublicKey publicKey) {
		}

		@Override
		protected void engineInitSign(PrivateKey privateKey) {
		}

		@Override
		protected void engineUpdate(byte b) {
		}

		@Override
		protected void engineUpdate(byte[] bytes, int offset, int length) {
		}

		@Override
		protected byte[] engineSign() {
			throw new ProviderException("of the test");
		}

		@Override
		protected boolean engineVerify(byte[] signature) {
			return false;
		}

		@Override
		@Deprecated
		protected void engineSetParameter(String name, Object value) {
		}

		@Override
		@Deprecated
		protected Object engineGetParameter(String name) {
			return null;
		}

	}

}
