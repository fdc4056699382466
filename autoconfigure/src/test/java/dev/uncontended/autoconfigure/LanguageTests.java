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

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Stream;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for the language of documents, metadata and sources.
 */
class LanguageTests {

	private static final Path ROOT = Path.of("..");

	private static final int MAX_WORDS = 25;

	private static final Pattern AVOIDED = Pattern.compile("\\b(?:" + String.join("|", "aimed at", "anew", "beside",
			"but for", "by way of", "for so long", "goes on", "has it counted", "has to be", "in so far", "is told",
			"of what", "says what", "so many", "tells", "that of the", "the one that", "those of the", "what has",
			"what the \\w+ (?:has|have|knows?|tells?)") + ")\\b", Pattern.CASE_INSENSITIVE);

	@ParameterizedTest
	@MethodSource("documents")
	void documentAvoidsPhrases(Path document) throws IOException {
		assertThat(avoided(prose(document))).isEmpty();
	}

	@ParameterizedTest
	@MethodSource("documents")
	void documentHasShortSentences(Path document) throws IOException {
		assertThat(sentences(prose(document)))
			.allSatisfy((sentence) -> assertThat(sentence.split(" ")).as(sentence).hasSizeLessThanOrEqualTo(MAX_WORDS));
	}

	@Test
	void metadataAvoidsPhrases() throws IOException {
		try (InputStream metadata = getClass().getResourceAsStream("/META-INF/spring-configuration-metadata.json")) {
			assertThat(avoided(new String(metadata.readAllBytes(), StandardCharsets.UTF_8))).isEmpty();
		}
	}

	@Test
	void sourcesAvoidPhrases() throws IOException {
		assertThat(sources()).isNotEmpty().allSatisfy((source) -> assertThat(avoided(text(source))).isEmpty());
	}

	@ParameterizedTest
	@ValueSource(
			strings = { "Made anew.", "Tells whether it runs.", "As what the node knows.", "That of the\nserver." })
	void findsAvoidedPhrase(String text) {
		assertThat(avoided(text)).hasSize(1);
	}

	private static List<Path> documents() throws IOException {
		return files(".md", 1, "", "docs", "bench");
	}

	private static List<Path> sources() throws IOException {
		return files(".java", Integer.MAX_VALUE, "autoconfigure/src/main", "sample-app/src/main", "bench/src/main");
	}

	private static List<Path> files(String suffix, int depth, String... folders) throws IOException {
		List<Path> files = new ArrayList<>();
		for (String folder : folders) {
			try (Stream<Path> found = Files.walk(ROOT.resolve(folder), depth)) {
				found.filter((file) -> file.toString().endsWith(suffix)).forEach(files::add);
			}
		}
		return files;
	}

	/**
	 * Returns the text of a source, with each comment on one line.
	 */
	private static String text(Path source) throws IOException {
		return Files.readString(source).replaceAll("\n\\s*(?:\\*|//)", "");
	}

	/**
	 * Returns the text of a document without code and addresses.
	 */
	private static String prose(Path document) throws IOException {
		return Files.readString(document)
			.replaceAll("(?ms)^```.*?^```$", "")
			.replaceAll("`[^`]*`", "code")
			.replaceAll("\\]\\([^)]*\\)", "]");
	}

	/**
	 * Returns the sentences of paragraphs and list items, without tables.
	 */
	private static Stream<String> sentences(String prose) {
		return Stream.of(prose.split("\n\\s*\n|\n(?=\\s*(?:[-|#]|\\d+\\. ))"))
			.filter((block) -> !block.startsWith("|"))
			.flatMap((block) -> Stream.of(block.strip().replaceAll("\\s+", " ").split("(?<=[.:?!]) ")));
	}

	private static List<String> avoided(String text) {
		return AVOIDED.matcher(text.replaceAll("\\s+", " ")).results().map(MatchResult::group).toList();
	}

}
