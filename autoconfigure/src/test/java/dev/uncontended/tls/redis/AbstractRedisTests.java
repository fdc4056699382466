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
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

import dev.uncontended.tls.session.Reach;
import dev.uncontended.tls.tickets.ManualTicketKeys;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.condition.EnabledIf;

import org.springframework.beans.factory.DisposableBean;
import org.springframework.beans.factory.InitializingBean;
import org.springframework.boot.data.redis.health.DataRedisHealthIndicator;
import org.springframework.boot.health.contributor.Status;
import org.springframework.context.Lifecycle;
import org.springframework.data.redis.connection.RedisConnectionFactory;
import org.springframework.data.redis.connection.lettuce.LettuceConnectionFactory;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Base class for tests of nodes that share ticket keys through a real Redis. Each test
 * has its own server.
 */
@EnabledIf("dev.uncontended.tls.redis.RedisServer#isInstalled")
@Tag("integration")
abstract class AbstractRedisTests {

	private final List<DisposableBean> connections = new ArrayList<>();

	RedisServer redis;

	@BeforeEach
	void start() {
		this.redis = RedisServer.create();
	}

	@AfterEach
	void stop() throws Exception {
		for (DisposableBean connection : this.connections) {
			connection.destroy();
		}
		this.redis.close();
	}

	ManualTicketKeys node() {
		return node(new LettuceConnectionFactory("127.0.0.1", this.redis.port()));
	}

	<C extends RedisConnectionFactory & InitializingBean & DisposableBean & Lifecycle> ManualTicketKeys node(
			C connections) {
		return ManualTicketKeys.shared(new RedisTicketStore(connect(connections)));
	}

	/** Starts connections, which are closed after the test. */
	<C extends RedisConnectionFactory & InitializingBean & DisposableBean & Lifecycle> C connect(C connections) {
		try {
			connections.afterPropertiesSet();
		}
		catch (Exception ex) {
			throw new IllegalStateException(ex);
		}
		connections.start();
		this.connections.add(connections);
		return connections;
	}

	/** Verifies that two nodes share keys, and an end that reaches all nodes. */
	static void shareAndEnd(ManualTicketKeys first, ManualTicketKeys second) {
		assertThat(first.sync()).isTrue();
		assertThat(second.sync()).isTrue();
		assertThat(second.names()).isEqualTo(first.names());
		ManualTicketKeys.watch(first, second);
		String before = first.encrypting();
		first.keys().endAll();
		first.sync();
		second.sync();
		first.sync();
		assertThat(first.status().lastEnd()).isEqualTo(Reach.ALL_NODES);
		assertThat(second.names()).isEqualTo(first.names()).doesNotContain(before);
		assertThat(first.status().up()).isTrue();
	}

	/**
	 * Returns the status that Boot's health indicator reports.
	 */
	static Status health(RedisConnectionFactory connections) {
		return new DataRedisHealthIndicator(connections).health().getStatus();
	}

	/**
	 * Returns the rights of the Redis user that the documents list for a purpose, with
	 * the key prefix {@code test}.
	 */
	static List<String> rights(String purpose) throws IOException {
		String document = Files.readString(Path.of("../docs/sessions.md"))
			.replaceAll("\\s+", " ")
			.replace("<key-prefix>", "test");
		Matcher matcher = Pattern.compile("`([^`]*)` " + purpose + "(?: `([^`]*)`)?").matcher(document);
		assertThat(matcher.find()).as(purpose).isTrue();
		List<String> rights = new ArrayList<>(List.of(matcher.group(1).split(" ")));
		if (matcher.group(2) != null) {
			rights.add(matcher.group(2));
		}
		return rights;
	}

	/** Returns the name of the string that contains the state. */
	String state() {
		return this.redis.cli("--scan", "--pattern", "test:4:*");
	}

	/** Returns the name of the hash that contains the reports. */
	String reports() {
		return this.redis.cli("--scan", "--pattern", "test:nodes:*");
	}

}
