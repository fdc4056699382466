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

package dev.uncontended.autoconfigure.uuid;

import java.util.ArrayList;
import java.util.List;

import dev.uncontended.uuid.UuidGenerator;

import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.context.SmartLifecycle;

/**
 * Suspends the context's UUID generators when the context stops, and resumes them when
 * the context starts. Suspended generators keep no random bytes. Processes restored from
 * a CRaC checkpoint therefore share no random bytes: Spring stops the context before the
 * checkpoint.
 * <p>
 * With {@code spring.context.checkpoint=onRefresh}, Spring takes the checkpoint before it
 * starts the context. {@link #start()} therefore suspends the generators before it
 * resumes them. This discards random bytes from before the checkpoint.
 * <p>
 * In a reactive web application, event loops create UUIDs. {@link #start()} therefore
 * also seeds the generators there. In other applications, the first draw loads the cipher
 * and seeds a generator, because doing so in advance would delay the start.
 */
class UuidGeneratorLifecycle implements SmartLifecycle {

	private final ConfigurableListableBeanFactory beanFactory;

	private final boolean seeds;

	private volatile boolean running;

	UuidGeneratorLifecycle(ConfigurableListableBeanFactory beanFactory, boolean seeds) {
		this.beanFactory = beanFactory;
		this.seeds = seeds;
	}

	@Override
	public void start() {
		for (UuidGenerator generator : generators()) {
			generator.suspend();
			generator.resume();
			if (this.seeds) {
				generator.seed();
			}
		}
		this.running = true;
	}

	@Override
	public void stop() {
		this.running = false;
		RuntimeException failure = null;
		for (UuidGenerator generator : generators()) {
			try {
				generator.suspend();
			}
			catch (RuntimeException ex) {
				failure = ex;
			}
		}
		if (failure != null) {
			throw failure;
		}
	}

	@Override
	public boolean isRunning() {
		return this.running;
	}

	/**
	 * Returns the phase that stops last, because other beans may create ids while they
	 * stop.
	 */
	@Override
	public int getPhase() {
		return Integer.MIN_VALUE;
	}

	/**
	 * Returns the generators that exist, except the generators of parent contexts. Those
	 * that do not exist yet have no random bytes.
	 */
	private List<UuidGenerator> generators() {
		List<UuidGenerator> generators = new ArrayList<>();
		for (String name : this.beanFactory.getBeanNamesForType(UuidGenerator.class, false, false)) {
			if (this.beanFactory.containsSingleton(name)) {
				generators.add(this.beanFactory.getBean(name, UuidGenerator.class));
			}
		}
		return generators;
	}

}
