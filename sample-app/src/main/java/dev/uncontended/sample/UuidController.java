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

import java.util.Arrays;
import java.util.Map;
import java.util.UUID;
import java.util.function.Consumer;

import dev.uncontended.uuid.NameUuidFactory;
import dev.uncontended.uuid.UuidGenerator;

import org.springframework.beans.factory.BeanCreationException;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.annotation.Qualifier;
import org.springframework.http.HttpStatus;
import org.springframework.http.MediaType;
import org.springframework.http.ProblemDetail;
import org.springframework.util.MultiValueMap;
import org.springframework.web.bind.annotation.ExceptionHandler;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.RestController;

/**
 * Returns UUIDs, one per line as text or as a JSON array.
 */
@RestController
@RequestMapping(path = "/uuids", produces = { MediaType.TEXT_PLAIN_VALUE, MediaType.APPLICATION_JSON_VALUE })
class UuidController {

	private static final int MAXIMUM_COUNT = 100_000;

	private static final Map<String, UUID> NAMESPACES = Map.of("dns", NameUuidFactory.DNS, "url", NameUuidFactory.URL,
			"oid", NameUuidFactory.OID, "x500", NameUuidFactory.X500);

	private final Map<String, Consumer<UUID[]>> generators;

	private final Map<String, ObjectProvider<NameUuidFactory>> factories;

	/**
	 * Looks the factories up in each request: a JVM without MD5 cannot create the first.
	 */
	UuidController(UuidGenerator generator, @Qualifier("md5NameUuidFactory") ObjectProvider<NameUuidFactory> md5,
			@Qualifier("sha1NameUuidFactory") ObjectProvider<NameUuidFactory> sha1) {
		this.generators = Map.of("4", generator::fill, "7", generator::fillTimeOrdered);
		this.factories = Map.of("3", md5, "5", sha1);
	}

	@GetMapping
	UuidList uuids(@RequestParam MultiValueMap<String, String> query) {
		Parameters parameters = new Parameters(query);
		int count = parameters.wholeNumber("count", 1, 1, MAXIMUM_COUNT);
		return new UuidList(parameters.oneOf("version", "4", this.generators), count);
	}

	@GetMapping("/name")
	UuidList nameUuid(@RequestParam MultiValueMap<String, String> query) {
		Parameters parameters = new Parameters(query);
		ObjectProvider<NameUuidFactory> factory = parameters.oneOf("version", "5", this.factories);
		UUID namespace = parameters.oneOf("namespace", null, NAMESPACES);
		UUID uuid = factory.getObject().nameUuid(namespace, parameters.required("name", "the name to hash"));
		return new UuidList((uuids) -> Arrays.fill(uuids, uuid), 1);
	}

	@ExceptionHandler
	ProblemDetail unavailable(BeanCreationException ex) {
		return ProblemDetail.forStatusAndDetail(HttpStatus.NOT_IMPLEMENTED,
				String.valueOf(ex.getMostSpecificCause().getMessage()));
	}

}
