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

package dev.uncontended;

import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Stream;

import com.sun.management.ThreadMXBean;
import org.junit.jupiter.api.Named;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Verifies with a corpus what must hold for a reader of bytes from outside the process.
 * The profile {@code fuzz} calls {@link #check} with further bytes. It adds bytes for
 * which the check fails to the corpus.
 */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
public abstract class AbstractReaderTests {

	private static final ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();

	/**
	 * Verifies what must hold for any input.
	 */
	public abstract void check(byte[] input) throws Exception;

	@ParameterizedTest
	@MethodSource("corpus")
	void holdsForCorpus(Path file) throws Exception {
		check(Files.readAllBytes(file));
	}

	final Stream<Named<Path>> corpus() throws IOException {
		String test = getClass().getName().replace("ReaderTests", "FuzzTests").replace('.', '/');
		Path folder = Path.of("src", "test", "resources").resolve(test + "Inputs").resolve("read");
		return Files.list(folder).sorted().map((file) -> Named.of(file.getFileName().toString(), file));
	}

	/**
	 * Runs the reader and verifies that the memory it allocates is at most 1 MiB and 4
	 * KiB for each byte of the input, whatever lengths the input claims. Each byte can
	 * cause an exception with its stack trace.
	 */
	protected static void assertBoundedMemory(byte[] input, Runnable reader) {
		long limit = (1 << 20) + 4096L * input.length;
		// The first call may load classes.
		assertThat(allocates(reader) <= limit || allocates(reader) <= limit).as("bounded memory").isTrue();
	}

	private static long allocates(Runnable reader) {
		long before = threads.getCurrentThreadAllocatedBytes();
		reader.run();
		return threads.getCurrentThreadAllocatedBytes() - before;
	}

}
