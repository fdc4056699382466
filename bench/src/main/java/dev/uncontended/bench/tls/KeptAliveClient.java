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

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;

import io.netty.bootstrap.Bootstrap;
import io.netty.channel.Channel;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.SimpleChannelInboundHandler;
import io.netty.handler.codec.http.DefaultFullHttpRequest;
import io.netty.handler.codec.http.HttpClientCodec;
import io.netty.handler.codec.http.HttpContent;
import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpMethod;
import io.netty.handler.codec.http.HttpObject;
import io.netty.handler.codec.http.HttpResponse;
import io.netty.handler.codec.http.HttpResponseStatus;
import io.netty.handler.codec.http.HttpVersion;
import io.netty.handler.codec.http.LastHttpContent;
import io.netty.handler.ssl.SslContext;
import io.netty.handler.ssl.SslHandler;
import io.netty.util.concurrent.Future;
import io.netty.util.concurrent.Promise;
import org.jspecify.annotations.Nullable;

/**
 * Sends requests on connections that stay open, one after another on each. Runs on one
 * thread of the measuring program, with BoringSSL, so that it takes little CPU time from
 * the server.
 */
final class KeptAliveClient implements AutoCloseable {

	private final Bootstrap bootstrap = ConnectionClient.bootstrap();

	private final List<Connection> connections = new ArrayList<>();

	/**
	 * Opens connections.
	 * @param port the port of the server
	 * @param tls whether to use TLS
	 * @param count the number of connections
	 */
	static KeptAliveClient open(int port, boolean tls, int count) throws IOException, InterruptedException {
		KeptAliveClient client = new KeptAliveClient();
		SslContext context = tls ? ConnectionClient.context(1, "x25519") : null;
		try {
			client.connect(port, context, count);
			return client;
		}
		catch (IOException ex) {
			client.close();
			throw ex;
		}
	}

	private void connect(int port, @Nullable SslContext context, int count) throws IOException, InterruptedException {
		for (int i = 0; i < count; i++) {
			Channel channel = this.bootstrap.clone().handler(new ChannelInitializer<Channel>() {

				@Override
				protected void initChannel(Channel channel) {
					if (context != null) {
						channel.pipeline().addLast(context.newHandler(channel.alloc()));
					}
					channel.pipeline().addLast(new HttpClientCodec());
				}

			}).connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), port)).sync().channel();
			Connection connection = new Connection(channel);
			channel.pipeline().addLast(connection);
			this.connections.add(connection);
		}
		for (Connection connection : this.connections) {
			SslHandler tls = connection.channel.pipeline().get(SslHandler.class);
			if (tls != null) {
				get(tls.handshakeFuture());
			}
		}
	}

	/**
	 * Sends requests for a while. Each connection completes its last response.
	 * @param path the path of the requests
	 * @param seconds the duration
	 * @return the responses and the bytes in their bodies
	 */
	Result run(String path, int seconds) throws IOException, InterruptedException {
		long start = System.nanoTime();
		long end = start + TimeUnit.SECONDS.toNanos(seconds);
		List<Future<Result>> results = new ArrayList<>();
		for (Connection connection : this.connections) {
			results.add(connection.run(path, end));
		}
		long responses = 0;
		long bytes = 0;
		for (Future<Result> future : results) {
			Result result = get(future);
			responses += result.responses;
			bytes += result.bytes;
		}
		return new Result(responses, bytes, System.nanoTime() - start);
	}

	private static <T> T get(Future<T> future) throws IOException, InterruptedException {
		try {
			return future.get();
		}
		catch (ExecutionException ex) {
			throw new IOException(ex.getCause());
		}
	}

	/**
	 * Returns the cipher suite of the connections, or an empty string without TLS.
	 */
	String cipherSuite() {
		SslHandler tls = this.connections.get(0).channel.pipeline().get(SslHandler.class);
		return (tls != null) ? tls.engine().getSession().getCipherSuite() : "";
	}

	@Override
	public void close() {
		this.connections.forEach((connection) -> connection.channel.close());
		this.bootstrap.config().group().shutdownGracefully(0, 5, TimeUnit.SECONDS).syncUninterruptibly();
	}

	/**
	 * What a client received.
	 *
	 * @param responses the number of responses
	 * @param bytes the bytes in their bodies
	 * @param nanos the duration
	 */
	record Result(long responses, long bytes, long nanos) {
	}

	/**
	 * One connection. Runs on the event loop only.
	 */
	private static final class Connection extends SimpleChannelInboundHandler<HttpObject> {

		private final Channel channel;

		private Promise<Result> done;

		private String path = "/";

		private long end;

		private long responses;

		private long bytes;

		Connection(Channel channel) {
			this.channel = channel;
			this.done = channel.eventLoop().newPromise();
		}

		Future<Result> run(String path, long end) {
			Promise<Result> promise = this.channel.eventLoop().newPromise();
			this.channel.eventLoop().execute(() -> {
				this.done = promise;
				this.path = path;
				this.end = end;
				this.responses = 0;
				this.bytes = 0;
				request();
			});
			return promise;
		}

		private void request() {
			DefaultFullHttpRequest request = new DefaultFullHttpRequest(HttpVersion.HTTP_1_1, HttpMethod.GET,
					this.path);
			request.headers().set(HttpHeaderNames.HOST, ServerProcess.HOST);
			this.channel.writeAndFlush(request).addListener((written) -> {
				if (!written.isSuccess()) {
					this.done.tryFailure(written.cause());
				}
			});
		}

		@Override
		protected void channelRead0(ChannelHandlerContext context, HttpObject message) {
			if (message instanceof HttpResponse response && !response.status().equals(HttpResponseStatus.OK)) {
				this.done.tryFailure(new IOException("The response to " + this.path + " is " + response.status()));
			}
			if (message instanceof HttpContent content) {
				this.bytes += content.content().readableBytes();
			}
			if (message instanceof LastHttpContent) {
				this.responses++;
				if (System.nanoTime() < this.end) {
					request();
				}
				else {
					this.done.trySuccess(new Result(this.responses, this.bytes, 0));
				}
			}
		}

		@Override
		public void channelInactive(ChannelHandlerContext context) {
			this.done.tryFailure(new IOException("The server has closed the connection"));
		}

		@Override
		public void exceptionCaught(ChannelHandlerContext context, Throwable cause) {
			this.done.tryFailure(cause);
		}

	}

}
