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

package dev.uncontended.sample;

import dev.uncontended.uuid.NameUuidFactory;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.boot.test.context.TestConfiguration;
import org.springframework.boot.webmvc.test.autoconfigure.AutoConfigureMockMvc;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Lazy;
import org.springframework.http.HttpStatus;
import org.springframework.test.web.servlet.assertj.MockMvcTester;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for the sample in a JVM without MD5.
 */
@SpringBootTest(webEnvironment = SpringBootTest.WebEnvironment.RANDOM_PORT, properties = "sample.https-port=0")
@AutoConfigureMockMvc
@Tag("integration")
@Tag("product")
class WithoutMd5Tests {

	private static final String PATH = "/uuids/name?namespace=dns&name=www.example.com&version=";

	@Autowired
	private MockMvcTester mvc;

	@Test
	void version3IsAnsweredWithReason() {
		assertThat(this.mvc.get().uri(PATH + 3)).hasStatus(HttpStatus.NOT_IMPLEMENTED)
			.bodyJson()
			.extractingPath("$.detail")
			.isEqualTo("Version 3 requires MD5, which this JVM does not offer. Use version 5.");
	}

	@Test
	void raceOfNamesIsAnsweredWithReason() {
		assertThat(this.mvc.post().uri("/load?source=names&threads=1&seconds=1&warmup=0"))
			.hasStatus(HttpStatus.NOT_IMPLEMENTED)
			.bodyJson()
			.extractingPath("$.detail")
			.isEqualTo("Version 3 requires MD5, which this JVM does not offer");
	}

	@Test
	void otherVersionsAreUnaffected() {
		assertThat(this.mvc.get().uri(PATH + 5)).hasStatusOk()
			.bodyText()
			.isEqualTo("\"2ed6657d-e927-568b-95e1-2665a8aea6a2\"");
	}

	@TestConfiguration(proxyBeanMethods = false)
	static class Md5IsMissing {

		@Bean
		@Lazy
		NameUuidFactory md5NameUuidFactory() {
			throw new IllegalStateException("This JVM does not offer MD5");
		}

	}

}
