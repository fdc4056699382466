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

package dev.uncontended.slices;

import java.util.UUID;

import dev.uncontended.integration.TimeOrderedUuid;
import dev.uncontended.uuid.UuidGenerator;
import jakarta.persistence.Entity;
import jakarta.persistence.GeneratedValue;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Mono;

import org.springframework.data.annotation.Id;
import org.springframework.data.mongodb.core.mapping.Document;
import org.springframework.data.relational.core.mapping.Table;
import org.springframework.stereotype.Service;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RestController;
import org.springframework.web.client.RestClient;
import org.springframework.web.reactive.function.client.WebClient;

/**
 * The components of an application that draw ids.
 */
final class SliceComponents {

	private SliceComponents() {
	}

	@Entity(name = "Purchase")
	static class Purchase {

		@jakarta.persistence.Id
		@GeneratedValue
		@TimeOrderedUuid
		@Nullable UUID id;

	}

	@Table("NOTE")
	record Note(@Id @TimeOrderedUuid @Nullable UUID id, String text) {

	}

	@Document
	record Letter(@Id @TimeOrderedUuid @Nullable UUID id, String text) {

	}

	@RestController
	static class IdController {

		private final UuidGenerator ids;

		IdController(UuidGenerator ids) {
			this.ids = ids;
		}

		@GetMapping("/id")
		UUID id() {
			return this.ids.randomUuid();
		}

	}

	@Service
	static class BlockingClient {

		private final RestClient client;

		private final UuidGenerator ids;

		BlockingClient(RestClient.Builder builder, UuidGenerator ids) {
			this.client = builder.baseUrl("http://prices.test").build();
			this.ids = ids;
		}

		@Nullable String price() {
			return this.client.get()
				.uri("/price")
				.header("Idempotency-Key", this.ids.randomUuid().toString())
				.retrieve()
				.body(String.class);
		}

	}

	@Service
	static class ReactiveClient {

		private final WebClient client;

		ReactiveClient(WebClient.Builder builder, UuidGenerator ids) {
			this.client = builder.baseUrl("http://prices.test")
				.defaultRequest((request) -> request.header("Idempotency-Key", ids.randomUuid().toString()))
				.build();
		}

		Mono<String> price() {
			return this.client.get().uri("/price").retrieve().bodyToMono(String.class);
		}

	}

}
