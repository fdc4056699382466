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

package dev.uncontended.sample;

import java.io.File;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Base64;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.logging.Level;
import java.util.stream.Stream;

import org.apache.catalina.connector.Connector;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.openqa.selenium.By;
import org.openqa.selenium.Keys;
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
 * Tests for the page, in headless Chromium. Skipped where that or its driver is not on
 * the path.
 */
class PageTests {

	private static final Duration PATIENCE = Duration.ofSeconds(30);

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
		application = start(0, 0);
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
		viewport(1600, "light");
		browser().get(http());
		awaitText("connection", "Live");
	}

	@AfterEach
	void leave() {
		browser().get("about:blank");
	}

	@Test
	void showsWhatTheEndpointsTell() throws Exception {
		get("/uuids?count=12345&version=4");
		get("/uuids?count=678&version=7");
		JsonNode uuid = this.json.readTree(get("/actuator/uuid"));
		JsonNode generator = uuid.at("/generators/uuidGenerator");
		JsonNode sessions = this.json.readTree(get("/actuator/sslsessions"));
		JsonNode cache = sessions.at("/caches/sslSessionCache");
		Map<String, String> expected = new LinkedHashMap<>();
		expected.put("generated-random", number(generator.at("/generated/random")));
		expected.put("generated-time-ordered", number(generator.at("/generated/timeOrdered")));
		expected.put("refills", number(generator.at("/pool/refills")));
		expected.put("contended", number(generator.at("/pool/contended")));
		expected.put("reseeds", number(generator.at("/pool/reseeds")));
		expected.put("algorithm", generator.path("algorithm").stringValue());
		expected.put("provider", generator.path("provider").stringValue());
		expected.put("stripe-count", number(generator.at("/pool/stripes")));
		expected.put("buffer-size", number(generator.at("/pool/bufferSize")));
		expected.put("cache-size", number(cache.path("size")));
		expected.put("maximum-size", number(cache.path("maximumSize")));
		expected.put("timeout", cache.path("timeout").stringValue());
		expected.put("handshakes-full", sum(sessions.path("handshakes"), "full"));
		expected.put("handshakes-resumed", sum(sessions.path("handshakes"), "resumed"));
		expected.put("handshakes-failed", sum(sessions.path("failedHandshakes"), "count"));
		await(() -> texts(expected.keySet()).equals(expected));
		assertThat(texts(expected.keySet())).isEqualTo(expected);
		assertThat(stripesOnPage()).isEqualTo(stripes(generator.at("/pool/perStripe")));
		assertThat(text("jdk"))
			.contains(uuid.at("/jdk/effective").booleanValue() ? "runs on the pool" : "not installed");
		assertThat(consoleErrors()).isEmpty();
	}

	@Test
	void isServedByBothPorts() throws Exception {
		browser().get(https());
		awaitText("connection", "Live");
		await(() -> !text("handshakes-full").equals("0"));
		assertThat(element("handshakes-table").isDisplayed()).isTrue();
		assertThat(element("handshakes-empty").isDisplayed()).isFalse();
		JsonNode first = this.json.readTree(get("/actuator/sslsessions")).path("handshakes").path(0);
		assertThat(text("handshakes-share")).endsWith("%");
		assertThat(element("handshakes").getText()).contains("application", first.path("protocol").stringValue(),
				first.path("cipherSuite").stringValue());
		assertThat(consoleErrors()).isEmpty();
	}

	@Test
	void loadsNothingFromElsewhere() {
		assertThat((List<?>) browser()
			.executeScript("return performance.getEntriesByType('resource').map((resource) => resource.name)"))
			.isNotEmpty()
			.allSatisfy((name) -> assertThat(name).asString().startsWith(http()));
	}

	@Test
	void racesJdkAndPoolAndShowsRatio() throws IOException {
		button("jdk").click();
		await(() -> rate("jdk") > 0 && progress("jdk") > 0);
		assertThat(progress("jdk")).isLessThan(1);
		assertThat(detail("jdk")).isEqualTo("Running with 32 threads");
		button("pool").click();
		assertThat(text("race-message")).isEqualTo("The JDK is still running; press again when it has ended.");
		awaitText("race-message", "Run the other one");
		button("pool").click();
		await(() -> number("last-second") > 0);
		awaitText("race-message", "times as many");
		assertThat(progress("jdk")).isEqualTo(1);
		assertThat(progress("pool")).isEqualTo(1);
		assertThat(detail("pool")).matches("[\\d,]+ UUIDs with 32 threads in \\d\\.\\d\\d s");
		assertThat(text("race-message")).isEqualTo("With 32 threads the pool draws %.1f times as many UUIDs as the JDK."
			.formatted(rate("pool") / rate("jdk")));
		screenshot("page");
		assertThat(consoleErrors()).isEmpty();
	}

	@Test
	void comparesOnlyEqualNumbersOfThreads() {
		element("race-form").findElement(By.cssSelector("input[value='1']")).click();
		button("jdk").click();
		awaitText("race-message", "Run the other one");
		element("race-form").findElement(By.cssSelector("input[value='300']")).click();
		button("pool").click();
		awaitText("race-message", "different numbers of threads");
		assertThat(detail("jdk")).contains("with 1 thread in");
		assertThat(detail("pool")).contains("with 300 threads in");
	}

	@Test
	void runsRaceFromTheKeyboard() {
		List<String> visited = new ArrayList<>();
		WebElement active = browser().switchTo().activeElement();
		while (!active.getText().equals("Run the JDK") && visited.size() < 10) {
			active.sendKeys(Keys.TAB);
			active = browser().switchTo().activeElement();
			visited.add(active.getTagName());
			assertThat(active.getCssValue("outline-style")).isEqualTo("solid");
		}
		assertThat(visited).containsExactly("a", "a", "input", "button");
		active.sendKeys(Keys.chord(Keys.SHIFT, Keys.TAB));
		browser().switchTo().activeElement().sendKeys(Keys.ARROW_LEFT);
		browser().switchTo().activeElement().sendKeys(Keys.ENTER);
		awaitText("race-message", "Run the other one");
		assertThat(detail("jdk")).contains("with 1 thread in");
	}

	@ParameterizedTest
	@CsvSource({ "400, light", "400, dark", "1600, light", "1600, dark" })
	void isReadable(int width, String scheme) throws IOException {
		viewport(width, scheme);
		await(() -> script("return innerWidth").equals((long) width));
		await(() -> script("return document.documentElement.scrollWidth")
			.equals(script("return document.documentElement.clientWidth")));
		assertThat((List<?>) script(CONTRAST)).as("text with a contrast below 4.5").isEmpty();
		assertThat(
				script("return [...document.querySelectorAll('canvas')].every((canvas) => canvas.clientWidth > 100)"))
			.isEqualTo(true);
		screenshot(width + "-" + scheme);
	}

	@Test
	void saysThatServerStoppedAndRecovers() {
		ConfigurableApplicationContext other = start(0, 0);
		int port = port(other, true);
		int httpPort = port(other, false);
		try {
			browser().get("http://127.0.0.1:" + httpPort);
			awaitText("connection", "Live");
			other.close();
			awaitText("connection", "The server does not answer");
			assertThat(text("connection")).contains("The figures below are of", "Trying again every second");
			button("pool").click();
			awaitText("race-message", "The pool did not finish");
			other = start(port, httpPort);
			awaitText("connection", "Live");
			button("pool").click();
			awaitText("race-message", "Run the other one");
		}
		finally {
			other.close();
		}
		assertThat(consoleErrors()).isNotEmpty().allMatch((message) -> message.contains("net::ERR_"));
	}

	/**
	 * The texts whose contrast with their background is below what WCAG 2.2 asks for
	 * (1.4.3, level AA).
	 */
	private static final String CONTRAST = """
			const channels = (color) => color.match(/[\\d.]+/g).map(Number);
			const luminance = (color) => channels(color).slice(0, 3).map((channel) => channel / 255)
				.map((channel) => channel <= 0.04045 ? channel / 12.92 : ((channel + 0.055) / 1.055) ** 2.4)
				.reduce((sum, channel, index) => sum + channel * [0.2126, 0.7152, 0.0722][index], 0);
			const background = (element) => {
				const color = getComputedStyle(element).backgroundColor;
				return channels(color)[3] === 0 ? background(element.parentElement) : color;
			};
			const contrast = (element) => {
				const [light, dark] = [getComputedStyle(element).color, background(element)].map(luminance)
					.sort((a, b) => b - a);
				return (light + 0.05) / (dark + 0.05);
			};
			return [...document.querySelectorAll('h1, h2, h3, p, a, dt, dd, th, td, label, legend, button, summary')]
				.filter((element) => element.checkVisibility() && element.textContent.trim() && contrast(element) < 4.5)
				.map((element) => element.outerHTML);
			""";

	private static ConfigurableApplicationContext start(int port, int httpPort) {
		return new SpringApplicationBuilder(SampleApplication.class).run("--server.port=" + port,
				"--sample.http-port=" + httpPort);
	}

	private static int port(ConfigurableApplicationContext context, boolean secure) {
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
		assertThat(application).isNotNull();
		return "http://127.0.0.1:" + port(application, false) + "/";
	}

	private static String https() {
		assertThat(application).isNotNull();
		return "https://127.0.0.1:" + port(application, true) + "/";
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
		new WebDriverWait(browser(), PATIENCE, Duration.ofMillis(50)).until((driver) -> condition.holds());
	}

	private static void awaitText(String id, String text) {
		new WebDriverWait(browser(), PATIENCE, Duration.ofMillis(50))
			.withMessage(() -> "'%s' in '%s'".formatted(text, text(id)))
			.until((driver) -> text(id).contains(text));
	}

	private static WebElement element(String id) {
		return browser().findElement(By.id(id));
	}

	private static WebElement button(String source) {
		return element("race-form").findElement(By.cssSelector("button[value='" + source + "']"));
	}

	private static String text(String id) {
		return element(id).getText();
	}

	private static Map<String, String> texts(Iterable<String> ids) {
		Map<String, String> texts = new LinkedHashMap<>();
		ids.forEach((id) -> texts.put(id, text(id)));
		return texts;
	}

	private static double number(String id) {
		return Double.parseDouble(text(id).replace(",", ""));
	}

	private static String detail(String source) {
		return element("lane-" + source).findElement(By.className("detail")).getText();
	}

	private static double rate(String source) {
		String rate = element("lane-" + source).findElement(By.className("rate")).getText();
		return rate.endsWith(" /s") ? Double.parseDouble(rate.replaceAll("[^\\d]", "")) : 0;
	}

	private static double progress(String source) {
		String value = element("lane-" + source).findElement(By.tagName("progress")).getDomProperty("value");
		assertThat(value).isNotNull();
		return Double.parseDouble(value);
	}

	private static List<String> stripesOnPage() {
		Object rows = script("return [...document.querySelectorAll('#stripes tr')]"
				+ ".map((row) => [...row.cells].map((cell) => cell.textContent).join(' '))");
		return ((List<?>) rows).stream().map(String::valueOf).toList();
	}

	private static List<String> stripes(JsonNode stripes) {
		List<String> rows = new ArrayList<>();
		for (JsonNode stripe : stripes) {
			rows.add(String.join(" ", String.valueOf(rows.size()), number(stripe.path("draws")),
					number(stripe.path("refills")), number(stripe.path("contended"))));
		}
		return rows;
	}

	private static String number(JsonNode number) {
		return String.format(Locale.ENGLISH, "%,d", number.longValue());
	}

	private static String sum(JsonNode list, String property) {
		long sum = 0;
		for (JsonNode item : list) {
			sum += item.path(property).longValue();
		}
		return String.format(Locale.ENGLISH, "%,d", sum);
	}

	private String get(String path) throws IOException, InterruptedException {
		HttpRequest request = HttpRequest.newBuilder(URI.create(http()).resolve(path)).timeout(PATIENCE).build();
		HttpResponse<String> response = this.client.send(request, HttpResponse.BodyHandlers.ofString());
		assertThat(response.statusCode()).isEqualTo(200);
		return response.body();
	}

	/**
	 * What is waited for.
	 */
	@FunctionalInterface
	private interface Condition {

		boolean holds();

	}

}
