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

package dev.uncontended.tls.tickets;

import java.security.NoSuchAlgorithmException;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledForJreRange;
import org.junit.jupiter.api.condition.JRE;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Runs {@link TicketSchedule random schedules}.
 */
class TicketScheduleTests {

	@ParameterizedTest
	@CsvSource({ "4, 300", "24, 20" })
	void randomSchedulesKeepThePromises(int nodes, int schedules) throws NoSuchAlgorithmException {
		run(nodes, 0, schedules, 200);
	}

	/*
	 * More ends than any schedule above, and for longer than any key lives.
	 */
	@Test
	void longRandomScheduleKeepsThePromises() throws NoSuchAlgorithmException {
		run(6, 3_000_000, 1, 4_000);
	}

	/*
	 * On the oldest JDK only, because the schedules do not depend on it.
	 */
	@Test
	@Tag("product")
	@EnabledForJreRange(max = JRE.JAVA_20)
	void manyRandomSchedulesKeepThePromises() throws NoSuchAlgorithmException {
		run(4, 1_000_000, 10_000, 200);
		run(24, 2_000_000, 200, 200);
		run(6, 3_000_001, 20, 4_000);
	}

	private static void run(int nodes, int first, int schedules, int steps) throws NoSuchAlgorithmException {
		int claims = 0;
		int accepted = 0;
		for (int seed = first; seed < first + schedules; seed++) {
			try (TicketSchedule schedule = new TicketSchedule(seed, nodes)) {
				schedule.run(steps);
				assertThat(schedule.violation).as("violation in schedule %d of %d nodes", seed, nodes).isNull();
				claims += schedule.claims;
				accepted += schedule.accepted;
			}
		}
		// The rules have been put to the test.
		assertThat(claims).isGreaterThan(schedules);
		assertThat(accepted).isGreaterThan(100 * schedules);
	}

}
