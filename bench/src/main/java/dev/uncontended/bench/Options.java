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
package dev.uncontended.bench;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * The arguments of a program, which have the form {@code name=value}.
 */
public final class Options {

	private final Map<String, String> values;

	private Options(Map<String, String> values) {
		this.values = values;
	}

	/**
	 * Parses arguments.
	 * @param args the arguments
	 * @param defaults a default value for each name
	 * @return the options
	 * @throws IllegalArgumentException if there is no such name
	 */
	public static Options parse(String[] args, Map<String, String> defaults) {
		Map<String, String> values = new LinkedHashMap<>(defaults);
		for (String arg : args) {
			String[] option = arg.split("=", 2);
			if (option.length != 2 || !values.containsKey(option[0])) {
				throw new IllegalArgumentException("Unknown argument " + arg + ". The names are " + defaults.keySet());
			}
			values.put(option[0], option[1]);
		}
		return new Options(values);
	}

	/**
	 * Returns a value.
	 * @param name the name
	 * @return the value
	 */
	public String text(String name) {
		return this.values.getOrDefault(name, "");
	}

	/**
	 * Returns a number.
	 * @param name the name
	 * @return the value
	 */
	public int number(String name) {
		return Integer.parseInt(text(name));
	}

	/**
	 * Returns the elements of a list, which commas separate.
	 * @param name the name
	 * @return the elements
	 */
	public List<String> list(String name) {
		return List.of(text(name).split(","));
	}

	/**
	 * Appends raw results to the file that the option {@code results} names, if any. A
	 * new file begins with the header.
	 * @param results the header, and the lines
	 * @throws IOException if the file cannot be written
	 */
	public void append(List<String> results) throws IOException {
		if (!text("results").isEmpty()) {
			Path file = Path.of(text("results"));
			Files.write(file, Files.exists(file) ? results.subList(1, results.size()) : results,
					StandardOpenOption.CREATE, StandardOpenOption.APPEND);
		}
	}

}
