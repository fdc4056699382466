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
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.logging.Level;
import java.util.stream.Stream;

import javax.net.ssl.SSLHandshakeException;
import javax.net.ssl.SSLSocket;
import javax.net.ssl.SSLSocketFactory;

import com.deque.html.axecore.selenium.AxeBuilder;
import org.apache.catalina.connector.Connector;
import org.assertj.core.api.InstanceOfAssertFactories;
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
import org.junit.jupiter.params.provider.ValueSource;
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
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

/**
 * Tests for the page in headless Chromium. Skipped if it or its driver is not on the
 * path.
 */
@Tag("integration")
@Tag("product")
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
		application = start(0, 0, "--uncontended.ssl.engine=boringssl", "--uncontended.uuid.random.stripes=256",
				"--sample.load.seconds=1", "--sample.load.warm-up-seconds=5", "--sample.handshake-warm-up=0s");
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
		driver.executeCdpCommand("Browser.grantPermissions",
				Map.of("permissions", List.of("clipboardReadWrite", "clipboardSanitizedWrite")));
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
		awaitText("status-application", "OK");
		awaitText("race-origin", "Published");
		consoleErrors();
	}

	@AfterEach
	void leave() {
		browser().get("about:blank");
	}

	@Test
	void showsDataOfEndpoints() {
		get("/uuids?count=12345&version=4");
		get("/uuids?count=678&version=7");
		JsonNode generator = this.json.readTree(get("/actuator/uuid")).at("/generators/uuidGenerator");
		long random = generator.at("/generated/random").longValue();
		long timeOrdered = generator.at("/generated/timeOrdered").longValue();
		await(() -> exactFact("pool-facts", "UUIDs").equals(number(random + timeOrdered)));
		assertThat(fact("session-facts", "Session timeout")).isEqualTo("24 h");
		assertThat(fact("handshake-facts", "Engine")).isEqualTo("BoringSSL");
		assertThat(fact("pool-facts", "UUID.randomUUID()")).isEqualTo("JDK's own");
		assertThat(consoleErrors()).isEmpty();
	}

	@Test
	void showsAtMostFiveFactsInEachCard() {
		awaitText("session-facts", "24 h");
		assertThat(script("""
				return [...document.querySelectorAll('.facts-card')]
					.map((card) => card.querySelectorAll('.facts > div').length)"""))
			.asInstanceOf(InstanceOfAssertFactories.list(Long.class))
			.hasSize(3)
			.allSatisfy((facts) -> assertThat(facts).isBetween(1L, 5L));
		assertThat(script("return document.querySelector('#session-facts .muted').innerText")).isEqualTo("0");
	}

	@Test
	void showsSettingsWhenExpanded() {
		summary("settings").click();
		JsonNode generator = this.json.readTree(get("/actuator/uuid")).at("/generators/uuidGenerator");
		awaitText("setting-facts", "Maximum sessions");
		assertThat(fact("setting-facts", "Algorithm")).isEqualTo(generator.path("algorithm").stringValue());
		assertThat(fact("setting-facts", "Provider")).isEqualTo(generator.path("provider").stringValue());
		assertThat(fact("setting-facts", "Stripes")).isEqualTo("256");
		assertThat(fact("setting-facts", "Buffer per stripe")).isEqualTo("8 KB");
		assertThat(fact("setting-facts", "Maximum sessions")).isEqualTo("20,480");
	}

	@Test
	void showsManyStripesAsOneDistribution() {
		summary("stripes").click();
		awaitText("stripes-note", "256 stripes");
		assertThat(element("stripes").getSize().getHeight()).isLessThan(500);
		assertThat(script("return Chart.getChart('stripes-chart').data.datasets[0].data.length")).isEqualTo(257L);
	}

	@Test
	void isServedByBothPorts() {
		browser().get(https());
		awaitText("status-application", "OK");
		await(() -> fact("handshake-facts", "Full").matches("[1-9].*"));
		// This browser negotiates a post-quantum group.
		await(() -> fact("handshake-facts", "Post-quantum").matches("[1-9].*%"));
		summary("ciphers").click();
		assertThat(element("ciphers-table").isDisplayed()).isTrue();
		JsonNode first = this.json.readTree(get("/actuator/sslsessions")).path("handshakes").path(0);
		assertThat(element("ciphers-rows").getText()).contains(first.path("protocol").stringValue(),
				first.path("cipherSuite").stringValue());
		assertThat(consoleErrors()).isEmpty();
	}

	@Test
	void loadsNothingFromOtherHosts() {
		assertThat((List<?>) browser()
			.executeScript("return performance.getEntriesByType('resource').map((resource) => resource.name)"))
			.isNotEmpty()
			.allSatisfy((name) -> assertThat(name).asString().startsWith(http()));
	}

	@Test
	void showsPublishedFiguresBeforeFirstRace() {
		JsonNode published = this.json.readTree(get("/published.json")).path("uuids");
		assertThat(text("ratio")).matches("\\d+(\\.\\d)?×");
		assertThat(text("ratio-range")).matches("[\\d.]+ to [\\d.]+");
		assertThat(text("race-origin")).contains("2 threads", "2 processors (AMD EPYC", "JDK ");
		assertThat(browser().findElements(By.cssSelector("#race-threads .measure"))).hasSize(2 * published.size())
			.allMatch(WebElement::isDisplayed);
		assertThat(element("race-chart").isDisplayed()).isFalse();
		String rate = text("rate-pool");
		choose(1);
		await(() -> text("race-origin").contains("1 thread,"));
		assertThat(text("rate-pool")).isNotEqualTo(rate);
	}

	@Test
	void offersRaceIfNoFiguresArePublished() {
		choose(32);
		awaitText("race-origin", "No figures are published. Race to measure.");
		assertThat(List.of(text("ratio"), text("rate-pool"), text("rate-jdk"))).containsOnly("–");
		assertThat(element("copy-text").isDisplayed()).isFalse();
		choose(2);
		awaitText("race-origin", "Published");
		assertThat(element("copy-text").isDisplayed()).isTrue();
	}

	private static void choose(int threads) {
		browser().findElement(By.cssSelector("input[value='" + threads + "']")).sendKeys(" ");
	}

	@Test
	void raceRunsBothLanesAndKeepsResult() {
		Object layout = script(LAYOUT);
		element("race-button").click();
		awaitText("race-message", "The JDK warms up");
		assertThat(text("rate-pool")).isEqualTo("Next");
		assertThat(text("note-pool")).isEqualTo("after the JDK");
		assertThat(script(LAYOUT)).as("places during the race").isEqualTo(layout);
		awaitText("rate-note", "The JDK is racing");
		awaitText("race-message", "The pool");
		awaitText("race-origin", "Raced here");
		assertThat(text("race-origin")).contains("2 threads", "processor", System.getProperty("java.version"));
		assertThat(element("race-chart").isDisplayed()).isTrue();
		assertThat(element("race-threads").isDisplayed()).isFalse();
		assertThat(script(POINTS)).asInstanceOf(InstanceOfAssertFactories.LIST)
			.hasSize(2)
			.allSatisfy((points) -> assertThat((Long) points).isPositive());
		String result = text("race");
		browser().navigate().refresh();
		await(() -> text("race-origin").startsWith("Raced here"));
		assertThat(text("ratio") + text("rate-pool") + text("rate-jdk")).isNotBlank();
		assertThat(result).contains(text("ratio"), text("ratio-range"), text("rate-pool"), text("rate-jdk"));
		assertThat(consoleErrors()).isEmpty();
	}

	@Test
	void resultIsCopiedAsText() {
		String ratio = text("ratio");
		element("copy-text").click();
		awaitText("race-message", "Copied the result");
		assertThat(clipboard()).contains(ratio, text("ratio-range"), "2 threads", text("rate-pool"), "JDK")
			.doesNotContain("127.0.0.1");
		assertThat(browser().findElements(By.cssSelector("#race-share button"))).hasSize(1);
	}

	@Test
	void marksRaceWithVaryingRatesAsNoisy() {
		restore(race(100, 100));
		awaitText("race-origin", "Raced here");
		assertThat(text("ratio")).isEqualTo("10×");
		assertThat(text("race-origin")).doesNotContain("Noisy");
		restore(race(2.4, 48));
		awaitText("race-origin", "Noisy: the rate of the pool varied by more than half");
		assertThat(text("note-pool")).isEqualTo("2.40 M to 48.0 M");
	}

	@ParameterizedTest
	@ValueSource(strings = { "{}", "{ \"threads\": 1 }", "null" })
	void ignoresStoredResultThatIsNoRace(String content) {
		restore(content);
		awaitText("race-origin", "Published");
		assertThat(consoleErrors()).isEmpty();
	}

	@Test
	void ignoresStoredRaceWithImpossibleDate() {
		restore(race(100, 100).replace("1795000000000", "1e300"));
		awaitText("race-origin", "Published");
	}

	@Test
	void explainsTheStarterAndWhyItIsFaster() {
		WebElement lead = browser().findElement(By.className("lead"));
		assertThat(text(lead)).contains("Spring Boot starter", "one dependency");
		assertThat(lead.findElement(By.linkText("README")).getDomProperty("href"))
			.isEqualTo("https://github.com/uncontended/uncontended#readme");
		assertThat(browser().findElements(By.cssSelector("#why svg"))).hasSize(2)
			.allSatisfy((picture) -> assertThat(picture.getSize().getWidth()).isGreaterThan(200));
		assertThat(text("why")).contains("take one lock", "its own generator");
	}

	@Test
	void showsPublishedLatencyOfEachServer() {
		JsonNode latency = this.json.readTree(get("/published.json")).path("latency");
		awaitText("latency-origin", "Published");
		assertThat(text("latency-origin")).contains("JDK " + latency.at("/machine/jdk").stringValue());
		assertThat(text("latency-ratio")).matches("\\d+(\\.\\d)?×");
		assertThat(text("latency-load")).contains(latency.path("perSecond").intValue() + " new connections");
		assertThat(browser().findElements(By.cssSelector("#latency-rows tr"))).hasSameSizeAs(latency.path("results"));
		assertThat(text("latency-rows")).contains("Tomcat JDK", "Tomcat BoringSSL", "nginx OpenSSL");
		assertThat(text("rate-latency-boringssl")).endsWith(" ms");
		assertThat(consoleErrors()).isEmpty();
	}

	@Test
	void namesEngineOfApplicationInsteadOfPublishedOne() {
		awaitText("tls-engine", "This application uses BoringSSL.");
		withResponse("/actuator/sslsessions", sessions("'jdk'", "null"), () -> {
			awaitText("tls-engine", "This application uses the JDK's TLS.");
			assertThat(text("tls")).doesNotContain("uses BoringSSL");
		});
	}

	@Test
	void showsEndOfAllSessionsInsteadOfCountOfSessionsInMemory() {
		awaitText("session-facts", "Session timeout");
		assertThat(text("session-facts")).doesNotContain("Ended", "Last end");
		withResponse("/actuator/sslsessions", sessions("'boringssl'",
				"{ source: 'redis', keys: 3, currentSince: '2026-11-24T10:00:00Z', nextRotation: '2026-11-24T22:00:00Z', lastEnd: 'ALL_NODES' }"),
				() -> {
					awaitText("session-facts", "Session timeout");
					assertThat(fact("session-facts", "Last end of all")).isEqualTo("on all nodes");
					assertThat(text("session-facts")).doesNotContain("Ended");
					// The node's own key, which encrypts until the node has read a shared
					// key.
					assertThat(text("tickets")).contains("1 key created since the last end");
				});
	}

	private static String sessions(String engine, String tickets) {
		return """
				{ caches: { sslSessionCache: { size: 0, maximumSize: 20480, timeout: 'PT24H', stats: { hits: 0, puts: 0,
					evictions: 0, expirations: 0, invalidations: 0 } } },
				  handshakes: [], failedHandshakes: [], stateful: null, engine: %s, tickets: %s }""".formatted(engine,
				tickets);
	}

	@Test
	void chartKeepsColorOfFailedHandshakes() {
		assertThat(script("return typeof Chart.getChart('handshakes-chart').data.datasets[2].backgroundColor"))
			.isEqualTo("string");
	}

	@Test
	void printsInkOnWhitePaperWithoutButtons() throws IOException {
		viewport(718, "dark");
		await(() -> script("return getComputedStyle(document.body).backgroundColor").equals("rgb(11, 13, 17)"));
		browser().executeCdpCommand("Emulation.setEmulatedMedia",
				Map.of("media", "print", "features", List.of(Map.of("name", "prefers-color-scheme", "value", "dark"))));
		try {
			assertThat(script("return getComputedStyle(document.body).backgroundColor"))
				.isEqualTo("rgb(255, 255, 255)");
			await(() -> script("return Chart.getChart('race-chart').options.scales.y.ticks.color")
				.equals("rgb(89 97 110 / 1)"));
			assertThat(browser().findElements(By.cssSelector("button, form, progress")))
				.noneMatch(WebElement::isDisplayed);
			assertFits();
			assertThat((List<?>) script(CONTRAST)).isEmpty();
			screenshot("print");
		}
		finally {
			browser().executeCdpCommand("Emulation.setEmulatedMedia", Map.of("media", "", "features", List.of()));
		}
	}

	@Test
	void raceStartsAndStopsByKeyboard() {
		WebElement active = browser().switchTo().activeElement();
		List<String> visited = new ArrayList<>();
		while (!active.getText().equals("Race in this JVM") && visited.size() < 10) {
			active.sendKeys(Keys.TAB);
			active = browser().switchTo().activeElement();
			visited.add(active.getTagName());
			WebElement outlined = active.getTagName().equals("input") ? active.findElement(By.xpath("../span"))
					: active;
			assertThat(outlined.getCssValue("outline-style")).isEqualTo("solid");
		}
		assertThat(visited).containsExactly("a", "input", "button");
		active.sendKeys(Keys.chord(Keys.SHIFT, Keys.TAB));
		browser().switchTo().activeElement().sendKeys(Keys.ARROW_LEFT);
		browser().switchTo().activeElement().sendKeys(Keys.ENTER);
		awaitText("race-message", "The JDK warms up");
		assertThat(this.json.readTree(get("/load")).at("/measured/threads").intValue()).isEqualTo(1);
		element("race-button").sendKeys(Keys.ENTER);
		awaitText("race-message", "Stopped.");
		assertThat(text("race-origin")).startsWith("Published");
		await(() -> status("/load") == 204);
	}

	@Test
	void reportsThatAnotherLoadIsRunning() {
		CompletableFuture<?> other = this.client
			.sendAsync(HttpRequest.newBuilder(URI.create(http() + "load?source=pool&threads=1&seconds=30&warmup=0"))
				.POST(HttpRequest.BodyPublishers.noBody())
				.build(), HttpResponse.BodyHandlers.ofString());
		await(() -> status("/load") == 200);
		element("race-button").click();
		awaitText("race-message", "The race has ended early: Another load is running");
		other.cancel(true);
		await(() -> status("/load") == 204);
	}

	@Test
	void runsHandshakesWithBothEngines() {
		JsonNode before = this.json.readTree(get("/actuator/sslsessions")).path("handshakes");
		element("handshakes-button").click();
		awaitText("tls-origin", "Made here");
		assertThat(text("tls-message")).contains("50 connections", "25 full handshakes", "25 resumed");
		assertThat(browser().findElements(By.cssSelector("#engines .measure"))).hasSize(4)
			.allSatisfy((row) -> assertThat(row.getText()).contains("250 made").containsPattern("[\\d,.]+\\s(µs|ms)"));
		assertThat(text("tls-ratio")).matches("\\d+(\\.\\d)?×");
		assertThat(text("tls-meaning")).contains("CPU time of the server");
		JsonNode after = this.json.readTree(get("/actuator/sslsessions")).path("handshakes");
		assertThat(sum(after, "full") - sum(before, "full")).isEqualTo(25);
		assertThat(sum(after, "resumed") - sum(before, "resumed")).isEqualTo(25);
		await(() -> bars(0) >= 25 && bars(1) >= 25);
		String ratio = text("tls-ratio");
		browser().navigate().refresh();
		awaitText("tls-origin", "Made here");
		assertThat(text("tls-ratio")).as("in every tab").isEqualTo(ratio);
		assertThat(consoleErrors()).isEmpty();
	}

	@Test
	void showsTicketKeysAndHidesForbiddenInvalidation() {
		awaitText("tickets-note", "source local");
		assertThat(text("tickets")).contains("Now", "Next", "since ", "from ");
		assertThat(element("tickets").getDomAttribute("aria-label")).contains("Now since");
		assertThat(element("end-button").isDisplayed()).isFalse();
	}

	@Test
	void drawsHistoryOfServer() {
		long before = lastSample().path(0).longValue();
		get("/uuids?count=54321&version=4");
		await(() -> lastSample().path(1).longValue() >= 54_321 && lastSample().path(0).longValue() > before);
		JsonNode history = this.json.readTree(get("/history")).path("samples");
		List<List<Number>> expected = new ArrayList<>();
		for (int i = 1; i < history.size(); i++) {
			long at = history.path(i).path(0).longValue();
			double seconds = (at - history.path(i - 1).path(0).longValue()) / 1000.0;
			expected.add(List.of(at, Math
				.round((history.path(i).path(1).longValue() - history.path(i - 1).path(1).longValue()) / seconds)));
		}
		long until = expected.get(expected.size() - 1).get(0).longValue();
		await(() -> script(
				"return Chart.getChart('rate-chart').data.datasets[0].data.some(({ x }) => x === %d)".formatted(until))
			.equals(true));
		assertThat(script("""
				return Chart.getChart('rate-chart').data.datasets[0].data.filter(({ x }) => x <= %d)
					.map(({ x, y }) => [x, Math.round(y)])""".formatted(until))).isEqualTo(expected);
		assertThat(script("return Chart.getChart('rate-chart').data.datasets[0].stepped")).isEqualTo("after");
	}

	@Test
	void stopsPollingWhileHidden() {
		script("""
				Object.defineProperty(document, 'visibilityState', { value: 'hidden', configurable: true });
				return true""");
		// A request under way is canceled after 3 seconds.
		awaitSamples(6);
		long newest = newestPoint();
		awaitSamples(3);
		assertThat(newestPoint()).isEqualTo(newest);
		script("""
				Object.defineProperty(document, 'visibilityState', { value: 'visible', configurable: true });
				return document.dispatchEvent(new Event('visibilitychange'))""");
		long now = lastSample().path(0).longValue();
		await(() -> newestPoint() >= now);
	}

	@Test
	void raisesAlarmForManyFailedHandshakesOnly() throws Exception {
		URI uri = URI.create(https());
		long failed = failedHandshakes();
		try (SSLSocket socket = (SSLSocket) SSLSocketFactory.getDefault().createSocket(uri.getHost(), uri.getPort())) {
			assertThatExceptionOfType(SSLHandshakeException.class).isThrownBy(socket::startHandshake);
		}
		await(() -> failedHandshakes() > failed);
		await(() -> lastSample().path(5).longValue() > failed);
		await(() -> text("status-tls").contains(recentlyFailed() + " of "));
		assertThat(text("status-tls")).contains("OK");
		for (int i = 0; i < 50; i++) {
			try (Socket socket = new Socket(uri.getHost(), uri.getPort())) {
				socket.getOutputStream().write("This is not TLS\r\n\r\n".getBytes(StandardCharsets.US_ASCII));
				socket.getInputStream().readAllBytes();
			}
		}
		awaitText("status-tls", "Failing");
		assertThat(text("status-tls")).contains("failed in 5 min");
		await(() -> bars(2) >= 50);
	}

	@Test
	void reportsMissingGenerator() {
		withResponse("/actuator/uuid", "{ generators: {}, names: {}, jdk: { installed: false, effective: false } }",
				() -> {
					awaitText("status-generators", "no generator");
					assertThat(text("pool-facts")).contains("the application has none");
					assertThat(consoleErrors()).isEmpty();
				});
	}

	@Test
	void fitsLargeCountsAt360Pixels() {
		viewport(360, "light");
		withResponse("/actuator/sslsessions",
				"""
						{ caches: { sslSessionCache: { size: 20480, maximumSize: 20480, timeout: 'PT24H', stats: { hits: 1, puts: 1,
							evictions: 1234567, expirations: 98765, invalidations: 12345 } } },
						  handshakes: [{ server: 'tomcat', context: 'application', protocol: 'TLSv1.2', full: 98765, resumed: 12345678,
						    cipherSuite: 'TLS_ECDHE_ECDSA_WITH_CHACHA20_POLY1305_SHA256' }],
						  failedHandshakes: [{ reason: 'certificate', count: 123456 }, { reason: 'protocol', count: 98765 }],
						  stateful: null, engine: 'jdk', tickets: null }""",
				() -> {
					awaitText("handshake-facts", "123,456 certificate");
					assertThat(fact("handshake-facts", "Failed")).isEqualTo("222 K");
					assertThat(exactFact("handshake-facts", "Failed")).isEqualTo("222,221");
					summary("ciphers").click();
					assertFits();
				});
	}

	@ParameterizedTest
	@CsvSource({ "360, light", "360, dark", "768, light", "768, dark", "1440, light", "1440, dark" })
	void textHasSufficientContrast(int width, String scheme) throws IOException {
		viewport(width, scheme);
		for (String id : List.of("stripes", "ciphers", "settings")) {
			summary(id).click();
		}
		await(() -> script("return innerWidth").equals((long) width) && !text("stripes-note").equals("–"));
		assertFits();
		assertThat((List<?>) script(CONTRAST)).as("text with a contrast below 4.5").isEmpty();
		assertThat((List<?>) script(WRAPPED)).as("figures that are not on one line").isEmpty();
		assertThat(new AxeBuilder().analyze(browser()).getViolations()).isEmpty();
		await(() -> script(
				"return [...document.querySelectorAll('.chart:not(.live) canvas')].every((canvas) => canvas.clientWidth > 100)")
			.equals(true));
		screenshot(width + "-" + scheme);
	}

	@Test
	void keepsBarsAndButtonsVisibleInForcedColors() throws IOException {
		browser().executeCdpCommand("Emulation.setEmulatedMedia",
				Map.of("features", List.of(Map.of("name", "forced-colors", "value", "active"))));
		String surface = element("race").getCssValue("background-color");
		assertThat(element("bar-pool").getCssValue("background-color")).isNotEqualTo(surface);
		assertThat(element("bar-jdk").getCssValue("background-color")).isNotEqualTo(surface);
		assertThat(element("bar-jdk").findElement(By.xpath("..")).getCssValue("outline-color")).isNotEqualTo(surface);
		for (String button : List.of("race-button", "handshakes-button")) {
			assertThat(element(button).getCssValue("background-color")).isNotEqualTo(surface)
				.isNotEqualTo(element(button).getCssValue("color"));
		}
		screenshot("forced-colors");
	}

	@Test
	void formatsFiguresForReaders() {
		assertThat(format("duration", "'PT24H'")).isEqualTo("24\u00a0h");
		assertThat(format("duration", "'PT1H30M5S'")).isEqualTo("1\u00a0h 30\u00a0min 5\u00a0s");
		assertThat(format("duration", "86400")).isEqualTo("24\u00a0h");
		assertThat(format("rate", "0")).isEqualTo("0\u00a0/s");
		assertThat(format("rate", "812.3")).isEqualTo("812\u00a0/s");
		assertThat(format("rate", "999600")).isEqualTo("1.00\u00a0M/s");
		assertThat(format("rate", "131234567")).isEqualTo("131\u00a0M/s");
		assertThat(format("tick", "20000000, '/s'")).isEqualTo("20\u00a0M/s");
		assertThat(format("tick", "150000000, '/s'")).isEqualTo("150\u00a0M/s");
		assertThat(format("tick", "1500")).isEqualTo("1.5\u00a0K");
		assertThat(format("share", "3907914, 385000000")).isEqualTo("1%");
		assertThat(format("share", "0, 0")).isEqualTo("–");
		assertThat(format("micros", "379.4")).isEqualTo("379\u00a0µs");
		assertThat(format("micros", "12345")).isEqualTo("12.3\u00a0ms");
		assertThat(format("ratio", "2.55")).isEqualTo("2.5×");
		assertThat(format("ratio", "31.4")).isEqualTo("31×");
		assertThat(format("age", "119000")).isEqualTo("1\u00a0min");
		assertThat(format("bytes", "8192")).isEqualTo("8\u00a0KB");
		assertThat(format("bytes", "80")).isEqualTo("80\u00a0bytes");
	}

	@Test
	void respectsReducedMotion() {
		assertThat(element("bar-pool").getCssValue("transition-duration")).isNotEqualTo("0s");
		media("prefers-reduced-motion", "reduce");
		assertThat(element("bar-pool").getCssValue("transition-property")).isEqualTo("none");
	}

	@Test
	void reportsMissingEndpointsAndStoppedServerAndRecovers() {
		String[] bare = { "--management.endpoints.web.exposure.include=health",
				"--uncontended.ssl.session-cache.enabled=false" };
		int httpsPort = Programs.freePort();
		int httpPort = Programs.freePort();
		ConfigurableApplicationContext other = start(httpPort, httpsPort, bare);
		try {
			browser().get("http://127.0.0.1:" + httpPort);
			awaitText("status-application", "OK");
			awaitText("status-generators", "Off");
			awaitText("status-tls", "Off");
			awaitText("status-tickets", "Off");
			assertThat(text("tls")).contains("Make 50 handshakes");
			assertThat(browser().findElements(By.className("absent"))).hasSize(3)
				.allSatisfy((absent) -> assertThat(text(absent)).contains("No data: /actuator/", "is not exposed"));
			other.close();
			awaitText("status-application", "Failing · does not answer");
			assertThat(text("status-application")).contains("data of ");
			element("race-button").click();
			awaitText("race-message", "The race has ended early: the application does not answer.");
			assertThat(text("race-message")).doesNotContain("JDK");
			other = start(httpPort, httpsPort, bare);
			awaitText("status-application", "OK");
			element("race-button").click();
			awaitText("race-message", "The JDK warms up");
		}
		finally {
			browser().get("about:blank");
			other.close();
		}
		assertThat(consoleErrors()).isNotEmpty()
			.allMatch((message) -> message.contains("net::ERR_") || message.contains("status of 404"));
	}

	@Test
	void showsRedisOutageAndInvalidatesAllSessions(@TempDir Path logs) throws Exception {
		assumeTrue(Programs.areInstalled("redis-server"), "Redis is not on the path");
		int redisPort = Programs.freePort();
		String[] redis = { "redis-server", "--port", String.valueOf(redisPort), "--bind", "127.0.0.1", "--save", "" };
		try (Programs programs = new Programs(logs)) {
			Process server = programs.start(redisPort, redis);
			try (ConfigurableApplicationContext node = start(0, 0, "--spring.profiles.active=node",
					"--spring.data.redis.port=" + redisPort, "--uncontended.ssl.tickets.redis.poll-interval=500ms",
					"--spring.data.redis.timeout=1s", "--spring.data.redis.connect-timeout=1s")) {
				browser().get("http://127.0.0.1:" + port(node, false));
				awaitText("status-tickets", "OK · redis reached");
				await(() -> element("end-button").isDisplayed());
				// Only a node that receives messages reaches all nodes.
				await(() -> {
					element("end-button").click();
					awaitText("tls-message", "sessions");
					return text("tls-message").startsWith("All sessions have ended on all nodes");
				});
				await(() -> fact("session-facts", "Last end of all").equals("on all nodes"));
				Programs.end(server);
				awaitText("status-tickets", "Failing · redis not reached for");
				await(() -> text("announcement").equals("Failing: Ticket keys"));
				awaitText("status-tls", "OK");
				screenshot("redis-down");
				programs.start(redisPort, redis);
				awaitText("status-tickets", "OK · redis reached");
				browser().get("about:blank");
			}
		}
	}

	/**
	 * Returns texts with less contrast than WCAG 2.2 requires (1.4.3, level AA).
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
			return [...document.querySelectorAll('h1, h2, h3, h4, p, a, dt, dd, th, td, label, legend, button, summary, .note')]
				.filter((element) => element.checkVisibility() && element.textContent.trim() && contrast(element) < 4.5)
				.map((element) => element.outerHTML);
			""";

	/**
	 * Returns elements that overflow their card.
	 */
	private static final String OVERFLOWING = """
			const inner = (card) => card.getBoundingClientRect().right - parseFloat(getComputedStyle(card).paddingRight);
			return [...document.querySelectorAll(['h2', 'h3', 'p', 'dt', 'dd', 'th', 'td', 'label', 'button', 'summary', '.note', '.rate']
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
	 * Returns figures that take more than one line.
	 */
	private static final String WRAPPED = """
			return [...document.querySelectorAll('#ratio, #tls-ratio, .facts dd, .rate, td')]
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
	 * Returns the positions of elements that must not shift.
	 */
	private static final String LAYOUT = """
			return [...document.querySelectorAll('.card, #race-form, .chart.short')]
				.map((element) => element.getBoundingClientRect())
				.map(({ x, width, height }) => [x, width, height].map(Math.round).join(' '));
			""";

	/**
	 * Returns the number of points of each lane on the chart.
	 */
	private static final String POINTS = "return Chart.getChart('race-chart').data.datasets.map((lane) => lane.data.length)";

	private static ConfigurableApplicationContext start(int httpPort, int httpsPort, String... arguments) {
		return new SpringApplicationBuilder(SampleApplication.class).run(
				Stream
					.concat(Stream.of("--server.port=" + httpPort, "--sample.https-port=" + httpsPort),
							Arrays.stream(arguments))
					.toArray(String[]::new));
	}

	/**
	 * Opens the page with a replaced response of an endpoint.
	 */
	private static void withResponse(String path, String body, Runnable steps) {
		Object id = browser().executeCdpCommand("Page.addScriptToEvaluateOnNewDocument", Map.of("source", """
				const original = window.fetch;
				window.fetch = (path, options) => path === '%s' && !options?.method
					? Promise.resolve(new Response(JSON.stringify(%s))) : original(path, options);
				""".formatted(path, body))).get("identifier");
		try {
			browser().get(http());
			steps.run();
		}
		finally {
			browser().executeCdpCommand("Page.removeScriptToEvaluateOnNewDocument", Map.of("identifier", id));
		}
	}

	private static void assertFits() {
		await(() -> script("return document.documentElement.scrollWidth")
			.equals(script("return document.documentElement.clientWidth")));
		assertThat((List<?>) script(OVERFLOWING)).as("what sticks out of its card").isEmpty();
	}

	/**
	 * Returns a race in which the pool's rates lie between the two given ones.
	 */
	private static String race(double least, double most) {
		String lane = """
				{ "warmUp": { "seconds": 1, "steady": true }, "spread": { "least": %1$f, "median": %2$f, "most": %3$f },
				  "samples": [{ "seconds": 1, "perSecond": %1$f }, { "seconds": 2, "perSecond": %3$f }] }""";
		return """
				{ "at": 1795000000000, "threads": 2, "machine": { "jdk": "<b>25</b>", "processors": 2 },
				  "lanes": { "jdk": %s, "pool": %s } }""".formatted(lane.formatted(10e6, 10e6, 10e6),
				lane.formatted(least * 1e6, (least + most) / 2 * 1e6, most * 1e6));
	}

	/**
	 * Opens the page with a stored race of 2 threads.
	 */
	private static void restore(String race) {
		browser().executeScript("localStorage.setItem('uncontended.races', arguments[0])",
				"{ \"2\": %s }".formatted(race));
		browser().navigate().refresh();
	}

	private static String clipboard() {
		return String
			.valueOf(browser().executeAsyncScript("navigator.clipboard.readText().then(arguments[0], arguments[0])"));
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
		new WebDriverWait(browser(), PATIENCE, Duration.ofMillis(50)).ignoring(StaleElementReferenceException.class)
			.until((driver) -> condition.holds());
	}

	private static void awaitText(String id, String text) {
		new WebDriverWait(browser(), PATIENCE, Duration.ofMillis(50)).ignoring(StaleElementReferenceException.class)
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

	private static String fact(String id, String name) {
		return fact(id, name, "value.innerText");
	}

	/**
	 * Returns a fact with all its digits.
	 */
	private static String exactFact(String id, String name) {
		return fact(id, name, "value.title || value.innerText");
	}

	/**
	 * Reads a fact by one script, since the page replaces the elements of facts that
	 * change. Returns an empty text if the page does not show the fact yet.
	 */
	private static String fact(String id, String name, String expression) {
		return String.valueOf(script("""
				const row = [...document.getElementById('%s').children]
					.find(({ firstChild: term }) => term.textContent.startsWith('%s'));
				const value = row?.lastChild;
				return value ? %s : '';""".formatted(id, name, expression))).replace('\u00a0', ' ');
	}

	private static long newestPoint() {
		return (Long) script("return Chart.getChart('rate-chart').data.datasets[0].data.at(-1)?.x ?? 0");
	}

	/**
	 * Returns the number of full, resumed or failed handshakes on the chart.
	 */
	private static long bars(int series) {
		return (Long) script(
				"return Chart.getChart('handshakes-chart').data.datasets[%d].data.reduce((sum, { y }) => sum + y, 0)"
					.formatted(series));
	}

	private JsonNode lastSample() {
		JsonNode samples = this.json.readTree(get("/history")).path("samples");
		return samples.path(samples.size() - 1);
	}

	private void awaitSamples(int count) {
		long until = lastSample().path(0).longValue() + count * 1000L;
		await(() -> lastSample().path(0).longValue() >= until);
	}

	/**
	 * Returns the number of handshakes that have failed in the last five minutes.
	 */
	private long recentlyFailed() {
		List<JsonNode> samples = this.json.readTree(get("/history")).path("samples").valueStream().toList();
		JsonNode last = samples.get(samples.size() - 1);
		long start = last.path(0).longValue() - Duration.ofMinutes(5).toMillis();
		JsonNode first = samples.stream()
			.filter((sample) -> sample.path(0).longValue() >= start)
			.findFirst()
			.orElse(last);
		return last.path(5).longValue() - first.path(5).longValue();
	}

	private long failedHandshakes() {
		return sum(this.json.readTree(get("/actuator/sslsessions")).path("failedHandshakes"), "count");
	}

	private static Object format(String function, String arguments) {
		return browser().executeAsyncScript("const done = arguments[0];"
				+ "import('/format.js').then((format) => done(format.%s(%s)))".formatted(function, arguments));
	}

	private static String number(long number) {
		return String.format(Locale.ENGLISH, "%,d", number);
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
	 * A condition to wait for.
	 */
	@FunctionalInterface
	private interface Condition {

		boolean holds();

	}

}
