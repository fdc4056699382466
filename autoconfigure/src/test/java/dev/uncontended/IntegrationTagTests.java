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

import java.net.ServerSocket;
import java.net.Socket;
import java.net.http.HttpClient;
import java.nio.channels.NetworkChannel;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

import com.tngtech.archunit.core.domain.Dependency;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import de.bwaldvogel.mongo.MongoServer;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Holds the inner loop quick: a test that opens a connection or starts a process has the
 * tag by which the profile {@code quick} leaves it out.
 */
class IntegrationTagTests {

	private static final List<Class<?>> CONNECTIONS_AND_PROCESSES = List.of(Socket.class, ServerSocket.class,
			NetworkChannel.class, HttpClient.class, MongoServer.class, ProcessBuilder.class);

	private static final JavaClasses classes = new ClassFileImporter()
		.withImportOption(ImportOption.Predefined.ONLY_INCLUDE_TESTS)
		.importPackages("dev.uncontended");

	@Test
	void testsThatConnectOrStartProcessesAreTagged() {
		assertThat(classes.stream()
			.filter((javaClass) -> javaClass.getSimpleName().endsWith("Tests"))
			.filter((javaClass) -> connectsOrStartsProcesses(javaClass, new HashSet<>()))).isNotEmpty()
			.allMatch(IntegrationTagTests::isTagged, "has the tag");
	}

	/**
	 * Follows the classes that the tests share. The one that makes certificates is left
	 * out: keytool ends within a second.
	 */
	private static boolean connectsOrStartsProcesses(JavaClass javaClass, Set<JavaClass> seen) {
		if (!seen.add(javaClass) || javaClass.getSimpleName().equals("TestKeyStore")) {
			return false;
		}
		return javaClass.getDirectDependenciesFromSelf()
			.stream()
			.map(Dependency::getTargetClass)
			.anyMatch((target) -> CONNECTIONS_AND_PROCESSES.stream().anyMatch(target::isAssignableTo)
					|| (classes.contain(target.getName()) && connectsOrStartsProcesses(target, seen)));
	}

	private static boolean isTagged(JavaClass javaClass) {
		return javaClass.getClassHierarchy().stream().anyMatch((each) -> each.isAnnotatedWith(Tag.class))
				|| javaClass.getMethods().stream().anyMatch((method) -> method.isAnnotatedWith(Tag.class));
	}

}
