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
import java.util.Map;

import dev.uncontended.uuid.NameUuidFactory;
import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;

import org.springframework.beans.factory.BeanCreationException;
import org.springframework.beans.factory.BeanFactoryUtils;
import org.springframework.beans.factory.ListableBeanFactory;

/**
 * Finds the {@link NameUuidFactory} beans that this JVM can create: a FIPS provider may
 * not offer MD5, which must not affect those who create no version 3 UUIDs.
 */
final class NameUuidFactories {

	private static final Log logger = LogFactory.getLog(NameUuidFactories.class);

	private NameUuidFactories() {
	}

	/**
	 * Returns the beans by name, including the beans of parent contexts.
	 */
	static Map<String, NameUuidFactory> find(ListableBeanFactory beanFactory) {
		Map<String, NameUuidFactory> factories = new LinkedHashMap<>();
		for (String name : BeanFactoryUtils.beanNamesForTypeIncludingAncestors(beanFactory, NameUuidFactory.class)) {
			try {
				factories.put(name, beanFactory.getBean(name, NameUuidFactory.class));
			}
			catch (BeanCreationException ex) {
				logger.debug("Omitting '" + name + "', which cannot be created", ex);
			}
		}
		return factories;
	}

}
