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

import java.time.Instant;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicLong;

import dev.uncontended.tls.handshake.TlsHandshakes;
import dev.uncontended.uuid.UuidGenerator;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.json.JsonMapper;

import org.springframework.beans.factory.support.StaticListableBeanFactory;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for {@link History}.
 */
class HistoryTests {

	private final AtomicLong millis = new AtomicLong(1_000_000);

	private final LoadGenerator loads = new LoadGenerator();

	private final StaticListableBeanFactory beans = new StaticListableBeanFactory();

	private final History history = new History(() -> Instant.ofEpochMilli(this.millis.get()),
			this.beans.getBeanProvider(UuidGenerator.class), this.beans.getBeanProvider(TlsHandshakes.class),
			this.loads);

	@Test
	void keepsFifteenMinutes() {
		for (int i = 0; i < 2000; i++) {
			this.millis.addAndGet(1000);
			this.history.sample();
		}
		History.Excerpt all = this.history.after(0);
		assertThat(all.samples()).hasSize(901);
		assertThat(all.samples().get(900).at() - all.samples().get(0).at()).isEqualTo(15 * 60 * 1000);
		assertThat(all.now()).isEqualTo(this.millis.get());
		assertThat(all.startedAt()).isEqualTo(1_000_000);
	}

	@Test
	void returnsNewSamplesOnly() {
		this.history.sample();
		this.millis.addAndGet(1000);
		this.history.sample();
		assertThat(this.history.after(1_000_000).samples()).extracting(History.Counts::at).containsExactly(1_001_000L);
		assertThat(this.history.after(1_001_000).samples()).isEmpty();
	}

	@Test
	void countsPoolAndJdkSeparately() throws Exception {
		try (UuidGenerator generator = UuidGenerator.builder().build()) {
			this.beans.addBean("uuidGenerator", generator);
			generator.randomUuid();
			generator.timeOrderedUuid();
			this.loads.run(new LoadGenerator.Source("jdk", "", UUID::randomUUID), new LoadGenerator.Plan(1, 1, 0),
					() -> {
					});
			this.history.sample();
		}
		History.Counts counts = this.history.after(0).samples().get(0);
		assertThat(counts.pool()).isEqualTo(2);
		assertThat(counts.jdk()).isPositive().isEqualTo(this.loads.drawn("jdk"));
	}

	@Test
	void writesSamplesAsArrays() {
		this.history.sample();
		assertThat(new JsonMapper().writeValueAsString(this.history.after(0)))
			.isEqualTo("{\"now\":1000000,\"startedAt\":1000000,\"samples\":[[1000000,0,0,0,0,0,0]]}");
	}

}
