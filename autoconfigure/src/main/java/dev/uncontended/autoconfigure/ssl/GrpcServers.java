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

package dev.uncontended.autoconfigure.ssl;

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Stream;

import dev.uncontended.tls.engine.RenewableSslContext;
import dev.uncontended.tls.server.TlsServer;
import dev.uncontended.tls.server.TlsServers;
import io.grpc.Server;
import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;

import org.springframework.beans.factory.ObjectProvider;
import org.springframework.context.ApplicationListener;
import org.springframework.core.env.Environment;
import org.springframework.grpc.server.InProcessGrpcServerFactory;
import org.springframework.grpc.server.lifecycle.GrpcServerLifecycleEvent;
import org.springframework.grpc.server.lifecycle.GrpcServerStartedEvent;
import org.springframework.grpc.server.lifecycle.GrpcServerTerminatedEvent;

/**
 * Registers gRPC servers with TLS as servers that this starter does not reach. Detects
 * TLS that Spring Boot's properties configure.
 */
final class GrpcServers implements ApplicationListener<GrpcServerLifecycleEvent> {

	private static final Log logger = LogFactory.getLog(GrpcServers.class);

	private static final String PROPERTIES = "spring.grpc.server.ssl.";

	private final ObjectProvider<TlsServers> servers;

	private final boolean tls;

	private final Map<Server, TlsServer> running = new ConcurrentHashMap<>();

	GrpcServers(ObjectProvider<TlsServers> servers, Environment environment) {
		this.servers = servers;
		this.tls = environment.getProperty(PROPERTIES + "enabled", Boolean.class,
				environment.containsProperty(PROPERTIES + "bundle"));
	}

	@Override
	public void onApplicationEvent(GrpcServerLifecycleEvent event) {
		if (event instanceof GrpcServerStartedEvent started) {
			if (this.tls && !(started.getSource().getFactory() instanceof InProcessGrpcServerFactory)) {
				add(started.getServer(), started.getPort());
			}
		}
		else if (event instanceof GrpcServerTerminatedEvent) {
			TlsServer unreached = this.running.remove(event.getServer());
			if (unreached != null) {
				this.servers.getObject().remove(unreached);
			}
		}
	}

	private void add(Server server, int port) {
		TlsServer unreached = new UnreachedServer("gRPC on port " + port);
		this.running.put(server, unreached);
		this.servers.getObject().add(unreached);
		logger.warn("TLS of " + unreached + " is not managed by this starter: it uses gRPC's engine, its handshakes are"
				+ " not counted, and its sessions do not end with all others");
	}

	private record UnreachedServer(String name) implements TlsServer {

		@Override
		public Stream<RenewableSslContext> contexts() {
			return Stream.empty();
		}

		@Override
		public Stream<String> unreached() {
			return Stream.of(this.name);
		}

		@Override
		public String toString() {
			return this.name;
		}

	}

}
