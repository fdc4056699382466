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

import java.util.Collection;

import dev.uncontended.uuid.UuidGenerator;

import org.springframework.beans.factory.ListableBeanFactory;
import org.springframework.context.SmartLifecycle;

/**
 * Wipes the generators when the context stops and seeds them anew when it starts. Spring
 * stops the context before a CRaC checkpoint too: random bytes that were saved in a
 * snapshot would come back in every copy of it.
 */
class UuidGeneratorLifecycle implements SmartLifecycle {

	private final ListableBeanFactory beanFactory;

	private volatile boolean running;

	UuidGeneratorLifecycle(ListableBeanFactory beanFactory) {
		this.beanFactory = beanFactory;
	}

	@Override
	public void start() {
		generators().forEach(UuidGenerator::resume);
		this.running = true;
	}

	@Override
	public void stop() {
		generators().forEach(UuidGenerator::suspend);
		this.running = false;
	}

	@Override
	public boolean isRunning() {
		return this.running;
	}

	/**
	 * The first to start and the last to stop, for whatever draws ids while it stops.
	 */
	@Override
	public int getPhase() {
		return Integer.MIN_VALUE;
	}

	/**
	 * Those of this context alone: a parent's generators stop with the parent.
	 */
	private Collection<UuidGenerator> generators() {
		return this.beanFactory.getBeansOfType(UuidGenerator.class).values();
	}

}
