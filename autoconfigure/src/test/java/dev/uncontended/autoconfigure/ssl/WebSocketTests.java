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

package dev.uncontended.autoconfigure.ssl;

import java.io.ByteArrayOutputStream;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.WebSocket;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.Random;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;

import javax.net.ssl.SSLContext;

import jakarta.servlet.ServletContextEvent;
import jakarta.servlet.ServletContextListener;
import jakarta.websocket.DeploymentException;
import jakarta.websocket.OnMessage;
import jakarta.websocket.server.ServerContainer;
import jakarta.websocket.server.ServerEndpoint;
import org.eclipse.jetty.websocket.api.Callback;
import org.eclipse.jetty.websocket.api.Session;
import org.eclipse.jetty.websocket.server.WebSocketUpgradeHandler;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import reactor.netty.http.server.HttpServerResponse;
import reactor.netty.http.server.WebsocketServerSpec;

import org.springframework.beans.factory.config.BeanPostProcessor;
import org.springframework.boot.jetty.JettyServerCustomizer;
import org.springframework.boot.web.servlet.ServletListenerRegistrationBean;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.http.server.reactive.HttpHandler;
import org.springframework.http.server.reactive.ServerHttpResponseDecorator;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for WebSocket connections of Java's client.
 */
@EachServerAndEngine
class WebSocketTests extends AbstractTlsServerTests {

	private static final int LONGEST_MESSAGE = 2_000_000;

	WebSocketTests(TestServer server, String engine) {
		super(server, engine);
	}

	@Override
	List<Class<?>> sources() {
		return switch (this.server) {
			case TOMCAT -> List.of(TomcatEcho.class);
			case JETTY -> List.of(JettyEcho.class);
			case NETTY -> List.of(NettyEcho.class);
		};
	}

	@ParameterizedTest
	@ValueSource(strings = { "TLSv1.2", "TLSv1.3" })
	void echoesMessagesUntilClientCloses(String protocol) throws Exception {
		share();
		SSLContext client = first.sslContext(protocol, first);
		this.clients.get(client, HttpClient.Version.HTTP_1_1);
		// The next handshake presents a session that has ended.
		sessions().endAll();
		Received received = new Received();
		WebSocket socket = HttpClient.newBuilder()
			.sslContext(client)
			.build()
			.newWebSocketBuilder()
			.buildAsync(URI.create("wss://localhost:" + port() + "/echo"), received)
			.get(60, TimeUnit.SECONDS);
		Random random = new Random(1);
		for (int length : new int[] { 1, 100, 20_000, 0, LONGEST_MESSAGE, 1 }) {
			byte[] message = new byte[length];
			random.nextBytes(message);
			socket.sendBinary(ByteBuffer.wrap(message), true);
			assertThat(received.messages.poll(60, TimeUnit.SECONDS)).isEqualTo(message);
		}
		socket.sendClose(WebSocket.NORMAL_CLOSURE, "");
		assertThat(received.status.get(60, TimeUnit.SECONDS)).isEqualTo(WebSocket.NORMAL_CLOSURE);
		assertThat(received.messages).isEmpty();
		awaitCounts(protocol, 2, 0);
	}

	private static final class Received implements WebSocket.Listener {

		private final ByteArrayOutputStream message = new ByteArrayOutputStream();

		private final BlockingQueue<byte[]> messages = new LinkedBlockingQueue<>();

		private final CompletableFuture<Integer> status = new CompletableFuture<>();

		@Override
		public @Nullable CompletionStage<?> onBinary(WebSocket socket, ByteBuffer data, boolean last) {
			byte[] part = new byte[data.remaining()];
			data.get(part);
			this.message.writeBytes(part);
			if (last) {
				this.messages.add(this.message.toByteArray());
				this.message.reset();
			}
			socket.request(1);
			return null;
		}

		@Override
		public @Nullable CompletionStage<?> onClose(WebSocket socket, int status, String reason) {
			this.status.complete(status);
			return null;
		}

		@Override
		public void onError(WebSocket socket, Throwable failure) {
			this.status.completeExceptionally(failure);
		}

	}

	@Configuration(proxyBeanMethods = false)
	static class TomcatEcho {

		@Bean
		ServletListenerRegistrationBean<ServletContextListener> echo() {
			return new ServletListenerRegistrationBean<>(new ServletContextListener() {

				@Override
				public void contextInitialized(ServletContextEvent event) {
					ServerContainer container = (ServerContainer) event.getServletContext()
						.getAttribute(ServerContainer.class.getName());
					try {
						container.addEndpoint(Endpoint.class);
					}
					catch (DeploymentException ex) {
						throw new IllegalStateException(ex);
					}
				}

			});
		}

		@ServerEndpoint("/echo")
		public static class Endpoint {

			@OnMessage(maxMessageSize = LONGEST_MESSAGE)
			public byte[] echo(byte[] message) {
				return message;
			}

		}

	}

	@Configuration(proxyBeanMethods = false)
	static class JettyEcho {

		@Bean
		JettyServerCustomizer echo() {
			return (server) -> server.insertHandler(WebSocketUpgradeHandler.from(server, (container) -> {
				container.setMaxBinaryMessageSize(LONGEST_MESSAGE);
				container.addMapping("/echo", (request, response, callback) -> new Endpoint());
			}));
		}

		public static class Endpoint extends Session.Listener.AbstractAutoDemanding {

			@Override
			public void onWebSocketBinary(ByteBuffer message, Callback callback) {
				getSession().sendBinary(message, callback);
			}

		}

	}

	@Configuration(proxyBeanMethods = false)
	static class NettyEcho {

		@Bean
		static BeanPostProcessor echo() {
			return new BeanPostProcessor() {

				@Override
				public Object postProcessAfterInitialization(Object bean, String name) {
					return (bean instanceof HttpHandler handler) ? echo(handler) : bean;
				}

			};
		}

		private static HttpHandler echo(HttpHandler handler) {
			return (request, response) -> request.getPath().value().equals("/echo")
					? ServerHttpResponseDecorator.<HttpServerResponse>getNativeResponse(response)
						.sendWebsocket((in, out) -> out.sendObject(in.receiveFrames().map((frame) -> frame.retain())),
								WebsocketServerSpec.builder().maxFramePayloadLength(LONGEST_MESSAGE).build())
					: handler.handle(request, response);
		}

	}

}
