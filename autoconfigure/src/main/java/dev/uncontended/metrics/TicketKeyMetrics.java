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

import dev.uncontended.tls.tickets.TicketKeySource;
import dev.uncontended.tls.tickets.TicketKeyStatus;
import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.TimeGauge;
import io.micrometer.core.instrument.binder.MeterBinder;

/**
 * A {@link MeterBinder} for the {@linkplain TicketKeySource#status() state} of a
 * {@link TicketKeySource}.
 */
public final class TicketKeyMetrics implements MeterBinder {

	private final TicketKeySource source;

	/**
	 * Creates a binder.
	 * @param source the source of the keys that encrypt session tickets
	 */
	public TicketKeyMetrics(TicketKeySource source) {
		this.source = source;
	}

	@Override
	public void bindTo(MeterRegistry registry) {
		String kind = this.source.status().source();
		Gauge.builder("tls.ticket.keys", this.source, (source) -> source.status().keys())
			.description("Number of keys that decrypt session tickets")
			.tag("source", kind)
			.register(registry);
		if (this.source.status().age() != null) {
			TimeGauge.builder("tls.ticket.age", this.source, TimeUnit.SECONDS, TicketKeyMetrics::age)
				.description("Time since the source of ticket keys was last up to date")
				.tag("source", kind)
				.register(registry);
		}
		Gauge.builder("tls.ticket.failing", this.source, (source) -> source.status().isUp() ? 0 : 1)
			.description(
					"1 while the source of ticket keys cannot be reached, is out of date, or cannot change the keys, else 0")
			.tag("source", kind)
			.register(registry);
		counter("tls.ticket.rotations", "Number of rotations of the key that encrypts session tickets",
				TicketKeyStatus::rotations, kind, registry);
		counter("tls.ticket.failures", "Number of failures of the source of ticket keys", TicketKeyStatus::failures,
				kind, registry);
	}

	private static double age(TicketKeySource source) {
		Duration age = source.status().age();
		return (age != null) ? age.toNanos() / 1e9 : Double.NaN;
	}

	private void counter(String name, String description, ToDoubleFunction<TicketKeyStatus> value, String kind,
			MeterRegistry registry) {
		FunctionCounter.builder(name, this.source, (source) -> value.applyAsDouble(source.status()))
			.description(description)
			.tag("source", kind)
			.register(registry);
	}

}
