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

package dev.uncontended.random;

import java.io.File;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Path;
import java.security.Provider;
import java.security.ProviderException;
import java.security.SecureRandom;
import java.security.Security;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.UUID;

import dev.uncontended.ChildJvm;
import dev.uncontended.random.internal.DropIn;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for {@code UUID.randomUUID()} with the provider, each in a separate JVM, because
 * {@code UUID} obtains its generator once.
 */
@Tag("integration")
class UncontendedProviderInstallTests {

	@Test
	void isEffectiveIfInstalledBeforeFirstUuid() throws Exception {
		assertThat(run(InTime.class)).isEqualTo("false true true false");
	}

	@Test
	void isNotEffectiveIfInstalledAfterFirstUuid() throws Exception {
		assertThat(run(TooLate.class)).isEqualTo("false true false");
	}

	@Test
	void isEffectiveDoesNotDrawWithoutProvider() throws Exception {
		assertThat(run(AskedFirst.class)).isEqualTo("false true");
	}

	@Test
	void isInstalledCreatesNoGeneratorWithoutProvider() throws Exception {
		assertThat(run(FirstInList.class)).isEqualTo("false");
	}

	@Test
	void uninstalledProviderDelegatesToJdk() throws Exception {
		assertThat(run(Uninstalled.class)).isEqualTo("true false true");
	}

	@Test
	void everyInstallDiscardsBits() throws Exception {
		assertThat(run(InstalledAgain.class)).isEqualTo("1 2");
	}

	@Test
	void secondClassLoaderKeepsProviderOfFirst() throws Exception {
		assertThat(run(TwoClassLoaders.class)).isEqualTo("keeps first\nserves\nstays\ngone\ninstalls second");
	}

	@Test
	void failedInstallLeavesListUnchanged() throws Exception {
		assertThat(run(WithoutAes.class)).isEqualTo("ProviderException false 4\ntrue true 4");
	}

	@Test
	void isEffectiveAnswersWithoutAes() throws Exception {
		assertThat(run(AesRemovedLater.class)).isEqualTo("true");
	}

	private static String run(Class<?> main) throws Exception {
		return ChildJvm.run(main).strip();
	}

	static final class InTime {

		private InTime() {
		}

		public static void main(String[] args) {
			boolean before = UncontendedProvider.isEffective();
			UncontendedProvider.install();
			long drawsBefore = DropIn.INSTANCE.pool().stats().draws();
			UUID.randomUUID();
			boolean drawn = DropIn.INSTANCE.pool().stats().draws() == drawsBefore + 1;
			boolean effective = UncontendedProvider.isEffective();
			UncontendedProvider.uninstall();
			UUID.randomUUID();
			System.out.println(before + " " + drawn + " " + effective + " " + UncontendedProvider.isEffective());
		}

	}

	static final class InstalledAgain {

		private InstalledAgain() {
		}

		public static void main(String[] args) {
			UncontendedProvider.install();
			UUID.randomUUID();
			long before = DropIn.INSTANCE.pool().stats().refills();
			UncontendedProvider.install();
			UUID.randomUUID();
			System.out.println(before + " " + DropIn.INSTANCE.pool().stats().refills());
		}

	}

	static final class TooLate {

		private TooLate() {
		}

		public static void main(String[] args) {
			UUID.randomUUID();
			boolean before = UncontendedProvider.isEffective();
			UncontendedProvider.install();
			new SecureRandom().nextBytes(new byte[16]);
			System.out
				.println(before + " " + UncontendedProvider.isInstalled() + " " + UncontendedProvider.isEffective());
		}

	}

	static final class AskedFirst {

		private AskedFirst() {
		}

		public static void main(String[] args) {
			boolean before = UncontendedProvider.isEffective();
			UncontendedProvider.install();
			System.out.println(before + " " + UncontendedProvider.isEffective());
		}

	}

	/** Fails if a generator is created by the provider that is first in the list. */
	static final class FirstInList {

		private FirstInList() {
		}

		public static void main(String[] args) {
			Security.insertProviderAt(new Provider("First", "1", "") {

				private static final long serialVersionUID = 1L;

				{
					putService(new Service(this, "SecureRandom", "First", "none", List.of(), Map.of()) {

						@Override
						public Object newInstance(Object parameter) {
							throw new IllegalStateException("A generator was created");
						}

					});
				}

			}, 1);
			System.out.println(UncontendedProvider.isInstalled());
		}

	}

	static final class Uninstalled {

		private Uninstalled() {
		}

		public static void main(String[] args) {
			UncontendedProvider.install();
			UUID.randomUUID();
			boolean installed = counts();
			UncontendedProvider.uninstall();
			boolean uninstalled = counts();
			UncontendedProvider.install();
			System.out.println(installed + " " + uninstalled + " " + counts());
		}

		private static boolean counts() {
			long before = DropIn.INSTANCE.pool().stats().draws();
			UUID.randomUUID();
			return DropIn.INSTANCE.pool().stats().draws() > before;
		}

	}

	/**
	 * Two applications in one JVM, each with the library in its own class loader.
	 */
	static final class TwoClassLoaders {

		private TwoClassLoaders() {
		}

		public static void main(String[] args) throws Exception {
			Class<?> first = load();
			Class<?> second = load();
			call(first, "install");
			call(second, "install");
			if (call(first, "isEffective").equals(true) && call(second, "isInstalled").equals(false)) {
				System.out.println("keeps first");
			}
			Object before = call(first, "stats");
			UUID.randomUUID();
			if (!before.equals(call(first, "stats"))) {
				System.out.println("serves");
			}
			call(second, "uninstall");
			if (call(first, "isEffective").equals(true)) {
				System.out.println("stays");
			}
			call(first, "uninstall");
			if (Security.getProvider("Uncontended") == null && UUID.randomUUID().version() == 4) {
				System.out.println("gone");
			}
			call(second, "install");
			if (call(second, "isInstalled").equals(true) && call(second, "isEffective").equals(false)) {
				System.out.println("installs second");
			}
		}

		private static Class<?> load() throws Exception {
			List<URL> path = new ArrayList<>();
			for (String entry : System.getProperty("java.class.path").split(File.pathSeparator)) {
				path.add(Path.of(entry).toUri().toURL());
			}
			return Class.forName(UncontendedProvider.class.getName(), true,
					new URLClassLoader(path.toArray(URL[]::new), ClassLoader.getPlatformClassLoader()));
		}

		private static Object call(Class<?> provider, String method) throws Exception {
			return provider.getMethod(method).invoke(null);
		}

	}

	/** Removes AES, which the generator needs, temporarily. */
	static final class WithoutAes {

		private WithoutAes() {
		}

		public static void main(String[] args) {
			Provider aes = Security.getProvider("SunJCE");
			Security.removeProvider("SunJCE");
			String exception = "none";
			try {
				UncontendedProvider.install();
			}
			catch (ProviderException ex) {
				exception = ex.getClass().getSimpleName();
			}
			System.out.println(exception + " " + UncontendedProvider.isInstalled() + " " + UUID.randomUUID().version());
			Security.addProvider(aes);
			UncontendedProvider.install();
			boolean works = new SecureRandom().nextLong() != 0;
			System.out.println(works + " " + UncontendedProvider.isInstalled() + " " + UUID.randomUUID().version());
		}

	}

	/** Removes AES after the installation and before the first UUID. */
	static final class AesRemovedLater {

		private AesRemovedLater() {
		}

		public static void main(String[] args) {
			UncontendedProvider.install();
			Security.removeProvider("SunJCE");
			System.out.println(UncontendedProvider.isEffective());
		}

	}

}
