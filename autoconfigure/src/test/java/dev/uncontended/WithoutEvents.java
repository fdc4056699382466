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
import java.io.InputStream;

/**
 * Loads a package without its events for the flight recorder.
 */
public final class WithoutEvents extends ClassLoader {

	private final String packageName;

	/**
	 * Creates a class loader.
	 * @param packageName the name of the package
	 */
	public WithoutEvents(String packageName) {
		super(WithoutEvents.class.getClassLoader());
		this.packageName = packageName;
	}

	@Override
	protected Class<?> loadClass(String name, boolean resolve) throws ClassNotFoundException {
		if (!name.startsWith(this.packageName + ".")) {
			return super.loadClass(name, resolve);
		}
		if (name.endsWith("Event")) {
			throw new StackOverflowError();
		}
		Class<?> loaded = findLoadedClass(name);
		return (loaded != null) ? loaded : define(name);
	}

	private Class<?> define(String name) throws ClassNotFoundException {
		try (InputStream file = getParent().getResourceAsStream(name.replace('.', '/') + ".class")) {
			byte[] bytes = file.readAllBytes();
			return defineClass(name, bytes, 0, bytes.length);
		}
		catch (IOException ex) {
			throw new ClassNotFoundException(name, ex);
		}
	}

}
