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
package dev.uncontended.bench.tls;

import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import org.springframework.boot.SpringApplication;
import org.springframework.boot.SpringBootConfiguration;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.http.MediaType;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.RestController;

/**
 * The application that {@link ServerProcess} starts on the measured servers: one
 * controller, and the default configuration of Spring Boot. It runs with and without
 * Uncontended on the class path.
 */
@SpringBootConfiguration(proxyBeanMethods = false)
@EnableAutoConfiguration
@RestController
public class MeasuredApplication {

	/** The response to {@code /}. */
	static final String BODY = "ok";

	/** The sizes of the responses to {@code /bytes/SIZE}. */
	static final int[] SIZES = { 100_000, 8_000_000 };

	private final Map<Integer, byte[]> bytes = Arrays.stream(SIZES)
		.boxed()
		.collect(Collectors.toMap(Function.identity(), byte[]::new));

	/**
	 * Runs the application.
	 * @param args properties of Spring Boot
	 */
	public static void main(String[] args) {
		SpringApplication.run(MeasuredApplication.class, args);
	}

	@GetMapping("/")
	String ok() {
		return BODY;
	}

	@GetMapping(path = "/bytes/{size}", produces = MediaType.APPLICATION_OCTET_STREAM_VALUE)
	byte[] bytes(@PathVariable("size") int size) {
		return this.bytes.getOrDefault(size, new byte[0]);
	}

	@GetMapping("/ids/{count}")
	List<UUID> ids(@PathVariable("count") int count) {
		return Stream.generate(UUID::randomUUID).limit(count).toList();
	}

}
