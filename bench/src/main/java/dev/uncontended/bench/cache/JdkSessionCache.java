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

package dev.uncontended.bench.cache;

import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.lang.reflect.Field;
import java.time.Duration;
import java.util.Map;

import org.jspecify.annotations.Nullable;

/**
 * The JDK's TLS session cache, {@code sun.security.util.Cache}. Requires
 * {@code --add-opens=java.base/sun.security.util=ALL-UNNAMED}. This class uses method
 * handles, because code that names the class does not compile with {@code --release}.
 * Constant method handles cost nothing once compiled.
 */
final class JdkSessionCache implements SessionCache {

	private static final MethodHandle NEW;

	private static final MethodHandle GET;

	private static final MethodHandle PUT;

	private static final MethodHandle REMOVE;

	static {
		try {
			Class<?> type = Class.forName("sun.security.util.Cache");
			MethodHandles.Lookup lookup = MethodHandles.lookup();
			MethodType get = MethodType.methodType(Object.class, Object.class);
			MethodType put = MethodType.methodType(void.class, Object.class, Object.class);
			MethodType remove = MethodType.methodType(void.class, Object.class);
			NEW = lookup.findStatic(type, "newSoftMemoryCache", MethodType.methodType(type, int.class, int.class))
				.asType(MethodType.methodType(Object.class, int.class, int.class));
			GET = lookup.findVirtual(type, "get", get).asType(get.insertParameterTypes(0, Object.class));
			PUT = lookup.findVirtual(type, "put", put).asType(put.insertParameterTypes(0, Object.class));
			REMOVE = lookup.findVirtual(type, "remove", remove).asType(remove.insertParameterTypes(0, Object.class));
		}
		catch (ReflectiveOperationException ex) {
			throw new ExceptionInInitializerError(ex);
		}
	}

	private final Object cache;

	JdkSessionCache(int maximumSize, Duration timeout) {
		try {
			this.cache = (Object) NEW.invokeExact(maximumSize, (int) timeout.toSeconds());
		}
		catch (Throwable ex) {
			throw new IllegalStateException(ex);
		}
	}

	@Override
	public @Nullable Object get(SessionKey key) {
		try {
			return (Object) GET.invokeExact(this.cache, (Object) key);
		}
		catch (Throwable ex) {
			throw new IllegalStateException(ex);
		}
	}

	@Override
	public void put(SessionKey key, Object value) {
		try {
			PUT.invokeExact(this.cache, (Object) key, value);
		}
		catch (Throwable ex) {
			throw new IllegalStateException(ex);
		}
	}

	@Override
	public void remove(SessionKey key) {
		try {
			REMOVE.invokeExact(this.cache, (Object) key);
		}
		catch (Throwable ex) {
			throw new IllegalStateException(ex);
		}
	}

	/**
	 * Sets the expiration times back, because this cache reads the wall clock.
	 */
	@Override
	public void advance(Duration time) {
		try {
			Map<?, ?> entries = (Map<?, ?>) field(this.cache, "cacheMap").get(this.cache);
			if (!entries.isEmpty()) {
				Field expirationTime = field(entries.values().iterator().next(), "expirationTime");
				for (Object entry : entries.values()) {
					setBack(entry, expirationTime, time);
				}
			}
			setBack(this.cache, field(this.cache, "nextExpirationTime"), time);
		}
		catch (ReflectiveOperationException ex) {
			throw new IllegalStateException(ex);
		}
	}

	private static void setBack(Object object, Field field, Duration time) throws ReflectiveOperationException {
		field.setLong(object, field.getLong(object) - time.toMillis());
	}

	private static Field field(Object object, String name) throws ReflectiveOperationException {
		Field field = object.getClass().getDeclaredField(name);
		field.setAccessible(true);
		return field;
	}

}
