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

package dev.uncontended.tls;

import java.lang.management.ManagementFactory;

import javax.management.JMException;
import javax.management.ObjectName;

/**
 * Counts the instances of a class that survive garbage collection.
 */
public final class LiveInstances {

	private LiveInstances() {
	}

	/**
	 * Collects garbage and counts instances.
	 * @param className the name of the class
	 * @return the number of instances
	 */
	public static long count(String className) throws JMException {
		String histogram = (String) ManagementFactory.getPlatformMBeanServer()
			.invoke(new ObjectName("com.sun.management:type=DiagnosticCommand"), "gcClassHistogram",
					new Object[] { new String[0] }, new String[] { String[].class.getName() });
		return histogram.lines()
			.map((line) -> line.trim().split("\\s+"))
			.filter((columns) -> columns.length > 3 && columns[3].equals(className))
			.mapToLong((columns) -> Long.parseLong(columns[1]))
			.sum();
	}

}
