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
package dev.uncontended.metrics;

import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.function.ToDoubleFunction;

import dev.uncontended.tls.tickets.TicketKeyStatus;
import dev.uncontended.tls.tickets.TicketKeys;
import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.TimeGauge;
import io.micrometer.core.instrument.binder.MeterBinder;

/**
 * A {@link MeterBinder} for the {@linkplain TicketKeys#status() state} of
 * {@link TicketKeys}.
 */
public final class TicketKeyMetrics implements MeterBinder {

	private final TicketKeys keys;

	/**
	 * Creates a binder.
	 * @param keys the keys that encrypt session tickets
	 */
	public TicketKeyMetrics(TicketKeys keys) {
		this.keys = keys;
	}

	@Override
	public void bindTo(MeterRegistry registry) {
		String kind = this.keys.status().source();
		Gauge.builder("tls.ticket.keys", this.keys, (keys) -> keys.status().keys())
			.description("Number of keys that decrypt session tickets")
			.tag("source", kind)
			.register(registry);
		if (this.keys.status().age() != null) {
			TimeGauge.builder("tls.ticket.age", this.keys, TimeUnit.SECONDS, TicketKeyMetrics::age)
				.description("Time since the source of ticket keys was last up to date")
				.tag("source", kind)
				.register(registry);
		}
		Gauge.builder("tls.ticket.failing", this.keys, (keys) -> keys.status().up() ? 0 : 1)
			.description("1 while the source of ticket keys fails or is out of date, else 0")
			.tag("source", kind)
			.register(registry);
		counter("tls.ticket.rotations", "Number of key rotations", TicketKeyStatus::rotations, kind, registry);
		counter("tls.ticket.failures", "Number of failures of the source", TicketKeyStatus::failures, kind, registry);
	}

	private static double age(TicketKeys keys) {
		Duration age = keys.status().age();
		return (age != null) ? age.toNanos() / 1e9 : Double.NaN;
	}

	private void counter(String name, String description, ToDoubleFunction<TicketKeyStatus> value, String kind,
			MeterRegistry registry) {
		FunctionCounter.builder(name, this.keys, (keys) -> value.applyAsDouble(keys.status()))
			.description(description)
			.tag("source", kind)
			.register(registry);
	}

}
