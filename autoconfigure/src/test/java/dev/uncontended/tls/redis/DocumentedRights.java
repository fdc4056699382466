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
package dev.uncontended.tls.redis;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * The rights of the Redis user, as documented, with the key prefix {@code test}.
 */
final class DocumentedRights {

	private DocumentedRights() {
	}

	static List<String> ofStandalone() {
		return rightsBefore("on the keys").toList();
	}

	static List<String> ofCluster() {
		return Stream.concat(ofStandalone().stream(), rightsBefore("for the topology of a Cluster")).toList();
	}

	static List<String> ofHealthIndicator() {
		return rightsBefore("for Spring Boot's health indicator of Redis").toList();
	}

	static List<String> ofHealthIndicatorOfCluster() {
		return rightsBefore("for the health indicator of a Cluster").toList();
	}

	private static Stream<String> rightsBefore(String purpose) {
		Matcher matcher = Pattern.compile("`([^`]*)` " + purpose + "( `([^`]*)`)?").matcher(document());
		assertThat(matcher.find()).as(purpose).isTrue();
		String resource = (matcher.group(3) != null) ? " " + matcher.group(3).replace("<key-prefix>", "test") : "";
		return Stream.of((matcher.group(1) + resource).split(" "));
	}

	private static String document() {
		try {
			return Files.readString(Path.of("../docs/sessions.md")).replaceAll("\\s+", " ");
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

}
