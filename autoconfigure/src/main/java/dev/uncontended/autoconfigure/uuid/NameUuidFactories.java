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

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;

import dev.uncontended.uuid.NameUuidFactory;
import org.jspecify.annotations.Nullable;

import org.springframework.beans.factory.BeanFactory;
import org.springframework.beans.factory.ListableBeanFactory;
import org.springframework.beans.factory.config.ConfigurableBeanFactory;

/**
 * The {@link NameUuidFactory} beans of a context. This class never creates one, because a
 * JVM may not offer MD5, and because most applications use none.
 */
final class NameUuidFactories implements Supplier<Map<String, NameUuidFactory>> {

	private final ListableBeanFactory beanFactory;

	NameUuidFactories(ListableBeanFactory beanFactory) {
		this.beanFactory = beanFactory;
	}

	/**
	 * Returns the names of the beans, including the beans that do not exist yet.
	 */
	List<String> names() {
		return List.of(this.beanFactory.getBeanNamesForType(NameUuidFactory.class, true, false));
	}

	/**
	 * Returns the beans that exist, by name.
	 */
	@Override
	public Map<String, NameUuidFactory> get() {
		Map<String, NameUuidFactory> existing = new LinkedHashMap<>();
		for (String name : names()) {
			NameUuidFactory factory = find(this.beanFactory, name);
			if (factory != null) {
				existing.put(name, factory);
			}
		}
		return existing;
	}

	/**
	 * Returns a bean, or {@code null} if it does not exist yet.
	 */
	static @Nullable NameUuidFactory find(BeanFactory beanFactory, String name) {
		return (beanFactory instanceof ConfigurableBeanFactory configurable && configurable.containsSingleton(name))
				? configurable.getBean(name, NameUuidFactory.class) : null;
	}

}
