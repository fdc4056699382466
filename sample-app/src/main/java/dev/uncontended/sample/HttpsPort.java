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

import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.Map;
import java.util.stream.Collectors;

import org.apache.catalina.connector.Connector;
import org.apache.coyote.AbstractProtocol;

/**
 * An HTTPS port of Tomcat with the CPU time of its threads.
 */
final class HttpsPort {

	private static final ThreadMXBean threads = ManagementFactory.getThreadMXBean();

	private final InetSocketAddress address;

	private final Map<String, Long> threadIds;

	/**
	 * Creates a view of a port.
	 * @param connector a started connector
	 */
	HttpsPort(Connector connector) {
		AbstractProtocol<?> protocol = (AbstractProtocol<?>) connector.getProtocolHandler();
		InetAddress address = protocol.getAddress();
		this.address = new InetSocketAddress(
				(address == null || address.isAnyLocalAddress()) ? InetAddress.getLoopbackAddress() : address,
				connector.getLocalPort());
		this.threadIds = threadIds(protocol);
	}

	/*
	 * Tomcat names the threads before the connector is bound to a port.
	 */
	private static Map<String, Long> threadIds(AbstractProtocol<?> protocol) {
		String name = protocol.getName().replace("\"", "");
		String prefix = (protocol.getPort() == 0) ? name.substring(0, name.lastIndexOf('-') + 1) : name + "-";
		return Thread.getAllStackTraces()
			.keySet()
			.stream()
			.filter((thread) -> thread.getName().startsWith(prefix))
			.collect(Collectors.toMap(Thread::getName, Thread::getId));
	}

	InetSocketAddress address() {
		return this.address;
	}

	/**
	 * Returns whether CPU time is available. It is not with virtual threads.
	 */
	boolean measuresCpu() {
		return this.threadIds.keySet().stream().anyMatch((name) -> name.contains("-exec-"));
	}

	/**
	 * Returns the CPU time used by the port's threads.
	 * @return the time in nanoseconds, valid only if {@link #measuresCpu()}
	 */
	long cpuNanos() {
		long sum = 0;
		for (long id : this.threadIds.values()) {
			sum += Math.max(0, threads.getThreadCpuTime(id));
		}
		return sum;
	}

}
