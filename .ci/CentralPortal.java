import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.zip.ZipEntry;
import java.util.zip.ZipInputStream;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;

/**
 * A stand-in for the portal of Maven Central. Publishes a bundle some requests after its validation, but only if the upload
 * asks for it. Arguments: the folder for the bundle's files and for the files "port" and "state".
 *
 * @see <a href="https://central.sonatype.org/publish/publish-portal-api/">Publisher API</a>
 */
public class CentralPortal {

	private static final byte[] ZIP = { 'P', 'K', 3, 4 };

	private final Path folder;

	private String state = "PENDING";

	private boolean automatic;

	CentralPortal(Path folder) {
		this.folder = folder;
	}

	public static void main(String[] args) throws IOException {
		CentralPortal portal = new CentralPortal(Path.of(args[0]));
		HttpServer server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
		server.createContext("/api/v1/publisher/upload", (exchange) -> portal.answer(exchange, portal::upload, 201));
		server.createContext("/api/v1/publisher/status", (exchange) -> portal.answer(exchange, portal::status, 200));
		server.start();
		Files.writeString(Path.of(args[0], "port"), Integer.toString(server.getAddress().getPort()));
	}

	private void answer(HttpExchange exchange, Endpoint endpoint, int status) throws IOException {
		try (exchange) {
			boolean authorized = exchange.getRequestHeaders().containsKey("Authorization");
			byte[] body = endpoint.answer(exchange).getBytes(StandardCharsets.UTF_8);
			exchange.getResponseHeaders().set("Content-Type", "application/json");
			exchange.sendResponseHeaders(authorized ? status : 401, body.length);
			exchange.getResponseBody().write(body);
		}
	}

	private String upload(HttpExchange exchange) throws IOException {
		this.automatic = exchange.getRequestURI().getQuery().contains("publishingType=AUTOMATIC");
		byte[] body = exchange.getRequestBody().readAllBytes();
		int start = indexOf(ZIP, body);
		try (ZipInputStream bundle = new ZipInputStream(new ByteArrayInputStream(body, start, body.length - start))) {
			for (ZipEntry entry = bundle.getNextEntry(); entry != null; entry = bundle.getNextEntry()) {
				Path file = this.folder.resolve("bundle").resolve(entry.getName()).normalize();
				Files.createDirectories(entry.isDirectory() ? file : file.getParent());
				if (!entry.isDirectory()) {
					Files.write(file, bundle.readAllBytes());
				}
			}
		}
		return "28570f16-da32-4c14-bd2e-c1acc0782365";
	}

	private String status(HttpExchange exchange) throws IOException {
		String answer = """
				{"deploymentId": "28570f16-da32-4c14-bd2e-c1acc0782365", "deploymentName": "check",
				"deploymentState": "%s", "purls": [], "errors": {}}""".formatted(this.state);
		Files.writeString(this.folder.resolve("state"), this.state);
		this.state = switch (this.state) {
			case "PENDING" -> "VALIDATING";
			case "VALIDATING" -> "VALIDATED";
			case "VALIDATED" -> this.automatic ? "PUBLISHING" : "VALIDATED";
			default -> "PUBLISHED";
		};
		return answer;
	}

	private static int indexOf(byte[] part, byte[] whole) throws IOException {
		for (int i = 0; i + part.length <= whole.length; i++) {
			if (java.util.Arrays.equals(part, 0, part.length, whole, i, i + part.length)) {
				return i;
			}
		}
		throw new IOException("The upload contains no archive");
	}

	private interface Endpoint {

		String answer(HttpExchange exchange) throws IOException;

	}

}
