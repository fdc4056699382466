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

package dev.uncontended.autoconfigure.ssl;

import java.io.IOException;
import java.math.BigInteger;
import java.security.cert.X509CRL;
import java.security.cert.X509Certificate;
import java.time.Instant;
import java.util.Base64;
import java.util.Date;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

import com.sun.net.httpserver.HttpExchange;
import io.netty.pkitesting.CertificateBuilder;
import io.netty.pkitesting.X509Bundle;
import org.bouncycastle.asn1.x500.X500Name;
import org.bouncycastle.asn1.x509.CRLReason;
import org.bouncycastle.cert.X509v2CRLBuilder;
import org.bouncycastle.cert.jcajce.JcaX509CRLConverter;
import org.bouncycastle.cert.ocsp.BasicOCSPResp;
import org.bouncycastle.cert.ocsp.BasicOCSPRespBuilder;
import org.bouncycastle.cert.ocsp.CertificateStatus;
import org.bouncycastle.cert.ocsp.OCSPReq;
import org.bouncycastle.cert.ocsp.OCSPResp;
import org.bouncycastle.cert.ocsp.OCSPRespBuilder;
import org.bouncycastle.cert.ocsp.Req;
import org.bouncycastle.cert.ocsp.RespID;
import org.bouncycastle.cert.ocsp.RevokedStatus;
import org.bouncycastle.operator.ContentSigner;
import org.bouncycastle.operator.jcajce.JcaContentSignerBuilder;

/**
 * A certificate authority that publishes revocations.
 */
final class TestAuthority {

	private final X509Bundle bundle = new CertificateBuilder().subject("CN=authority")
		.setIsCertificateAuthority(true)
		.ecp256()
		.buildSelfSigned();

	private final Set<BigInteger> revoked = ConcurrentHashMap.newKeySet();

	TestAuthority() throws Exception {
	}

	X509Certificate certificate() {
		return this.bundle.getCertificate();
	}

	X509Bundle issue(String name) throws Exception {
		return new CertificateBuilder().subject("CN=" + name).ecp256().buildIssuedBy(this.bundle);
	}

	void revoke(X509Bundle certificate) {
		this.revoked.add(certificate.getCertificate().getSerialNumber());
	}

	X509CRL revocationList() throws Exception {
		X509v2CRLBuilder list = new X509v2CRLBuilder(
				X500Name.getInstance(certificate().getSubjectX500Principal().getEncoded()),
				Date.from(Instant.now().minusSeconds(60)));
		list.setNextUpdate(Date.from(Instant.now().plusSeconds(3600)));
		this.revoked.forEach((number) -> list.addCRLEntry(number, Date.from(Instant.now().minusSeconds(60)),
				CRLReason.keyCompromise));
		return new JcaX509CRLConverter().getCRL(list.build(signer()));
	}

	private ContentSigner signer() throws Exception {
		return new JcaContentSignerBuilder("SHA256withECDSA").build(this.bundle.getKeyPair().getPrivate());
	}

	/*
	 * The JDK sends short requests in the path.
	 */
	private static byte[] requestOf(HttpExchange exchange) throws IOException {
		return exchange.getRequestMethod().equals("GET")
				? Base64.getDecoder().decode(exchange.getRequestURI().getPath().substring(1))
				: exchange.getRequestBody().readAllBytes();
	}

	/**
	 * Answers an OCSP request.
	 */
	void respond(HttpExchange exchange) throws IOException {
		try (exchange) {
			OCSPReq request = new OCSPReq(requestOf(exchange));
			BasicOCSPRespBuilder statuses = new BasicOCSPRespBuilder(
					new RespID(X500Name.getInstance(certificate().getSubjectX500Principal().getEncoded())));
			for (Req single : request.getRequestList()) {
				CertificateStatus status = this.revoked.contains(single.getCertID().getSerialNumber())
						? new RevokedStatus(Date.from(Instant.now().minusSeconds(60)), CRLReason.keyCompromise)
						: CertificateStatus.GOOD;
				statuses.addResponse(single.getCertID(), status, Date.from(Instant.now().minusSeconds(60)),
						Date.from(Instant.now().plusSeconds(3600)));
			}
			BasicOCSPResp basic = statuses.build(signer(), null, new Date());
			OCSPResp response = new OCSPRespBuilder().build(OCSPRespBuilder.SUCCESSFUL, basic);
			byte[] body = response.getEncoded();
			exchange.getResponseHeaders().add("Content-Type", "application/ocsp-response");
			exchange.sendResponseHeaders(200, body.length);
			exchange.getResponseBody().write(body);
		}
		catch (Exception ex) {
			throw new IOException(ex);
		}
	}

}
