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

package dev.uncontended.random.internal;

import java.io.IOException;
import java.io.InputStream;
import java.lang.ref.WeakReference;
import java.lang.reflect.Array;
import java.lang.reflect.Constructor;
import java.lang.reflect.Field;
import java.net.URL;
import java.net.URLClassLoader;
import java.security.ProtectionDomain;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.function.BooleanSupplier;

import dev.uncontended.ChildJvm;
import dev.uncontended.uuid.UuidGenerator;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for the thread of {@link Wiper}, each in a separate JVM, in which no other test
 * uses the thread.
 */
@Tag("integration")
class WiperTests {

	@Test
	void threadRunsWhilePoolIsUsed() throws Exception {
		assertThat(run(Life.class)).isEqualTo("""
				built: none
				drawn: daemon, no context class loader
				closed: ended
				drawn again: daemon, no context class loader""");
	}

	@Test
	void threadEndsAfterPoolWasForgotten() throws Exception {
		assertThat(run(Forgotten.class)).isEqualTo("ended");
	}

	@Test
	void classLoaderIsCollectedAfterClose() throws Exception {
		assertThat(run(Unloaded.class)).isEqualTo("collected");
	}

	@Test
	void classLoaderOfFirstCallerIsCollected() throws Exception {
		assertThat(run(StartedByOther.class)).isEqualTo("collected");
	}

	@Test
	void failureAndInterruptionDoNotEndThread() throws Exception {
		assertThat(run(Failing.class)).isEqualTo("wiped after a failure\nwiped after an interruption");
	}

	@Test
	void bytesAreWipedWhileHeapIsFull() throws Exception {
		assertThat(run(FullHeap.class, "-Xmx32m", "-XX:+UseSerialGC")).isEqualTo("full\nwiped");
	}

	private static String run(Class<?> main, String... options) throws Exception {
		return ChildJvm.run(List.of(options), (entry) -> true, main).strip();
	}

	private static Optional<Thread> wiper() {
		return Thread.getAllStackTraces()
			.keySet()
			.stream()
			.filter((thread) -> thread.getName().equals("uncontended-wiper"))
			.findAny();
	}

	private static boolean await(BooleanSupplier condition) throws InterruptedException {
		for (int i = 0; i < 600 && !condition.getAsBoolean(); i++) {
			Thread.sleep(50);
		}
		return condition.getAsBoolean();
	}

	private static boolean awaitCollection(WeakReference<?> reference) throws InterruptedException {
		return await(() -> {
			System.gc();
			return reference.get() == null;
		});
	}

	private static String describe(Thread thread) {
		return (thread.isDaemon() ? "daemon" : "no daemon")
				+ ((thread.getContextClassLoader() != null) ? ", context class loader" : ", no context class loader");
	}

	static final class Life {

		private Life() {
		}

		public static void main(String[] args) throws Exception {
			UuidGenerator generator = UuidGenerator.builder().build();
			generator.seed();
			System.out.println("built: " + wiper().map(WiperTests::describe).orElse("none"));
			generator.randomUuid();
			System.out.println("drawn: " + wiper().map(WiperTests::describe).orElse("none"));
			generator.close();
			System.out.println("closed: " + (await(() -> wiper().isEmpty()) ? "ended" : "runs"));
			UuidGenerator.builder().build().timeOrderedUuid();
			System.out.println("drawn again: " + wiper().map(WiperTests::describe).orElse("none"));
		}

	}

	static final class Forgotten {

		private Forgotten() {
		}

		public static void main(String[] args) throws Exception {
			UuidGenerator.builder().reseedInterval(Duration.ofDays(1)).build().randomUuid();
			Thread wiper = wiper().orElseThrow();
			System.out.println(await(() -> {
				System.gc();
				return !wiper.isAlive();
			}) ? "ended" : "runs");
		}

	}

	static final class Unloaded {

		private Unloaded() {
		}

		public static void main(String[] args) throws Exception {
			System.out.println(awaitCollection(use()) ? "collected" : "leaked");
		}

		private static WeakReference<ClassLoader> use() throws Exception {
			URL library = UuidGenerator.class.getProtectionDomain().getCodeSource().getLocation();
			ClassLoader loader = new URLClassLoader(new URL[] { library }, ClassLoader.getPlatformClassLoader());
			Object builder = loader.loadClass(UuidGenerator.class.getName()).getMethod("builder").invoke(null);
			Object generator = builder.getClass().getMethod("build").invoke(builder);
			generator.getClass().getMethod("randomUuid").invoke(generator);
			generator.getClass().getMethod("close").invoke(generator);
			return new WeakReference<>(loader);
		}

	}

	/** Another class loader's class starts the thread, which then continues to run. */
	static final class StartedByOther {

		private StartedByOther() {
		}

		public static void main(String[] args) throws Exception {
			UuidGenerator generator = UuidGenerator.builder().build();
			WeakReference<ClassLoader> other = start(generator);
			Thread wiper = wiper().orElseThrow();
			boolean collected = await(() -> {
				generator.randomUuid();
				System.gc();
				return other.get() == null;
			});
			System.out.println((collected && wiper.isAlive()) ? "collected" : "leaked, or the thread has ended");
		}

		private static WeakReference<ClassLoader> start(UuidGenerator generator) throws Exception {
			ClassLoader loader = new OtherLoader();
			Constructor<?> constructor = loader.loadClass(Caller.class.getName()).getDeclaredConstructors()[0];
			constructor.setAccessible(true);
			Thread thread = new Thread((Runnable) constructor.newInstance(generator));
			thread.start();
			thread.join();
			return new WeakReference<>(loader);
		}

	}

	/** Draws a UUID. */
	public static final class Caller implements Runnable {

		private final UuidGenerator generator;

		Caller(UuidGenerator generator) {
			this.generator = generator;
		}

		@Override
		public void run() {
			this.generator.randomUuid();
		}

	}

	private static final class OtherLoader extends ClassLoader {

		@Override
		protected Class<?> loadClass(String name, boolean resolve) throws ClassNotFoundException {
			if (!name.equals(Caller.class.getName())) {
				return super.loadClass(name, resolve);
			}
			try (InputStream input = getResourceAsStream(name.replace('.', '/') + ".class")) {
				byte[] bytes = input.readAllBytes();
				return defineClass(name, bytes, 0, bytes.length, new ProtectionDomain(null, null, this, null));
			}
			catch (IOException ex) {
				throw new ClassNotFoundException(name, ex);
			}
		}

	}

	/** Nothing here or in the thread can allocate an object, however small. */
	static final class FullHeap {

		private static Object[] heap;

		/** The thread does not keep pools from being collected. */
		private static StripedPool pool;

		private FullHeap() {
		}

		public static void main(String[] args) throws Exception {
			// The first wipe of a JVM loads classes.
			await(claim(Duration.ofMillis(1))::isEmpty);
			Batch batch = claim(Duration.ofSeconds(3));
			for (int length = 1 << 16; length > 0; length /= 2) {
				fill(length);
			}
			boolean full = !batch.isEmpty();
			long start = System.nanoTime();
			while (!batch.isEmpty() && System.nanoTime() - start < 10_000_000_000L) {
				// Takes what a collection frees.
				fill(1);
			}
			boolean wiped = batch.isEmpty();
			heap = null;
			System.out.println(full ? "full" : "wiped before the heap was full");
			System.out.println(wiped ? "wiped" : "not wiped");
		}

		private static Batch claim(Duration interval) {
			pool = new StripedPool(RandomAlgorithm.BuiltIn.CTR_DRBG, 1, 8192, interval);
			return pool.claim(1).batch();
		}

		private static void fill(int length) {
			try {
				while (true) {
					Object[] next = new Object[length];
					next[0] = heap;
					heap = next;
				}
			}
			catch (OutOfMemoryError ex) {
				// The heap is full.
			}
		}

	}

	static final class Failing {

		private Failing() {
		}

		public static void main(String[] args) throws Exception {
			Field field = StripedPool.class.getDeclaredField("stripes");
			field.setAccessible(true);
			StripedPool broken = new StripedPool(RandomAlgorithm.BuiltIn.CTR_DRBG, 1, 64, Duration.ofMillis(50));
			broken.draw(UUID::new);
			Array.set(field.get(broken), 0, null);
			StripedPool pool = new StripedPool(RandomAlgorithm.BuiltIn.CTR_DRBG, 1, 64, Duration.ofMillis(50));
			System.out.println((isWiped(pool) && isWiped(pool)) ? "wiped after a failure" : "not wiped");
			wiper().orElseThrow().interrupt();
			System.out.println((isWiped(pool) && isWiped(pool)) ? "wiped after an interruption" : "not wiped");
		}

		private static boolean isWiped(StripedPool pool) throws InterruptedException {
			Batch batch = pool.claim(1).batch();
			return await(batch::isEmpty);
		}

	}

}
