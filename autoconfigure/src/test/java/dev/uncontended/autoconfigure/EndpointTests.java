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

package dev.uncontended.autoconfigure;

import java.lang.management.ManagementFactory;
import java.time.Instant;
import java.util.UUID;

import javax.management.MBeanServer;
import javax.management.ObjectName;

import dev.uncontended.actuate.SslSessionsEndpoint;
import dev.uncontended.actuate.UuidEndpoint;
import dev.uncontended.uuid.NameUuidFactory;
import dev.uncontended.uuid.UuidGenerator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.SpringBootConfiguration;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.boot.test.context.runner.WebApplicationContextRunner;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.boot.webmvc.test.autoconfigure.AutoConfigureMockMvc;
import org.springframework.http.HttpStatus;
import org.springframework.test.web.servlet.assertj.MockMvcTester;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for {@link UuidEndpoint} and {@link SslSessionsEndpoint} as an application
 * exposes them.
 */
@SpringBootTest(properties = { WithoutStores.PROPERTY, "management.endpoints.web.exposure.include=uuid,sslsessions",
		"uncontended.uuid.random.stripes=2" })
@AutoConfigureMockMvc
class EndpointTests {

	private final WebApplicationContextRunner contextRunner = new WebApplicationContextRunner()
		.withUserConfiguration(Application.class)
		.withPropertyValues(WithoutStores.PROPERTY);

	@Autowired
	private MockMvcTester mvc;

	@Autowired
	private UuidGenerator generator;

	@Autowired
	private NameUuidFactory md5NameUuidFactory;

	@Test
	void uuidIsReadAsJson() {
		this.md5NameUuidFactory.nameUuid(new byte[0]);
		UUID[] ids = new UUID[1000];
		long random = this.generator.stats().generated(4);
		this.generator.fill(ids);
		assertThat(this.mvc.get().uri("/actuator/uuid")).hasStatusOk().bodyJson().satisfies((json) -> {
			json.assertThat()
				.extractingPath("$.throughput")
				.asMap()
				.containsOnlyKeys("recent", "recentSeconds", "sinceStart");
			json.assertThat()
				.extractingPath("$.generators.uuidGenerator")
				.asMap()
				.containsOnlyKeys("algorithm", "provider", "startedAt", "generated", "throughput", "pool")
				.containsEntry("algorithm", "CTR_DRBG")
				.containsEntry("provider", "Uncontended");
			json.assertThat()
				.extractingPath("$.generators.uuidGenerator.startedAt")
				.asString()
				.satisfies((startedAt) -> assertThat(Instant.parse(startedAt)).isBefore(Instant.now()));
			json.assertThat()
				.extractingPath("$.generators.uuidGenerator.generated")
				.asMap()
				.containsOnlyKeys("random", "timeOrdered")
				.containsEntry("random", (int) random + 1000);
			json.assertThat()
				.extractingPath("$.generators.uuidGenerator.throughput")
				.asMap()
				.containsOnlyKeys("recent", "recentSeconds", "sinceStart");
			json.assertThat()
				.extractingPath("$.generators.uuidGenerator.pool")
				.asMap()
				.containsOnlyKeys("stripes", "bufferSize", "refills", "refillMillis", "refillFailures", "lastFailure",
						"contended", "reseeds")
				.containsEntry("lastFailure", null)
				.containsEntry("stripes", 2);
			json.assertThat()
				.extractingPath("$.names.md5NameUuidFactory")
				.asMap()
				.containsOnlyKeys("version", "generated", "throughput", "clones")
				.containsEntry("version", 3);
			json.assertThat().extractingPath("$.dropIn").asMap().containsOnlyKeys("installed", "effective");
		});
	}

	@ParameterizedTest
	@CsvSource({ "uuidGenerator, $.pool.perStripe[0].draws", "md5NameUuidFactory, $.clones", "dropIn, $.installed" })
	void sourceIsReadByName(String name, String path) {
		assertThat(this.mvc.get().uri("/actuator/uuid/" + name)).hasStatusOk().bodyJson().hasPath(path);
	}

	@Test
	void unknownGeneratorIsNotFound() {
		assertThat(this.mvc.get().uri("/actuator/uuid/unknown")).hasStatus(HttpStatus.NOT_FOUND);
	}

	@Test
	void exposesTlsSessions() {
		assertThat(this.mvc.get().uri("/actuator/sslsessions")).hasStatusOk().bodyJson().isLenientlyEqualTo("""
				{
				  "caches": {
				    "sslSessionCache": {
				      "size": 0,
				      "maximumSize": 200000,
				      "stats": {
				        "hits": 0, "misses": 0, "puts": 0, "evictions": 0, "expirations": 0, "invalidations": 0
				      }
				    }
				  },
				  "handshakes": [],
				  "failedHandshakes": [],
				  "sessions": {},
				  "servers": {"reached": [], "unreached": []}
				}
				""");
	}

	@Test
	void exposesOneCache() {
		assertThat(this.mvc.get().uri("/actuator/sslsessions/sslSessionCache")).hasStatusOk()
			.bodyJson()
			.extractingPath("$.maximumSize")
			.isEqualTo(200000);
	}

	@Test
	void unknownCacheIsNotFound() {
		assertThat(this.mvc.get().uri("/actuator/sslsessions/unknown")).hasStatus(HttpStatus.NOT_FOUND);
	}

	@Test
	void invalidationRequiresUnrestrictedAccess() {
		assertThat(this.mvc.delete().uri("/actuator/sslsessions")).hasStatus(HttpStatus.METHOD_NOT_ALLOWED);
	}

	@Test
	void endpointsAreAbsentWhenNotExposed() {
		this.contextRunner.withPropertyValues("management.endpoints.web.exposure.include=health")
			.run((context) -> assertThat(context).hasNotFailed()
				.doesNotHaveBean(UuidEndpoint.class)
				.doesNotHaveBean(SslSessionsEndpoint.class));
	}

	@Test
	void endpointsAreAbsentWhenAccessIsNone() {
		this.contextRunner
			.withPropertyValues("management.endpoints.web.exposure.include=*", "management.endpoint.uuid.access=NONE",
					"management.endpoint.sslsessions.access=NONE")
			.run((context) -> assertThat(context).hasNotFailed()
				.doesNotHaveBean(UuidEndpoint.class)
				.doesNotHaveBean(SslSessionsEndpoint.class));
	}

	@Test
	void endpointsAreAbsentWhenFeatureIsDisabled() {
		this.contextRunner
			.withPropertyValues("management.endpoints.web.exposure.include=*", "uncontended.uuid.enabled=false",
					"uncontended.ssl.enabled=false")
			.run((context) -> assertThat(context).hasNotFailed()
				.doesNotHaveBean(UuidEndpoint.class)
				.doesNotHaveBean(SslSessionsEndpoint.class));
	}

	@Test
	void endpointsAreReadableThroughJmxWithoutWeb() {
		new ApplicationContextRunner().withUserConfiguration(Application.class)
			.withPropertyValues(WithoutStores.PROPERTY, "spring.jmx.enabled=true",
					"management.endpoints.jmx.exposure.include=uuid,sslsessions",
					"management.endpoints.jmx.domain=uncontended.test")
			.run((context) -> {
				assertThat(context).hasNotFailed();
				Object body = ManagementFactory.getPlatformMBeanServer()
					.invoke(new ObjectName("uncontended.test:type=Endpoint,name=Uuid"), "uuid", new Object[0],
							new String[0]);
				assertThat(body).asString().contains("uuidGenerator", "CTR_DRBG");
			});
	}

	@Test
	@ExtendWith(OutputCaptureExtension.class)
	void invalidationHasNoParameterThroughJmx(CapturedOutput output) {
		this.contextRunner
			.withPropertyValues("spring.jmx.enabled=true", "management.endpoints.jmx.exposure.include=sslsessions",
					"management.endpoint.sslsessions.access=UNRESTRICTED",
					"management.endpoints.jmx.domain=uncontended.test")
			.run((context) -> {
				assertThat(context).hasNotFailed();
				MBeanServer server = ManagementFactory.getPlatformMBeanServer();
				ObjectName name = new ObjectName("uncontended.test:type=Endpoint,name=Sslsessions");
				assertThat(server.getMBeanInfo(name).getOperations())
					.filteredOn((operation) -> operation.getName().equals("endAll"))
					.singleElement()
					.satisfies((operation) -> assertThat(operation.getSignature()).isEmpty());
				Object body = server.invoke(name, "endAll", new Object[0], new String[0]);
				assertThat(body).asString().contains("NO_SERVER");
				assertThat(output).containsOnlyOnce("Ending all TLS sessions");
			});
	}

	@SpringBootConfiguration(proxyBeanMethods = false)
	@EnableAutoConfiguration
	static class Application {

	}

}
