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

import java.io.BufferedReader;
import java.io.File;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Base64;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import javax.net.ssl.SNIHostName;
import javax.net.ssl.SSLException;
import javax.net.ssl.SSLParameters;

import dev.uncontended.bench.Rounds;
import io.netty.bootstrap.Bootstrap;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.Channel;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.ChannelOption;
import io.netty.channel.EventLoop;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.epoll.Epoll;
import io.netty.channel.epoll.EpollIoHandler;
import io.netty.channel.epoll.EpollSocketChannel;
import io.netty.channel.nio.NioIoHandler;
import io.netty.channel.socket.nio.NioSocketChannel;
import io.netty.handler.ssl.OpenSslContextOption;
import io.netty.handler.ssl.ReferenceCountedOpenSslEngine;
import io.netty.handler.ssl.SslContext;
import io.netty.handler.ssl.SslContextBuilder;
import io.netty.handler.ssl.SslHandler;
import io.netty.handler.ssl.SslHandshakeCompletionEvent;
import io.netty.handler.ssl.SslProvider;
import io.netty.handler.ssl.util.InsecureTrustManagerFactory;
import io.netty.internal.tcnative.SSL;
import org.HdrHistogram.Histogram;
import org.jspecify.annotations.Nullable;

/**
 * Opens new connections with one request each, in a process of its own, on one thread and
 * with BoringSSL, so that it takes little CPU time from the server.
 * <p>
 * Reads commands from standard input, one in a line: {@code PORT KIND RATE SECONDS
 * INTERVAL}. With a rate, connections arrive as a Poisson process, which repeats with
 * each command, and do not wait for each other. The latency begins at the scheduled time,
 * so it contains the client's own lateness. With the rate 0, which warms up a server, 16
 * connections are open at a time, and the command ends once each returning client has a
 * session. Writes a line of results for each interval of so many seconds. Latencies are
 * microseconds, and lateness is the time from the scheduled time to the start of the
 * connection. The last cell contains all latencies, in the format of HdrHistogram.
 * <p>
 * The kinds of connections are {@code full}, {@code resumed} and {@code hybrid}. The
 * connections of the kind {@code resumed} come from 1,000 clients, which return in turns,
 * each with its last session.
 */
public final class ConnectionClient {

	/** The columns of the results. */
	static final String HEADER = "connections\tresumed\tfailed\tp50 us\tp99 us\tp99.9 us\tmax us\tlate p50 us\tlate p99 us"
			+ "\tfailure\tlatencies";

	/** The line after the last result of a command. */
	private static final String END = "end";

	private static final int CLOSED_LOOP = 16;

	/** The time for which connections may remain open after the last one started. */
	private static final long DRAIN = TimeUnit.SECONDS.toNanos(10);

	private static final ByteBuf REQUEST = Unpooled.unreleasableBuffer(Unpooled.directBuffer()
		.writeBytes(("GET / HTTP/1.1\r\nHost: " + ServerProcess.HOST + "\r\nConnection: close\r\n\r\n")
			.getBytes(StandardCharsets.US_ASCII)));

	/** The number of clients that return. */
	private static final int RETURNING = 1000;

	private final SslContext full = context(1, "x25519");

	private final SslContext hybrid = context(1, "X25519MLKEM768");

	/** The returning clients of each server, by its port. */
	private final Map<Integer, ReturningClients> returning = new HashMap<>();

	private final Bootstrap bootstrap = bootstrap().option(ChannelOption.CONNECT_TIMEOUT_MILLIS, 0);

	private ConnectionClient() {
	}

	/**
	 * Obeys commands until standard input ends.
	 * @param args not used
	 * @throws Exception if BoringSSL cannot be used
	 */
	public static void main(String[] args) throws Exception {
		ConnectionClient client = new ConnectionClient();
		BufferedReader commands = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.US_ASCII));
		for (String line = commands.readLine(); line != null; line = commands.readLine()) {
			String[] command = line.split(" ");
			client
				.run(Integer.parseInt(command[0]), command[1], Integer.parseInt(command[2]),
						Integer.parseInt(command[3]), Integer.parseInt(command[4]))
				.forEach(System.out::println);
			System.out.println(END);
		}
		client.bootstrap.config().group().shutdownGracefully(0, 1, TimeUnit.SECONDS);
	}

	/**
	 * Starts a client. Its young generation is large enough that collections are rare.
	 */
	static CommandProcess start() throws IOException {
		List<String> command = ServerProcess.java(ServerProcess.currentJavaHome(),
				String.join(File.pathSeparator, ServerProcess.classPath()));
		command.addAll(1, List.of("-XX:+UseSerialGC", "-Xmn256m"));
		command.add(ConnectionClient.class.getName());
		return new CommandProcess(command);
	}

	/**
	 * Begins to open connections.
	 * @param client the process of the client
	 * @param port the port of the server
	 * @param kind the kind of connections
	 * @param rate the connections per second, or 0 to warm up a server
	 * @param seconds the duration
	 * @param interval the seconds for which there is a result each
	 */
	static void begin(CommandProcess client, int port, String kind, int rate, int seconds, int interval)
			throws IOException {
		client.send(port + " " + kind + " " + rate + " " + seconds + " " + interval);
	}

	/**
	 * Waits for the end of the connections.
	 * @return the results of the intervals by the names of the columns
	 */
	static List<Map<String, String>> results(CommandProcess client) throws IOException {
		List<String> lines = new ArrayList<>(List.of(HEADER));
		lines.addAll(client.readUntil(END));
		return Rounds.rows(lines);
	}

	/**
	 * Returns the bootstrap of a client on one thread.
	 */
	static Bootstrap bootstrap() {
		return new Bootstrap()
			.group(new MultiThreadIoEventLoopGroup(1,
					Epoll.isAvailable() ? EpollIoHandler.newFactory() : NioIoHandler.newFactory()))
			.channel(Epoll.isAvailable() ? EpollSocketChannel.class : NioSocketChannel.class)
			.option(ChannelOption.TCP_NODELAY, true);
	}

	static SslContext context(int sessions, String group) {
		try {
			return SslContextBuilder.forClient()
				.sslProvider(SslProvider.OPENSSL)
				.trustManager(InsecureTrustManagerFactory.INSTANCE)
				.endpointIdentificationAlgorithm(null)
				.protocols("TLSv1.3")
				.sessionCacheSize(sessions)
				.option(OpenSslContextOption.GROUPS, new String[] { group })
				.build();
		}
		catch (SSLException ex) {
			throw new IllegalStateException(ex);
		}
	}

	private List<String> run(int port, String kind, int rate, int seconds, int interval) throws Exception {
		ReturningClients clients = kind.equals("resumed")
				? this.returning.computeIfAbsent(port, (key) -> new ReturningClients()) : null;
		SslContext context = switch (kind) {
			case "full" -> this.full;
			case "hybrid" -> this.hybrid;
			case "resumed" -> Objects.requireNonNull(clients).context;
			default -> throw new IllegalArgumentException("Unknown kind of connection: " + kind);
		};
		Load load = new Load(port, context, clients, rate, seconds, interval);
		load.loop.execute(load::begin);
		return load.done.get();
	}

	/**
	 * The connections of one command. Runs on the event loop only.
	 */
	private final class Load {

		private final EventLoop loop = ConnectionClient.this.bootstrap.config().group().next();

		private final InetSocketAddress address;

		private final SslContext context;

		private final @Nullable ReturningClients clients;

		private final int rate;

		private final long length;

		private final long interval;

		private final List<Interval> intervals = new ArrayList<>();

		private final Set<Connection> open = new HashSet<>();

		private final SplittableRandom random = new SplittableRandom(1);

		private final CompletableFuture<List<String>> done = new CompletableFuture<>();

		private int lastIdentity;

		private long start;

		private long next;

		Load(int port, SslContext context, @Nullable ReturningClients clients, int rate, int seconds, int interval) {
			this.address = new InetSocketAddress(InetAddress.getLoopbackAddress(), port);
			this.context = context;
			this.clients = clients;
			this.rate = rate;
			this.length = TimeUnit.SECONDS.toNanos(seconds);
			this.interval = TimeUnit.SECONDS.toNanos(interval);
			for (int i = 0; i < seconds / interval; i++) {
				this.intervals.add(new Interval());
			}
		}

		void begin() {
			this.start = System.nanoTime();
			if (this.rate == 0) {
				for (int i = 0; i < CLOSED_LOOP; i++) {
					connect(0);
				}
				return;
			}
			this.next = nextArrival(0);
			connectWhenDue();
		}

		/*
		 * The time between arrivals of a Poisson process is exponentially distributed.
		 */
		private long nextArrival(long last) {
			return last + (long) (-Math.log(1 - this.random.nextDouble()) * 1e9 / this.rate);
		}

		private void connectWhenDue() {
			long now = System.nanoTime() - this.start;
			while (this.next <= now && this.next < this.length) {
				connect(this.next);
				this.next = nextArrival(this.next);
				now = System.nanoTime() - this.start;
			}
			if (this.next < this.length) {
				this.loop.schedule(this::connectWhenDue, this.next - now, TimeUnit.NANOSECONDS);
			}
			else {
				this.loop.schedule(this::giveUp, this.length + DRAIN - now, TimeUnit.NANOSECONDS);
				endIfDrained();
			}
		}

		private void connect(long scheduled) {
			int identity = (this.clients != null) ? this.clients.next() : ++this.lastIdentity;
			Connection connection = new Connection(this, scheduled, identity);
			this.open.add(connection);
			ConnectionClient.this.bootstrap.clone().handler(new ChannelInitializer<Channel>() {

				@Override
				protected void initChannel(Channel channel) {
					channel.pipeline().addLast(connection.tls(channel, Load.this.context), connection);
				}

			}).connect(this.address).addListener((connecting) -> {
				if (!connecting.isSuccess()) {
					connection.end("connect: " + connecting.cause());
				}
			});
		}

		private Interval intervalOf(long scheduled) {
			return this.intervals.get((int) Math.min(scheduled / this.interval, this.intervals.size() - 1));
		}

		private void ended(Connection connection) {
			this.open.remove(connection);
			if (this.clients != null) {
				this.clients.absent.add(connection.identity);
			}
			long now = System.nanoTime() - this.start;
			if (this.rate == 0 && (now < this.length || isAnyClientNew())) {
				connect(now);
			}
			else {
				endIfDrained();
			}
		}

		private boolean isAnyClientNew() {
			return this.clients != null && this.clients.last < RETURNING;
		}

		private void endIfDrained() {
			if (this.open.isEmpty() && (this.rate == 0 || this.next >= this.length)) {
				this.done.complete(this.intervals.stream().map(Interval::result).toList());
			}
		}

		private void giveUp() {
			List.copyOf(this.open).forEach((connection) -> connection.end("not complete in time"));
		}

	}

	/**
	 * The returning clients of a server.
	 */
	private static final class ReturningClients {

		private final SslContext context = context(1_000_000, "x25519");

		/** The clients that are not connected, the next one first. */
		private final Deque<Integer> absent = new ArrayDeque<>();

		private int last;

		int next() {
			Integer identity = (this.last < RETURNING) ? null : this.absent.poll();
			return (identity != null) ? identity : ++this.last;
		}

	}

	/**
	 * One connection.
	 */
	private static final class Connection extends ChannelInboundHandlerAdapter {

		private final Load load;

		private final long scheduled;

		private final int identity;

		private final Interval interval;

		private @Nullable Channel channel;

		private boolean resumed;

		private boolean ended;

		Connection(Load load, long scheduled, int identity) {
			this.load = load;
			this.scheduled = scheduled;
			this.identity = identity;
			this.interval = load.intervalOf(scheduled);
			this.interval.lateness.recordValue(age());
		}

		private long age() {
			return Math.max(System.nanoTime() - this.load.start - this.scheduled, 0) / 1000;
		}

		/*
		 * The client finds sessions by host and port, so a port of its own makes a
		 * client.
		 */
		SslHandler tls(Channel channel, SslContext context) {
			ReferenceCountedOpenSslEngine engine = (ReferenceCountedOpenSslEngine) context.newEngine(channel.alloc(),
					ServerProcess.HOST, this.identity);
			SSLParameters parameters = engine.getSSLParameters();
			parameters.setServerNames(List.of(new SNIHostName(ServerProcess.HOST)));
			engine.setSSLParameters(parameters);
			SslHandler handler = new SslHandler(engine);
			handler.setHandshakeTimeoutMillis(0);
			handler.setCloseNotifyFlushTimeoutMillis(0);
			return handler;
		}

		@Override
		public void channelActive(ChannelHandlerContext context) {
			this.channel = context.channel();
			context.writeAndFlush(REQUEST.duplicate());
		}

		@Override
		public void userEventTriggered(ChannelHandlerContext context, Object event) {
			if (event instanceof SslHandshakeCompletionEvent completion && completion.isSuccess()) {
				ReferenceCountedOpenSslEngine engine = (ReferenceCountedOpenSslEngine) context.pipeline()
					.get(SslHandler.class)
					.engine();
				this.resumed = SSL.isSessionReused(engine.sslPointer());
			}
		}

		@Override
		public void channelRead(ChannelHandlerContext context, Object message) {
			ByteBuf response = (ByteBuf) message;
			if (endsWithBody(response)) {
				end(null);
			}
			response.release();
		}

		private static boolean endsWithBody(ByteBuf response) {
			int length = MeasuredApplication.BODY.length();
			return response.readableBytes() >= length
					&& response.toString(response.writerIndex() - length, length, StandardCharsets.US_ASCII)
						.equals(MeasuredApplication.BODY);
		}

		@Override
		public void channelInactive(ChannelHandlerContext context) {
			end("closed without a response");
		}

		@Override
		public void exceptionCaught(ChannelHandlerContext context, Throwable cause) {
			end(cause.toString());
		}

		private void end(@Nullable String failure) {
			if (!this.ended) {
				this.ended = true;
				this.interval.record(age(), this.resumed, failure);
				if (this.channel != null) {
					this.channel.close();
				}
				this.load.ended(this);
			}
		}

	}

	/**
	 * The connections that were scheduled in an interval.
	 */
	private static final class Interval {

		private final Histogram latency = new Histogram(3);

		private final Histogram lateness = new Histogram(3);

		private int resumed;

		private int failed;

		private String failure = "";

		/*
		 * A connection without a response counts with its age, so that it does not make
		 * the percentiles better.
		 */
		void record(long latency, boolean resumed, @Nullable String failure) {
			this.latency.recordValue(latency);
			this.resumed += resumed ? 1 : 0;
			if (failure != null) {
				this.failed++;
				this.failure = failure;
			}
		}

		/*
		 * Returns the line of results.
		 */
		String result() {
			ByteBuffer buffer = ByteBuffer.allocate(this.latency.getNeededByteBufferCapacity());
			int length = this.latency.encodeIntoCompressedByteBuffer(buffer);
			return Stream
				.of(this.latency.getTotalCount(), this.resumed, this.failed, this.latency.getValueAtPercentile(50),
						this.latency.getValueAtPercentile(99), this.latency.getValueAtPercentile(99.9),
						this.latency.getMaxValue(), this.lateness.getValueAtPercentile(50),
						this.lateness.getValueAtPercentile(99), this.failure.replaceAll("\\s", " "),
						Base64.getEncoder().encodeToString(Arrays.copyOf(buffer.array(), length)))
				.map(String::valueOf)
				.collect(Collectors.joining("\t"));
		}

	}

}
