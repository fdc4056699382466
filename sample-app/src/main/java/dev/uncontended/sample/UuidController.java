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

import java.util.Map;
import java.util.UUID;

import dev.uncontended.uuid.NameUuidFactory;
import dev.uncontended.uuid.UuidGenerator;

import org.springframework.beans.factory.BeanCreationException;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.annotation.Qualifier;
import org.springframework.http.HttpStatus;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.RestController;
import org.springframework.web.server.ResponseStatusException;

/**
 * Returns UUIDs.
 */
@RestController
@RequestMapping("/uuids")
class UuidController {

	private static final int MAXIMUM_COUNT = 100_000;

	private static final Map<String, UUID> NAMESPACES = Map.of("dns", NameUuidFactory.DNS, "url", NameUuidFactory.URL,
			"oid", NameUuidFactory.OID, "x500", NameUuidFactory.X500);

	private final UuidGenerator generator;

	private final ObjectProvider<NameUuidFactory> md5;

	private final NameUuidFactory sha1;

	/**
	 * Creates a controller. It looks up the factory with MD5 when a request needs it,
	 * because some JVMs do not offer MD5, and the application must start there.
	 */
	UuidController(UuidGenerator generator, @Qualifier("md5NameUuidFactory") ObjectProvider<NameUuidFactory> md5,
			@Qualifier("sha1NameUuidFactory") NameUuidFactory sha1) {
		this.generator = generator;
		this.md5 = md5;
		this.sha1 = sha1;
	}

	@GetMapping
	UUID[] uuids(@RequestParam(defaultValue = "1") int count, @RequestParam(defaultValue = "4") int version) {
		if (count < 1 || count > MAXIMUM_COUNT) {
			throw badRequest("'count' must be between 1 and " + MAXIMUM_COUNT);
		}
		UUID[] uuids = new UUID[count];
		switch (version) {
			case 4 -> this.generator.fill(uuids);
			case 7 -> this.generator.fillTimeOrdered(uuids);
			default -> throw badRequest("'version' must be 4 or 7");
		}
		return uuids;
	}

	@GetMapping("/name")
	UUID nameUuid(@RequestParam String namespace, @RequestParam String name,
			@RequestParam(defaultValue = "5") int version) {
		UUID space = NAMESPACES.get(namespace);
		if (space == null) {
			throw badRequest("'namespace' must be dns, url, oid or x500");
		}
		return switch (version) {
			case 3 -> md5().nameUuid(space, name);
			case 5 -> this.sha1.nameUuid(space, name);
			default -> throw badRequest("'version' must be 3 or 5");
		};
	}

	private NameUuidFactory md5() {
		try {
			return this.md5.getObject();
		}
		catch (BeanCreationException ex) {
			throw new ResponseStatusException(HttpStatus.NOT_IMPLEMENTED,
					"Version 3 requires MD5, which this JVM does not offer. Use version 5.", ex);
		}
	}

	private static ResponseStatusException badRequest(String reason) {
		return new ResponseStatusException(HttpStatus.BAD_REQUEST, reason);
	}

}
