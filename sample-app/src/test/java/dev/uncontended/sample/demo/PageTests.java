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

package dev.uncontended.sample.demo;

import java.io.File;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.logging.Level;
import java.util.stream.Stream;

import com.deque.html.axecore.selenium.AxeBuilder;
import dev.uncontended.sample.Programs;
import dev.uncontended.sample.SampleApplication;
import org.apache.catalina.connector.Connector;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledForJreRange;
import org.junit.jupiter.api.condition.JRE;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.openqa.selenium.By;
import org.openqa.selenium.Keys;
import org.openqa.selenium.StaleElementReferenceException;
import org.openqa.selenium.WebElement;
import org.openqa.selenium.chrome.ChromeDriver;
import org.openqa.selenium.chrome.ChromeDriverService;
import org.openqa.selenium.chrome.ChromeOptions;
import org.openqa.selenium.logging.LogEntry;
import org.openqa.selenium.logging.LogType;
import org.openqa.selenium.logging.LoggingPreferences;
import org.openqa.selenium.support.ui.WebDriverWait;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.boot.tomcat.TomcatWebServer;
import org.springframework.boot.web.server.servlet.context.ServletWebServerApplicationContext;
import org.springframework.context.ConfigurableApplicationContext;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

/**
 * Tests for the page in headless Chromium. Skipped if it or its driver is not on the
 * path. Runs on the oldest JDK only, because the page does not depend on the JDK.
 */
@Tag("integration")
@Tag("product")
@EnabledForJreRange(max = JRE.JAVA_20)
class PageTests {

	private static final Duration PATIENCE = Duration.ofSeconds(60);

	private static final Path SCREENSHOTS = Path.of("target", "screenshots");

	private static @Nullable ConfigurableApplicationContext application;

	private static @Nullable ChromeDriver driver;

	private final HttpClient client = HttpClient.newHttpClient();

	private final JsonMapper json = new JsonMapper();

	@BeforeAll
	static void startApplicationAndBrowser(@TempDir Path profile) {
		Optional<File> chromium = onPath("chromium", "google-chrome");
		Optional<File> chromedriver = onPath("chromedriver");
		assumeTrue(chromium.isPresent() && chromedriver.isPresent(),
				"The page is tested only where chromium and chromedriver are on the path");
		application = start(0, 0, "--sample.load.seconds=1", "--sample.load.warm-up-seconds=5",
				"--sample.handshake-warm-up=0s", "--uncontended.ssl.session-cache.timeout=8s");
		LoggingPreferences logging = new LoggingPreferences();
		logging.enable(LogType.BROWSER, Level.ALL);
		ChromeOptions options = new ChromeOptions();
		options.setBinary(chromium.get());
		options.setAcceptInsecureCerts(true);
		options.setCapability(ChromeOptions.LOGGING_PREFS, logging);
		options.addArguments("--headless=new", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run",
				"--disable-background-networking", "--disable-component-update", "--disable-sync",
				"--disable-dev-shm-usage", "--user-data-dir=" + profile);
		driver = new ChromeDriver(new ChromeDriverService.Builder().usingDriverExecutable(chromedriver.get()).build(),
				options);
	}

	@AfterAll
	static void stopApplicationAndBrowser() {
		if (driver != null) {
			driver.quit();
		}
		if (application != null) {
			application.close();
		}
	}

	@BeforeEach
	void open() {
		viewport(1440, "light");
		browser().get(http());
		awaitText("status", "Connected");
		awaitText("race-origin", "Published");
		consoleErrors();
	}

	@Test
	void showsDataOfEndpoints() {
		get("/uuids?count=1234&version=4");
		JsonNode generator = this.json.readTree(get("/actuator/uuid")).at("/generators/uuidGenerator");
		await(() -> !fact("generator-facts", "UUIDs").equals("0"));
		assertThat(fact("generator-facts", "Algorithm")).isEqualTo(generator.path("algorithm").stringValue());
		assertThat(text("generator-facts")).contains("32 stripes of 8 KB");
		assertThat(fact("generator-facts", "UUID.randomUUID()")).isEqualTo("JDK's own");
		assertThat(fact("handshake-facts", "Engine")).isEqualTo("JDK");
		assertThat(text("sessions-limits")).contains("200,000", "8 s");
		assertThat(consoleErrors()).isEmpty();
	}

	@Test
	void loadsNothingFromOtherHosts() {
		assertThat((List<?>) script("return performance.getEntriesByType('resource').map(({ name }) => name)"))
			.isNotEmpty()
			.allSatisfy((name) -> assertThat(name).asString().startsWith(http()));
	}

	@Test
	void showsPublishedFigures() {
		JsonNode published = this.json.readTree(get("/published.json"));
		assertThat(text("race-ratio")).isEqualTo("%.0f\u00d7".formatted(ratio(published, "pool", "jdk")));
		assertThat(text("race-measures"))
			.contains("%.2f M/s".formatted(published.at("/uuids/perSecond/jdk/1/median").doubleValue() / 1e6));
		assertThat(text("others-ratio")).isEqualTo("%.0f\u00d7".formatted(ratio(published, "time-ordered", "jdk")));
		browser().findElement(By.cssSelector("input[value='names']")).sendKeys(" ");
		assertThat(text("others-ratio")).isEqualTo("%.1f\u00d7".formatted(ratio(published, "names", "jdk-names")));
		assertThat(text("others-meaning")).contains("NameUuidFactory");
		assertThat(text("engines"))
			.contains(published.at("/handshakes/engines").findValuesAsString("median").toArray(String[]::new));
		assertThat(text("latency-rows")).contains("nginx", "Tomcat JDK", "Tomcat BoringSSL");
		choose(32);
		awaitText("race-origin", "No figures are published. Race to measure.");
		assertThat(text("race-ratio")).isEqualTo("\u2013");
	}

	private static double ratio(JsonNode published, String ours, String jdk) {
		JsonNode rates = published.at("/uuids/perSecond");
		return rates.path(ours).at("/2/median").doubleValue() / rates.path(jdk).at("/2/median").doubleValue();
	}

	@Test
	void raceRunsBothLanes() {
		element("race-button").click();
		awaitText("race-message", "The JDK");
		awaitText("race-message", "Uncontended");
		awaitText("race-origin", "Raced here");
		assertThat(text("race-origin")).contains("2 threads", "processor", System.getProperty("java.version"));
		assertThat(text("race-ratio")).matches("\\d+(\\.\\d)?×");
		assertThat(text("race-note-jdk")).contains(" to ", "UUID.randomUUID()");
		assertThat(text("race-note-ours")).contains(" to ", "UuidGenerator on CTR_DRBG");
		assertThat(consoleErrors()).isEmpty();
	}

	@ParameterizedTest
	@CsvSource({ "timeOrdered, UUID.randomUUID(), UuidGenerator.timeOrderedUuid()",
			"names, UUID.nameUUIDFromBytes(), 'NameUuidFactory, version 3'" })
	void racesVersion7AndNames(String race, String jdk, String ours) {
		browser().findElement(By.cssSelector("input[value='" + race + "']")).sendKeys(" ");
		element("others-button").click();
		awaitText("others-origin", "Raced here");
		assertThat(text("others-ratio")).matches("\\d+(\\.\\d)?×");
		assertThat(text("others-note-jdk")).contains(" to ", jdk);
		assertThat(text("others-note-ours")).contains(" to ", ours);
		assertThat(text("race-origin")).startsWith("Published");
		assertThat(consoleErrors()).isEmpty();
	}

	@Test
	void raceStartsAndStopsByKeyboard() {
		WebElement active = browser().switchTo().activeElement();
		for (int i = 0; i < 10 && !active.getText().equals("Race in this JVM"); i++) {
			active.sendKeys(Keys.TAB);
			active = browser().switchTo().activeElement();
			WebElement outlined = active.getTagName().equals("input") ? active.findElement(By.xpath("../span"))
					: active;
			assertThat(outlined.getCssValue("outline-style")).isEqualTo("solid");
		}
		active.sendKeys(Keys.ENTER);
		awaitText("race-message", "The JDK warms up");
		element("race-button").sendKeys(Keys.ENTER);
		awaitText("race-message", "Stopped.");
		assertThat(text("race-origin")).startsWith("Published");
	}

	@Test
	void comparesEngines() {
		element("tls-button").click();
		awaitText("tls-origin", "Measured here");
		assertThat(text("tls-ratio")).matches("\\d+(\\.\\d)?×");
		assertThat(consoleErrors()).isEmpty();
	}

	@Test
	void showsSessionsThatResumeAndExpire() {
		element("connect-button").click();
		awaitText("sessions-message", "25 clients connected: 25 full handshakes, 0 resumed.");
		element("return-button").click();
		awaitText("sessions-message", "25 clients connected: 0 full handshakes, 25 resumed.");
		await(() -> Integer.parseInt(fact("session-facts", "Full handshakes")) >= 25
				&& Integer.parseInt(fact("session-facts", "Resumed")) >= 25);
		await(() -> {
			element("return-button").click();
			awaitText("sessions-message", "connected");
			// Sessions expire one after the other, so not all clients of a return need a
			// new one.
			return text("sessions-message")
				.matches("25 clients connected: [1-9]\\d* full handshakes?, \\d+ resumed\\.");
		});
		await(() -> {
			element("return-button").click();
			return Integer.parseInt(fact("session-facts", "Refused")) >= 50
					&& Integer.parseInt(fact("session-facts", "Expired")) >= 25;
		});
		assertThat(text("sessions-meaning")).contains("only sessions whose token is in it resume");
		assertThat(element("end-button").isDisplayed()).isFalse();
		assertThat(consoleErrors()).isEmpty();
	}

	@Test
	void showsTicketKeysAndEndsSessionsWithBoringSsl() {
		try (ConfigurableApplicationContext other = start(0, 0, "--spring.profiles.active=boringssl")) {
			browser().get("http://127.0.0.1:" + port(other, false));
			await(() -> fact("handshake-facts", "Engine").equals("BoringSSL"));
			awaitText("ticket-facts", "source local");
			assertThat(text("sessions-meaning")).contains("BoringSSL has no cache");
			assertThat(text("sessions-limits")).isEqualTo("not counted");
			element("connect-button").click();
			awaitText("sessions-message", "25 full handshakes");
			await(() -> element("end-button").isDisplayed());
			element("end-button").click();
			awaitText("sessions-message", "All sessions of this node have ended");
			element("return-button").click();
			awaitText("sessions-message", "25 clients connected: 25 full handshakes, 0 resumed.");
			await(() -> fact("ticket-facts", "Last end of all sessions").equals("on this node"));
			assertThat(consoleErrors()).isEmpty();
			browser().get("about:blank");
		}
	}

	@Test
	void reportsMissingEndpointsAndStoppedServerAndRecovers() {
		String[] bare = { "--management.endpoints.web.exposure.include=health" };
		int httpsPort = Programs.freePort();
		int httpPort = Programs.freePort();
		ConfigurableApplicationContext other = start(httpPort, httpsPort, bare);
		try {
			browser().get("http://127.0.0.1:" + httpPort);
			awaitText("generators-title", "Generators");
			await(() -> browser().findElements(By.className("absent"))
				.stream()
				.allMatch((absent) -> absent.getText().contains("is not exposed")));
			other.close();
			awaitText("status", "does not answer");
			element("race-button").click();
			awaitText("race-message", "The race has ended early: the application does not answer.");
			other = start(httpPort, httpsPort, bare);
			awaitText("status", "Connected");
		}
		finally {
			browser().get("about:blank");
			other.close();
		}
	}

	@ParameterizedTest
	@CsvSource({ "360, light", "768, dark", "1440, light", "1440, dark" })
	void isAccessibleAndFitsViewport(int width, String scheme) throws IOException {
		viewport(width, scheme);
		await(() -> script("return innerWidth").equals((long) width)
				&& !fact("session-facts", "Full handshakes").isEmpty());
		assertThat(script("return document.documentElement.scrollWidth"))
			.isEqualTo(script("return document.documentElement.clientWidth"));
		assertThat((List<?>) script(OVERFLOWING)).as("what sticks out of its card").isEmpty();
		assertThat(new AxeBuilder().analyze(browser()).getViolations()).isEmpty();
		screenshot(width + "-" + scheme);
	}

	/**
	 * Returns elements that overflow their card.
	 */
	private static final String OVERFLOWING = """
			const inner = (card) => card.getBoundingClientRect().right - parseFloat(getComputedStyle(card).paddingRight);
			return [...document.querySelectorAll(['h2', 'h3', 'p', 'dt', 'dd', 'th', 'td', 'label', 'button', '.note', '.rate']
				.map((tag) => `.card ${tag}`))]
				.filter((element) => element.checkVisibility())
				.filter((element) => {
					const range = document.createRange();
					range.selectNodeContents(element);
					return Math.max(range.getBoundingClientRect().right, element.getBoundingClientRect().right)
						> inner(element.closest('.card')) + 1;
				})
				.map((element) => element.outerHTML);
			""";

	private static ConfigurableApplicationContext start(int httpPort, int httpsPort, String... arguments) {
		return new SpringApplicationBuilder(SampleApplication.class).run(
				Stream
					.concat(Stream.of("--server.port=" + httpPort, "--sample.https-port=" + httpsPort),
							Arrays.stream(arguments))
					.toArray(String[]::new));
	}

	private static int port(@Nullable ConfigurableApplicationContext context, boolean secure) {
		assertThat(context).isNotNull();
		return Stream
			.of(((TomcatWebServer) ((ServletWebServerApplicationContext) context).getWebServer()).getTomcat()
				.getService()
				.findConnectors())
			.filter((connector) -> connector.getSecure() == secure)
			.mapToInt(Connector::getLocalPort)
			.findFirst()
			.orElseThrow();
	}

	private static String http() {
		return "http://127.0.0.1:" + port(application, false) + "/";
	}

	private static ChromeDriver browser() {
		assertThat(driver).isNotNull();
		return driver;
	}

	private static Optional<File> onPath(String... names) {
		return Arrays.stream(names)
			.flatMap((name) -> Stream.of(System.getenv("PATH").split(File.pathSeparator))
				.map((directory) -> new File(directory, name)))
			.filter(File::canExecute)
			.findFirst();
	}

	private static Object script(String script) {
		Object result = browser().executeScript(script);
		assertThat(result).isNotNull();
		return result;
	}

	private static void viewport(int width, String scheme) {
		browser().executeCdpCommand("Emulation.setDeviceMetricsOverride",
				Map.of("width", width, "height", 900, "deviceScaleFactor", 1, "mobile", false));
		browser().executeCdpCommand("Emulation.setEmulatedMedia",
				Map.of("features", List.of(Map.of("name", "prefers-color-scheme", "value", scheme))));
	}

	private static void screenshot(String name) throws IOException {
		Object data = browser()
			.executeCdpCommand("Page.captureScreenshot", Map.of("format", "png", "captureBeyondViewport", true))
			.get("data");
		Files.createDirectories(SCREENSHOTS);
		Files.write(SCREENSHOTS.resolve(name + ".png"), Base64.getDecoder().decode(String.valueOf(data)));
	}

	private static List<String> consoleErrors() {
		return browser().manage()
			.logs()
			.get(LogType.BROWSER)
			.getAll()
			.stream()
			.filter((entry) -> entry.getLevel().intValue() >= Level.SEVERE.intValue())
			.map(LogEntry::getMessage)
			.toList();
	}

	private static void await(Condition condition) {
		new WebDriverWait(browser(), PATIENCE, Duration.ofMillis(50)).ignoring(StaleElementReferenceException.class)
			.until((driver) -> condition.holds());
	}

	private static void awaitText(String id, String text) {
		new WebDriverWait(browser(), PATIENCE, Duration.ofMillis(50)).ignoring(StaleElementReferenceException.class)
			.withMessage(() -> "'%s' in '%s'".formatted(text, text(id)))
			.until((driver) -> text(id).contains(text));
	}

	private static void choose(int threads) {
		browser().findElement(By.cssSelector("input[value='" + threads + "']")).sendKeys(" ");
	}

	private static WebElement element(String id) {
		return browser().findElement(By.id(id));
	}

	private static String text(String id) {
		return element(id).getText().replace('\u00a0', ' ');
	}

	/**
	 * Reads a fact by one script, because the page replaces the elements of facts.
	 * Returns an empty text if the page does not show the fact yet.
	 */
	private static String fact(String id, String name) {
		return String.valueOf(script("""
				const row = [...document.getElementById('%s').children]
					.find(({ firstChild: term }) => term.firstChild.textContent === '%s');
				return row?.lastChild.textContent ?? '';""".formatted(id, name))).replace('\u00a0', ' ');
	}

	private String get(String path) {
		HttpRequest request = HttpRequest.newBuilder(URI.create(http()).resolve(path)).timeout(PATIENCE).build();
		try {
			HttpResponse<String> response = this.client.send(request, HttpResponse.BodyHandlers.ofString());
			assertThat(response.statusCode()).isEqualTo(200);
			return response.body();
		}
		catch (IOException | InterruptedException ex) {
			throw new IllegalStateException(ex);
		}
	}

	/**
	 * A condition to wait for.
	 */
	@FunctionalInterface
	private interface Condition {

		boolean holds();

	}

}
