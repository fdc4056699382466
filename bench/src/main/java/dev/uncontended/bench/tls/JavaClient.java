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
package dev.uncontended.bench.tls;

import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLParameters;

import io.netty.handler.ssl.util.InsecureTrustManagerFactory;

/**
 * Java's {@link HttpClient}, which opens connections with one request each, one after
 * another, in a process of its own.
 */
public final class JavaClient {

	private JavaClient() {
	}

	/**
	 * Opens the connections.
	 * @param args the port, the protocol, and the number of connections
	 * @throws Exception if a request fails
	 */
	public static void main(String[] args) throws Exception {
		SSLContext context = SSLContext.getInstance("TLS");
		context.init(null, InsecureTrustManagerFactory.INSTANCE.getTrustManagers(), null);
		HttpClient client = HttpClient.newBuilder()
			.sslContext(context)
			.sslParameters(new SSLParameters(null, new String[] { args[1] }))
			.build();
		HttpRequest request = HttpRequest.newBuilder(URI.create("https://" + ServerProcess.HOST + ":" + args[0] + "/"))
			.header("Connection", "close")
			.build();
		for (int i = 0; i < Integer.parseInt(args[2]); i++) {
			String body = client.send(request, HttpResponse.BodyHandlers.ofString()).body();
			if (!body.equals(MeasuredApplication.BODY)) {
				throw new IllegalStateException("Unexpected response: " + body);
			}
		}
	}

	/**
	 * Returns the command that runs a client.
	 */
	static List<String> command(int port, String protocol, int connections) throws Exception {
		Path hosts = Files.writeString(ServerProcess.DIRECTORY.resolve("hosts"), "127.0.0.1 " + ServerProcess.HOST);
		List<String> command = new ArrayList<>(
				ServerProcess.java(ServerProcess.currentJavaHome(), String.join(":", ServerProcess.classPath())));
		command.addAll(1,
				List.of("-Djdk.net.hosts.file=" + hosts, "-Djdk.httpclient.allowRestrictedHeaders=connection"));
		command
			.addAll(List.of(JavaClient.class.getName(), String.valueOf(port), protocol, String.valueOf(connections)));
		return command;
	}

}
