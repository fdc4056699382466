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
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
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
import java.util.concurrent.CompletableFuture;
import java.util.logging.Level;
import java.util.stream.Stream;

import org.apache.catalina.connector.Connector;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
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
@Tag("integration")
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
		viewport(1440, "light");
		browser().get(http());
		script("return localStorage.clear() ?? true");
		browser().navigate().refresh();
		awaitText("connection", "Live");
		consoleErrors();
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
		long random = generator.at("/generated/random").longValue();
		long timeOrdered = generator.at("/generated/timeOrdered").longValue();
		long full = sum(sessions.path("handshakes"), "full");
		long resumed = sum(sessions.path("handshakes"), "resumed");
		Map<String, String> expected = new LinkedHashMap<>();
		expected.put("generated", number(random + timeOrdered));
		expected.put("generated-each", number(random) + " random, " + number(timeOrdered) + " time-ordered");
		expected.put("refills", number(generator.at("/pool/refills").longValue()));
		expected.put("reseeds", plural(generator.at("/pool/reseeds").longValue(), "reseed"));
		expected.put("cache-size", number(cache.path("size").longValue()));
		expected.put("timeout", "24 h");
		expected.put("handshakes-full", number(full));
		expected.put("handshakes-resumed", number(resumed));
		expected.put("resumed-note",
				(full > 0) ? number(resumed) + " of " + number(full + resumed) : "No handshake yet");
		await(() -> texts(expected.keySet()).equals(expected));
		assertThat(texts(expected.keySet())).isEqualTo(expected);
		assertThat(text("jdk")).contains(uuid.at("/jdk/effective").booleanValue() ? "runs on a pool" : "not installed");
		assertThat(consoleErrors()).isEmpty();
	}

	@Test
	void showsSettingsWhenTheyAreFoldedOut() throws Exception {
		assertThat(element("algorithm").isDisplayed()).isFalse();
		summary("settings").click();
		JsonNode generator = this.json.readTree(get("/actuator/uuid")).at("/generators/uuidGenerator");
		assertThat(text("algorithm")).isEqualTo(generator.path("algorithm").stringValue());
		assertThat(text("provider")).isEqualTo(generator.path("provider").stringValue());
		assertThat(text("stripe-count")).isEqualTo(String.valueOf(generator.at("/pool/stripes").intValue()));
		assertThat(text("buffer-size")).isEqualTo("8 KB");
		assertThat(text("maximum-size")).isEqualTo("20,480");
		assertThat(text("stateful")).isEqualTo("no");
	}

	@Test
	void isServedByBothPorts() throws Exception {
		browser().get(https());
		awaitText("connection", "Live");
		await(() -> !text("handshakes-full").equals("0"));
		summary("ciphers").click();
		assertThat(element("handshakes-table").isDisplayed()).isTrue();
		assertThat(element("handshakes-empty").isDisplayed()).isFalse();
		JsonNode first = this.json.readTree(get("/actuator/sslsessions")).path("handshakes").path(0);
		assertThat(element("handshakes").getText()).contains(first.path("protocol").stringValue(),
				first.path("cipherSuite").stringValue());
		assertThat(text("resumed-share")).endsWith("%");
		assertThat(consoleErrors()).isEmpty();
	}

	@Test
	void countsHandshakesThatFail() throws Exception {
		long before = failures();
		try (Socket socket = new Socket("127.0.0.1", URI.create(https()).getPort())) {
			socket.getOutputStream().write("This is not TLS\r\n\r\n".getBytes(StandardCharsets.US_ASCII));
			socket.getInputStream().readAllBytes();
		}
		await(() -> failures() > before);
		assertThat(element("tile-failures").getDomAttribute("class")).contains("alarm");
		assertThat(text("failures-note")).contains("handshake");
		assertThat(text("failed-reasons")).containsPattern("[a-z]+ [1-9]");
	}

	@Test
	void loadsNothingFromElsewhere() {
		assertThat((List<?>) browser()
			.executeScript("return performance.getEntriesByType('resource').map((resource) => resource.name)"))
			.isNotEmpty()
			.allSatisfy((name) -> assertThat(name).asString().startsWith(http()));
	}

	@Test
	void racesBothLanesInOneClickAndKeepsTheResult() throws IOException {
		// So that the picture, which the README shows, has handshakes, too.
		browser().get(https());
		awaitText("connection", "Live");
		browser().get(http());
		awaitText("resumed-note", " of ");
		Object layout = script(LAYOUT);
		element("race-button").click();
		awaitText("race-message", "The JDK warms up");
		await(() -> detail("jdk").startsWith("Warming up"));
		assertThat(text("lane-pool")).contains("Waits for the JDK");
		assertThat(script(LAYOUT)).as("places during the race").isEqualTo(layout);
		awaitText("race-message", "The JDK is measured");
		awaitText("race-message", "The pool warms up");
		assertThat(detail("jdk")).containsPattern("in \\d+\\.\\d s, after \\d+\\.\\d s of warming up");
		awaitText("race-message", "times as many UUIDs as the JDK");
		assertThat(progress()).isEqualTo(1);
		assertThat(text("lane-jdk")).contains("UUID.randomUUID()");
		assertThat(text("ratio-note")).contains(rate("pool") + " against " + rate("jdk"), "32 threads");
		assertThat((List<?>) script(POINTS)).hasSize(2).allSatisfy((points) -> assertThat((Long) points).isPositive());
		screenshot("page");
		String ratio = text("ratio");
		String races = text("races");
		assertThat(races).contains("32", rate("pool"), rate("jdk"), ratio);
		browser().navigate().refresh();
		await(() -> text("ratio").equals(ratio));
		assertThat(text("races")).isEqualTo(races);
		assertThat((List<?>) script(POINTS)).hasSize(2).allSatisfy((points) -> assertThat((Long) points).isPositive());
		element("races-clear").click();
		assertThat(text("ratio")).isEqualTo("–");
		browser().navigate().refresh();
		assertThat(element("races-box").isDisplayed()).isFalse();
		assertThat(consoleErrors()).isEmpty();
	}

	@Test
	void racesAndStopsFromTheKeyboard() throws Exception {
		List<String> visited = new ArrayList<>();
		WebElement active = browser().switchTo().activeElement();
		while (!active.getText().equals("Race both") && visited.size() < 10) {
			active.sendKeys(Keys.TAB);
			active = browser().switchTo().activeElement();
			visited.add(active.getTagName());
			WebElement outlined = active.getTagName().equals("input") ? active.findElement(By.xpath("../span"))
					: active;
			assertThat(outlined.getCssValue("outline-style")).isEqualTo("solid");
		}
		assertThat(visited).containsExactly("input", "button");
		active.sendKeys(Keys.chord(Keys.SHIFT, Keys.TAB));
		browser().switchTo().activeElement().sendKeys(Keys.ARROW_LEFT);
		browser().switchTo().activeElement().sendKeys(Keys.ENTER);
		await(() -> detail("jdk").startsWith("Warming up"));
		assertThat(this.json.readTree(get("/load")).at("/measured/threads").intValue()).isEqualTo(1);
		element("race-button").sendKeys(Keys.ENTER);
		awaitText("race-message", "Stopped.");
		await(() -> status("/load") == 204);
		assertThat(element("races-box").isDisplayed()).isFalse();
	}

	@Test
	void saysThatAnotherLoadIsRunning() throws Exception {
		CompletableFuture<?> other = this.client
			.sendAsync(HttpRequest.newBuilder(URI.create(http() + "load?source=pool&threads=1&seconds=3&warmup=0"))
				.POST(HttpRequest.BodyPublishers.noBody())
				.build(), HttpResponse.BodyHandlers.ofString());
		await(() -> status("/load") == 200);
		element("race-button").click();
		awaitText("race-message", "The JDK did not finish: Another load is running");
		other.join();
	}

	@ParameterizedTest
	@CsvSource({ "360, light", "390, light", "390, dark", "768, light", "768, dark", "1440, light", "1440, dark" })
	void isReadable(int width, String scheme) throws IOException {
		viewport(width, scheme);
		for (String id : List.of("stripes", "ciphers", "settings")) {
			summary(id).click();
		}
		await(() -> script("return innerWidth").equals((long) width) && !text("stripes-note").equals("–"));
		await(() -> script("return document.documentElement.scrollWidth")
			.equals(script("return document.documentElement.clientWidth")));
		assertThat((List<?>) script(CONTRAST)).as("text with a contrast below 4.5").isEmpty();
		assertThat((List<?>) script(WRAPPED)).as("figures that are not on one line").isEmpty();
		assertThat((List<?>) script(OVERFLOWING)).as("what sticks out of its card").isEmpty();
		await(() -> script(
				"return [...document.querySelectorAll('canvas')].every((canvas) => canvas.clientWidth > 100)")
			.equals(true));
		screenshot(width + "-" + scheme);
	}

	@Test
	void writesFiguresAsPeopleDo() {
		assertThat(format("duration", "'PT24H'")).isEqualTo("24\u00a0h");
		assertThat(format("duration", "'PT1H30M5S'")).isEqualTo("1\u00a0h 30\u00a0min 5\u00a0s");
		assertThat(format("duration", "86400")).isEqualTo("24\u00a0h");
		assertThat(format("rate", "0")).isEqualTo("0\u00a0/s");
		assertThat(format("rate", "812.3")).isEqualTo("812\u00a0/s");
		assertThat(format("rate", "999600")).isEqualTo("1.00\u00a0M/s");
		assertThat(format("rate", "131234567")).isEqualTo("131\u00a0M/s");
		assertThat(format("share", "3907914, 385000000")).isEqualTo("1%");
		assertThat(format("share", "0, 0")).isEqualTo("–");
		assertThat(format("micros", "0.0000123")).isEqualTo("12.3\u00a0µs");
		assertThat(format("bytes", "8192")).isEqualTo("8\u00a0KB");
		assertThat(format("bytes", "80")).isEqualTo("80\u00a0bytes");
	}

	@Test
	void movesNothingForThoseThatPreferThat() {
		assertThat(element("ratio-pool").getCssValue("transition-duration")).isNotEqualTo("0s");
		media("prefers-reduced-motion", "reduce");
		assertThat(element("ratio-pool").getCssValue("transition-property")).isEqualTo("none");
	}

	@Test
	void remembersTheShapeOfTimeOverReload() {
		await(() -> history() > 4);
		long before = history();
		browser().navigate().refresh();
		awaitText("connection", "Live");
		await(() -> history() > before);
		assertThat(text("since-start-note")).startsWith("Since ").contains("peak");
	}

	@Test
	void showsManyStripesAsOneDistribution() {
		with("--uncontended.uuid.random.stripes=256", (base) -> {
			get(base + "uuids?count=10000");
			browser().get(base);
			awaitText("connection", "Live");
			summary("stripes").click();
			awaitText("stripes-note", "256 stripes");
			assertThat(browser().findElements(By.cssSelector("#stripes tbody tr"))).hasSize(3);
			assertThat(element("stripes").getSize().getHeight()).isLessThan(500);
			assertThat(script("return Chart.getChart('stripes-chart').data.datasets[0].data.length")).isEqualTo(257L);
		});
	}

	@Test
	void showsTheOtherPartsWithoutSessionCache() {
		with("--uncontended.ssl.session-cache.enabled=false", (base) -> {
			get(base + "uuids?count=10");
			browser().get(base);
			awaitText("connection", "Live");
			await(() -> text("generated").equals("10"));
			await(() -> element("tls-absent").isDisplayed());
			assertThat(text("tls-absent")).contains("uncontended.ssl.session-cache.enabled=false");
			assertThat(text("resumed-note")).isEqualTo("Off");
			assertThat(element("cache-size").isDisplayed()).isFalse();
			assertThat(text("failures")).isEqualTo("0");
			element("race-button").click();
			await(() -> detail("jdk").startsWith("Warming up"));
			element("race-button").click();
			awaitText("race-message", "Stopped.");
		});
		assertThat(consoleErrors()).allMatch((message) -> message.contains("/actuator/sslsessions"));
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
			awaitText("connection", "does not answer");
			assertThat(text("connection")).contains("Its figures are of", "Trying again every second");
			element("race-button").click();
			awaitText("race-message", "The JDK did not finish");
			other = start(port, httpPort);
			awaitText("connection", "Live");
			element("race-button").click();
			await(() -> detail("jdk").startsWith("Warming up"));
		}
		finally {
			browser().get("about:blank");
			other.close();
		}
		assertThat(consoleErrors()).isNotEmpty().allMatch((message) -> message.contains("net::ERR_"));
	}

	/**
	 * The texts with a contrast to their background below what WCAG 2.2 asks for (1.4.3,
	 * level AA).
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

	/**
	 * What does not fit into its card.
	 */
	private static final String OVERFLOWING = """
			const inner = (card) => card.getBoundingClientRect().right - parseFloat(getComputedStyle(card).paddingRight);
			return [...document.querySelectorAll(['h2', 'p', 'dt', 'dd', 'td', 'label', 'button', 'summary']
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

	/**
	 * The figures that take more than one line.
	 */
	private static final String WRAPPED = """
			return [...document.querySelectorAll('.headline, .facts dd, .rate, td, .tile h2')]
				.filter((element) => element.checkVisibility() && element.textContent.trim())
				.filter((element) => {
					const range = document.createRange();
					range.selectNodeContents(element);
					const lines = [...range.getClientRects()].filter((rect) => rect.width > 0);
					return lines.some((rect) => rect.top >= lines[0].bottom);
				})
				.map((element) => element.outerHTML);
			""";

	/**
	 * The places of what must not shift while figures change.
	 */
	private static final String LAYOUT = """
			return [...document.querySelectorAll('.tile, #race-form, #race-track, .lanes > div, .pair section')]
				.map((element) => element.getBoundingClientRect())
				.map(({ x, width, height }) => [x, width, height].map(Math.round).join(' '));
			""";

	/**
	 * The number of points of each lane on the chart.
	 */
	private static final String POINTS = "return Chart.getChart('race-chart').data.datasets.map((lane) => lane.data.length)";

	private static ConfigurableApplicationContext start(int port, int httpPort, String... arguments) {
		return new SpringApplicationBuilder(SampleApplication.class).run(Stream
			.concat(Stream.of("--server.port=" + port, "--sample.http-port=" + httpPort), Arrays.stream(arguments))
			.toArray(String[]::new));
	}

	private static void with(String argument, Steps steps) {
		try (ConfigurableApplicationContext other = start(0, 0, argument)) {
			steps.run("http://127.0.0.1:" + port(other, false) + "/");
			browser().get("about:blank");
		}
		catch (Exception ex) {
			throw new IllegalStateException(ex);
		}
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
		media("prefers-color-scheme", scheme);
	}

	private static void media(String feature, String value) {
		browser().executeCdpCommand("Emulation.setEmulatedMedia",
				Map.of("features", List.of(Map.of("name", feature, "value", value))));
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

	private static WebElement summary(String id) {
		return element(id).findElement(By.tagName("summary"));
	}

	private static String text(WebElement element) {
		return element.getText().replace('\u00a0', ' ');
	}

	private static String text(String id) {
		return text(element(id));
	}

	private static Map<String, String> texts(Iterable<String> ids) {
		Map<String, String> texts = new LinkedHashMap<>();
		ids.forEach((id) -> texts.put(id, text(id)));
		return texts;
	}

	private static String detail(String source) {
		return text(element("lane-" + source).findElement(By.className("detail")));
	}

	private static String rate(String source) {
		return text(element("lane-" + source).findElement(By.className("rate")));
	}

	private static double progress() {
		String value = element("race-progress").getDomProperty("value");
		assertThat(value).isNotNull();
		return Double.parseDouble(value);
	}

	private static long failures() {
		return Long.parseLong(text("failures").replace(",", ""));
	}

	private static long history() {
		return (Long) script("return Chart.getChart('since-start-chart').data.datasets[0].data.length");
	}

	private static Object format(String function, String arguments) {
		return browser().executeAsyncScript("const done = arguments[0];"
				+ "import('/format.js').then((format) => done(format.%s(%s)))".formatted(function, arguments));
	}

	private static String number(long number) {
		return String.format(Locale.ENGLISH, "%,d", number);
	}

	private static String plural(long number, String noun) {
		return number(number) + " " + noun + ((number != 1) ? "s" : "");
	}

	private static long sum(JsonNode list, String property) {
		return list.valueStream().mapToLong((item) -> item.path(property).longValue()).sum();
	}

	private int status(String path) {
		return send(path).statusCode();
	}

	private String get(String path) {
		HttpResponse<String> response = send(path);
		assertThat(response.statusCode()).isEqualTo(200);
		return response.body();
	}

	private HttpResponse<String> send(String path) {
		HttpRequest request = HttpRequest.newBuilder(URI.create(http()).resolve(path)).timeout(PATIENCE).build();
		try {
			return this.client.send(request, HttpResponse.BodyHandlers.ofString());
		}
		catch (IOException | InterruptedException ex) {
			throw new IllegalStateException(ex);
		}
	}

	/**
	 * What is waited for.
	 */
	@FunctionalInterface
	private interface Condition {

		boolean holds();

	}

	/**
	 * What is done with an application.
	 */
	@FunctionalInterface
	private interface Steps {

		void run(String base) throws Exception;

	}

}
