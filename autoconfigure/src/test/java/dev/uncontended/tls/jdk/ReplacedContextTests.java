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
package dev.uncontended.tls.jdk;

import java.nio.file.Path;
import java.util.EnumSet;
import java.util.Set;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.Stream;

import dev.uncontended.tls.server.TlsServer;
import dev.uncontended.tls.server.TlsServers;
import dev.uncontended.tls.session.SslSessionCache;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for {@link TlsServers} while a server replaces its SSL context.
 */
class ReplacedContextTests {

	private static final Set<Thread.State> SETTLED = EnumSet.of(Thread.State.BLOCKED, Thread.State.TERMINATED);

	@TempDir
	private Path directory;

	/*
	 * Another server is asked for its contexts after the server that replaces its own.
	 */
	@Test
	void contextInstalledWhileAnotherThreadReadsContextsStaysInUse() throws Exception {
		InMemoryServer server = new InMemoryServer(SslSessionCache.builder().build(), this.directory, true, "TLSv1.3");
		server.connect(1);
		Thread replacing = new Thread(() -> {
			try {
				server.reload();
				server.connect(2);
			}
			catch (Exception ex) {
				throw new IllegalStateException(ex);
			}
		});
		AtomicBoolean armed = new AtomicBoolean();
		TlsServer slow = () -> {
			if (armed.compareAndSet(true, false)) {
				replacing.start();
				while (!SETTLED.contains(replacing.getState())) {
					Thread.onSpinWait();
				}
			}
			return Stream.empty();
		};
		TlsServer removed = Stream::empty;
		server.servers.add(removed);
		server.servers.add(slow);
		armed.set(true);
		server.servers.remove(removed);
		replacing.join();
		assertThat(server.connect(2)).isTrue();
	}

}
