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

import java.util.stream.Collectors;
import java.util.stream.Stream;

import dev.uncontended.random.UncontendedProvider;
import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;

import org.springframework.beans.factory.ListableBeanFactory;
import org.springframework.beans.factory.SmartInitializingSingleton;
import org.springframework.core.env.Environment;

/**
 * Logs one line at start-up that says what is at work, and warns where there are several
 * beans of a type and none of them is primary.
 */
class StartupLog implements SmartInitializingSingleton {

	private static final Log logger = LogFactory.getLog(StartupLog.class);

	private final ListableBeanFactory beanFactory;

	private final Environment environment;

	private final Class<?>[] singleCandidates;

	/**
	 * Creates a log.
	 * @param beanFactory has the {@linkplain StartupDetail details}
	 * @param environment tells whether the drop-in was asked for
	 * @param singleCandidates types of beans of which other beans take the one
	 */
	StartupLog(ListableBeanFactory beanFactory, Environment environment, Class<?>... singleCandidates) {
		this.beanFactory = beanFactory;
		this.environment = environment;
		this.singleCandidates = singleCandidates;
	}

	@Override
	public void afterSingletonsInstantiated() {
		if (logger.isInfoEnabled()) {
			logger.info(Stream.concat(
					this.beanFactory.getBeanProvider(StartupDetail.class).orderedStream().map(StartupDetail::describe),
					Stream.of(describeJdk()))
				.collect(Collectors.joining("; ")));
		}
		for (Class<?> type : this.singleCandidates) {
			warnIfNoneCanBeChosen(type);
		}
	}

	/**
	 * Asks the provider only where it was asked for, because it may have to draw a UUID.
	 */
	private String describeJdk() {
		boolean installed = SingleProperty.isTrue(this.environment, "uncontended.secure-random.install", false);
		return "UUID.randomUUID() runs on "
				+ ((installed && UncontendedProvider.isEffective()) ? "Uncontended" : "the JDK's own generator");
	}

	private void warnIfNoneCanBeChosen(Class<?> type) {
		String[] names = this.beanFactory.getBeanNamesForType(type);
		if (names.length > 1 && this.beanFactory.getBeanProvider(type).getIfUnique() == null) {
			logger.warn(
					"There are several beans of type %s, and none of them is primary: %s. What needs one goes without;"
						.formatted(type.getSimpleName(), String.join(", ", names))
							+ " annotate the one to take with @Primary");
		}
	}

}
