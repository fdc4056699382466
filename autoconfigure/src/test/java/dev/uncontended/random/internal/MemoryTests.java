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
import java.lang.management.ManagementFactory;
import java.lang.reflect.Array;
import java.lang.reflect.Field;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.stream.LongStream;

import com.sun.management.HotSpotDiagnosticMXBean;
import dev.uncontended.ChildJvm;
import dev.uncontended.random.UncontendedProvider;
import dev.uncontended.random.prng.Prng;
import dev.uncontended.uuid.UuidGenerator;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for what the memory of a process reveals of later UUIDs, each in a separate JVM.
 * Each process draws, waits for longer than the reseed interval, copies memory, and draws
 * again. With an interval of zero, the same processes verify that the tests find the
 * UUIDs.
 */
@Tag("integration")
class MemoryTests {

	@ParameterizedTest
	@EnumSource
	void heapDumpContainsNoLaterUuid(Source source, @TempDir Path directory) throws Exception {
		assertThat(dump(source, Duration.ofMillis(100), directory)).isZero();
	}

	@ParameterizedTest
	@EnumSource
	void heapDumpContainsLaterUuidsWithoutLimit(Source source, @TempDir Path directory) throws Exception {
		assertThat(dump(source, Duration.ZERO, directory)).isPositive();
	}

	@Test
	void copiedGeneratorCreatesNoLaterUuid() throws Exception {
		assertThat(copy(Duration.ofMillis(100))).isZero();
	}

	@Test
	void copiedGeneratorCreatesLaterUuidsWithoutLimit() throws Exception {
		assertThat(copy(Duration.ZERO)).isPositive();
	}

	private static int dump(Source source, Duration interval, Path directory) throws Exception {
		return Integer.parseInt(
				ChildJvm
					.run(List.of("-Xmx48m"), (entry) -> true, HeapDump.class, source.name(), interval.toString(),
							directory.resolve("heap.hprof").toString())
					.strip());
	}

	private static int copy(Duration interval) throws Exception {
		return Integer.parseInt(ChildJvm.run(
				List.of("--add-opens=java.base/javax.crypto=ALL-UNNAMED",
						"--add-opens=java.base/com.sun.crypto.provider=ALL-UNNAMED"),
				(entry) -> true, CopiedState.class, interval.toString())
			.strip());
	}

	/**
	 * Draws from many threads, which together use all stripes.
	 */
	private static UUID[] drawFromThreads(Consumer<UUID[]> fill) throws InterruptedException {
		List<UUID[]> drawn = new ArrayList<>();
		List<Thread> threads = new ArrayList<>();
		for (int i = 0; i < 64; i++) {
			UUID[] uuids = new UUID[600];
			drawn.add(uuids);
			threads.add(new Thread(() -> fill.accept(uuids)));
		}
		threads.forEach(Thread::start);
		for (Thread thread : threads) {
			thread.join();
		}
		return drawn.stream().flatMap(Arrays::stream).toArray(UUID[]::new);
	}

	/** Creates UUIDs in arrays. */
	enum Source {

		RANDOM((interval) -> each(generator(interval)::randomUuid)),

		TIME_ORDERED((interval) -> each(generator(interval)::timeOrderedUuid)),

		BULK((interval) -> generator(interval)::fill),

		BULK_TIME_ORDERED((interval) -> generator(interval)::fillTimeOrdered),

		DROP_IN((interval) -> {
			UncontendedProvider.install(StripedPool.defaultStripes(), 8192, interval);
			return each(UUID::randomUUID);
		});

		private final Function<Duration, Consumer<UUID[]>> fill;

		Source(Function<Duration, Consumer<UUID[]>> fill) {
			this.fill = fill;
		}

		private static UuidGenerator generator(Duration interval) {
			return UuidGenerator.builder().reseedInterval(interval).build();
		}

		private static Consumer<UUID[]> each(Supplier<UUID> supplier) {
			return (uuids) -> Arrays.setAll(uuids, (i) -> supplier.get());
		}

	}

	/** Prints how many UUIDs drawn after a heap dump it contains. */
	static final class HeapDump {

		private HeapDump() {
		}

		public static void main(String[] args) throws Exception {
			Consumer<UUID[]> fill = Source.valueOf(args[0]).fill.apply(Duration.parse(args[1]));
			drawFromThreads(fill);
			Thread.sleep(1000);
			Path file = Path.of(args[2]);
			ManagementFactory.getPlatformMXBean(HotSpotDiagnosticMXBean.class).dumpHeap(file.toString(), false);
			System.out.println(new RandomBits(drawFromThreads(fill)).count(read(file)));
		}

		private static ByteBuffer read(Path file) throws IOException {
			try (FileChannel channel = FileChannel.open(file)) {
				return channel.map(FileChannel.MapMode.READ_ONLY, 0, Files.size(file));
			}
		}

	}

	/** Prints how many UUIDs a generator creates that was copied before. */
	static final class CopiedState {

		private CopiedState() {
		}

		public static void main(String[] args) throws Exception {
			UuidGenerator generator = UuidGenerator.builder()
				.reseedInterval(Duration.parse(args[0]))
				.stripes(1)
				.build();
			generator.fill(new UUID[1000]);
			Prng copy = (Prng) new Copier()
				.copy(value(value(((Object[]) value(value(generator, "random"), "stripes"))[0], "refiller"), "prng"));
			Thread.sleep(1000);
			UUID[] uuids = new UUID[4000];
			generator.fill(uuids);
			int found = 0;
			RandomBits bits = new RandomBits(uuids);
			for (int batch = 0; batch < 20; batch++) {
				byte[] bytes = new byte[8192];
				copy.nextBytes(bytes);
				found += bits.count(ByteBuffer.wrap(bytes));
			}
			System.out.println(found);
		}

		private static Object value(Object object, String name) throws ReflectiveOperationException {
			Field field = object.getClass().getDeclaredField(name);
			field.setAccessible(true);
			return field.get(object);
		}

	}

	/** Copies a generator with the state of its cipher. */
	private static final class Copier {

		private final Map<Object, Object> copies = new IdentityHashMap<>();

		Object copy(Object object) throws ReflectiveOperationException {
			if (object == null || !isState(object.getClass())) {
				return object;
			}
			Object known = this.copies.get(object);
			if (known != null) {
				return known;
			}
			if (object.getClass().isArray()) {
				int length = Array.getLength(object);
				Object copy = Array.newInstance(object.getClass().getComponentType(), length);
				this.copies.put(object, copy);
				for (int i = 0; i < length; i++) {
					Array.set(copy, i, copy(Array.get(object, i)));
				}
				return copy;
			}
			Object copy = allocate(object.getClass());
			this.copies.put(object, copy);
			for (Class<?> type = object.getClass(); type != Object.class; type = type.getSuperclass()) {
				for (Field field : type.getDeclaredFields()) {
					if (!Modifier.isStatic(field.getModifiers()) && isState(type)) {
						field.setAccessible(true);
						field.set(copy, copy(field.get(object)));
					}
				}
			}
			return copy;
		}

		private static boolean isState(Class<?> type) {
			return type.isArray()
					|| type.getName().startsWith("com.sun.crypto.provider.") && !type.getName().endsWith("SunJCE")
					|| type.getName().equals("javax.crypto.Cipher") || type.getName().endsWith(".CtrDrbg");
		}

		private static Object allocate(Class<?> type) throws ReflectiveOperationException {
			Class<?> unsafe = Class.forName("sun.misc.Unsafe");
			Field field = unsafe.getDeclaredField("theUnsafe");
			field.setAccessible(true);
			Method allocate = unsafe.getMethod("allocateInstance", Class.class);
			return allocate.invoke(field.get(null), type);
		}

	}

	/**
	 * The last 54 bits of UUIDs, which are random in version 4 and 7. In a slot, they are
	 * the last or the first bits of the second half.
	 */
	private static final class RandomBits {

		private static final long MASK = (1L << 54) - 1;

		private final long[] sorted;

		/** The last 20 bits, for a fast search. */
		private final BitSet last = new BitSet();

		RandomBits(UUID[] uuids) {
			this.sorted = Arrays.stream(uuids)
				.mapToLong((uuid) -> uuid.getLeastSignificantBits() & MASK)
				.sorted()
				.toArray();
			LongStream.of(this.sorted).forEach((bits) -> this.last.set(last(bits)));
		}

		int count(ByteBuffer buffer) {
			buffer.order(ByteOrder.nativeOrder());
			int count = 0;
			for (int i = 0; i <= buffer.limit() - Long.BYTES; i++) {
				long half = buffer.getLong(i);
				// The drop-in's UUIDs are big-endian.
				if (contains(half & MASK) || contains(half >>> 10) || contains(Long.reverseBytes(half) & MASK)) {
					count++;
				}
			}
			return count;
		}

		private boolean contains(long bits) {
			return this.last.get(last(bits)) && Arrays.binarySearch(this.sorted, bits) >= 0;
		}

		private static int last(long bits) {
			return (int) bits & ((1 << 20) - 1);
		}

	}

}
