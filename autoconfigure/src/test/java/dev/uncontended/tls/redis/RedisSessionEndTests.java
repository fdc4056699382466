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
package dev.uncontended.tls.redis;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;

import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.AppenderBase;
import dev.uncontended.tls.redis.RedisTicketKeySource.Waits;
import dev.uncontended.tls.session.Reach;
import dev.uncontended.tls.tickets.FailingRandom;
import dev.uncontended.tls.tickets.TestTicketKeyListeners;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.slf4j.LoggerFactory;

import org.springframework.boot.test.system.CapturedOutput;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for ends of all sessions through {@link RedisTicketKeySource}.
 */
class RedisSessionEndTests extends AbstractRedisTests {

	@Test
	void endReachesEveryNodeImmediately(CapturedOutput output) {
		Node first = node();
		Node second = node();
		first.listen();
		second.listen();
		assertThat(second.keys.encrypting()).isEqualTo(first.keys.encrypting());
		List<String> before = new ArrayList<>(first.keys.decrypting());
		before.addAll(second.keys.decrypting());
		assertThat(first.source.endAll()).isEqualTo(Reach.ALL_NODES);
		await(() -> second.keys.encrypting().equals(first.keys.encrypting()));
		assertThat(first.keys.decrypting()).doesNotContainAnyElementsOf(before);
		assertThat(second.keys.decrypting()).doesNotContainAnyElementsOf(before);
		assertThat(output).containsOnlyOnce("Ending all TLS sessions, requested by another node");
	}

	@Test
	void remoteEndIsReportedOnceNewKeysAreUsed() {
		Node first = node();
		Node second = node();
		String before = second.keys.encrypting();
		List<String> reports = new ArrayList<>();
		List<String> keysAtEnd = new ArrayList<>();
		second.source.subscribe(TestTicketKeyListeners.ofEnds(() -> keysAtEnd.add(second.keys.encrypting())));
		first.source.onRemoteEnd(() -> reports.add("on the node that ended them"));
		second.source.onRemoteEnd(() -> {
			reports.add(second.keys.encrypting());
			throw new IllegalStateException("the failure of a listener");
		});
		first.source.endAll();
		second.poll();
		second.poll();
		first.poll();
		assertThat(reports).singleElement().isEqualTo(second.keys.encrypting()).isNotEqualTo(before);
		assertThat(keysAtEnd).containsExactly(before);
	}

	/*
	 * The line in the log is written after the end of the exchange and before its result
	 * is recorded.
	 */
	@Test
	void endAfterLastExchangeOfPollIsNotComplete() throws Exception {
		this.waits = new Waits(Duration.ofSeconds(5), Duration.ofSeconds(1), Duration.ofSeconds(1), Duration.ZERO);
		Node node = node();
		CountDownLatch ended = new CountDownLatch(1);
		node.source.subscribe(TestTicketKeyListeners.ofEnds(ended::countDown));
		this.redis.kill();
		assertThat(node.poll()).isFalse();
		this.redis.start();
		CompletableFuture<Reach> reach = new CompletableFuture<>();
		AppenderBase<ILoggingEvent> appender = new AppenderBase<>() {

			@Override
			protected void append(ILoggingEvent event) {
				if (event.getMessage().contains("again")) {
					reach.completeAsync(node.source::endAll);
					Awaitility.await().until(() -> ended.getCount() == 0);
					RedisSessionEndTests.this.redis.kill();
				}
			}

		};
		Logger logger = (Logger) LoggerFactory.getLogger(RedisTicketKeySource.class);
		appender.start();
		logger.addAppender(appender);
		try {
			await(() -> node.poll() || reach.isDone());
			assertThat(reach.get()).isEqualTo(Reach.THIS_NODE);
		}
		finally {
			logger.detachAppender(appender);
		}
	}

	@Test
	void endIsNoRotation() {
		Node node = node();
		node.source.endAll();
		node.reach();
		assertThat(node.status().rotations()).isZero();
		node.advance(Duration.ofHours(12));
		assertThat(node.status().rotations()).isOne();
	}

	@Test
	void remoteEndInTwoHashesEndsSessionsOnce() {
		Node first = node(OTHER_SECRET, SECRET);
		Node second = node(OTHER_SECRET, SECRET);
		first.reach();
		second.reach();
		AtomicInteger ends = new AtomicInteger();
		second.source.subscribe(TestTicketKeyListeners.ofEnds(ends::incrementAndGet));
		first.source.endAll();
		second.reach();
		second.reach();
		assertThat(ends).hasValue(1);
	}

	@Test
	void remoteEndIsLoggedWithoutMonitor() {
		Node first = node();
		Node second = node();
		List<Boolean> locked = new ArrayList<>();
		AppenderBase<ILoggingEvent> appender = new AppenderBase<>() {

			@Override
			protected void append(ILoggingEvent event) {
				locked.add(Thread.holdsLock(second.source));
			}

		};
		Logger logger = (Logger) LoggerFactory.getLogger(RedisTicketKeySource.class);
		appender.start();
		logger.addAppender(appender);
		try {
			first.source.endAll();
			second.poll();
		}
		finally {
			logger.detachAppender(appender);
		}
		assertThat(locked).containsExactly(false);
	}

	@Test
	void endReachesNodesAtNextPollWithoutMessages() {
		this.waits = withShortSubscription();
		this.redis.cli("acl", "setuser", "default", "resetchannels");
		Node first = deafNode();
		first.poll();
		Node second = deafNode();
		await(() -> second.keys.encrypting().equals(first.keys.encrypting()));
		String before = second.keys.encrypting();
		assertThat(first.source.endAll()).isEqualTo(Reach.CONFIRMED_NODES);
		assertThat(second.keys.encrypting()).isEqualTo(before);
		second.poll();
		assertThat(second.keys.encrypting()).isEqualTo(first.keys.encrypting());
		assertThat(second.keys.decrypting()).doesNotContain(before);
	}

	@Test
	void endReachesNodesOnceRedisIsBack() {
		this.waits = SHORT;
		Node first = node();
		Node second = node();
		await(() -> second.keys.encrypting().equals(first.keys.encrypting()));
		List<String> before = second.keys.decrypting();
		this.redis.kill();
		assertThat(first.source.endAll()).isEqualTo(Reach.THIS_NODE);
		assertThat(first.keys.decrypting()).doesNotContainAnyElementsOf(before);
		String own = first.keys.encrypting();
		this.redis.start();
		first.reach();
		second.reach();
		assertThat(second.keys.encrypting()).isEqualTo(first.keys.encrypting());
		assertThat(second.keys.decrypting()).doesNotContainAnyElementsOf(before);
		assertThat(first.keys.decrypting()).contains(own);
	}

	@Test
	void disconnectedNodeEndsSessionsOnceReconnected() throws Exception {
		this.waits = withShortSubscription();
		Node first = node();
		Node cutOff = node(this.proxy.port(), Duration.ofMillis(500));
		cutOff.reach();
		assertThat(cutOff.keys.encrypting()).isEqualTo(first.keys.encrypting());
		List<String> before = cutOff.keys.decrypting();
		this.proxy.setCut(true);
		first.source.endAll();
		assertThat(cutOff.keys.decrypting()).isEqualTo(before);
		this.proxy.setCut(false);
		cutOff.reach();
		assertThat(cutOff.keys.decrypting()).doesNotContainAnyElementsOf(before);
		assertThat(cutOff.keys.encrypting()).isEqualTo(first.keys.encrypting());
	}

	@Test
	void sessionsStayEndedAfterDataLossOfRedis() {
		Node first = node();
		Node second = node();
		await(() -> second.keys.encrypting().equals(first.keys.encrypting()));
		String backup = String.join(" ",
				hash().entrySet().stream().map((e) -> e.getKey() + " " + e.getValue()).toList());
		List<String> before = first.keys.decrypting();
		first.source.endAll();
		second.reach();
		assertThat(second.keys.encrypting()).isEqualTo(first.keys.encrypting());
		List<String> restored = new ArrayList<>(List.of("hset", name()));
		this.redis.cli("flushall");
		restored.addAll(List.of(backup.split(" ")));
		assertThat(this.redis.cli(restored.toArray(String[]::new))).isEqualTo("2");
		second.poll();
		first.poll();
		assertThat(first.keys.decrypting()).doesNotContainAnyElementsOf(before);
		assertThat(second.keys.decrypting()).doesNotContainAnyElementsOf(before);
	}

	@Test
	void endByNewNodeReachesOthersAfterDataLossOfRedis() {
		this.waits = withShortSubscription();
		this.redis.cli("acl", "setuser", "default", "resetchannels");
		Node first = deafNode();
		first.source.endAll();
		first.source.endAll();
		Node second = deafNode();
		List<String> before = second.keys.decrypting();
		this.redis.cli("flushall");
		Node unaware = deafNode();
		unaware.source.endAll();
		second.poll();
		first.poll();
		assertThat(first.keys.decrypting()).doesNotContainAnyElementsOf(before);
		assertThat(second.keys.decrypting()).doesNotContainAnyElementsOf(before);
	}

	@Test
	void retriedEndIsHandledOnce() {
		this.waits = withShortSubscription();
		Node node = node(this.proxy.port(), Duration.ofMillis(300));
		node.reach();
		this.proxy.setHanging(true);
		assertThat(node.source.endAll()).isEqualTo(Reach.THIS_NODE);
		assertThat(node.poll()).isFalse();
		String own = node.keys.encrypting();
		// Redis receives both.
		this.proxy.setHanging(false);
		node.reach();
		End recorded = end(SECRET);
		assertThat(node.poll()).isTrue();
		assertThat(end(SECRET)).isEqualTo(recorded);
		assertThat(node.keys.decrypting()).contains(own);
		node.source.endAll();
		await(() -> node.poll() && end(SECRET).number() > recorded.number());
	}

	@Test
	void localKeyEnds() {
		this.waits = withShortSubscription();
		Node first = node();
		Node cutOff = node(this.proxy.port(), Duration.ofMillis(500));
		cutOff.reach();
		this.proxy.setCut(true);
		this.redis.cli("flushall");
		Node alone = node(this.proxy.port(), Duration.ofMillis(500));
		String own = alone.keys.encrypting();
		first.source.endAll();
		this.proxy.setCut(false);
		alone.reach();
		cutOff.reach();
		assertThat(alone.keys.decrypting()).doesNotContain(own);
		assertThat(alone.keys.encrypting()).isEqualTo(first.keys.encrypting());
	}

	@Test
	void nextPollAppliesEndAfterError() {
		Node first = node();
		FailingRandom failing = new FailingRandom();
		this.random = failing;
		Node second = node();
		await(() -> second.keys.encrypting().equals(first.keys.encrypting()));
		List<String> before = second.keys.decrypting();
		AtomicInteger reports = new AtomicInteger();
		second.source.onRemoteEnd(reports::incrementAndGet);
		failing.setFailing(true);
		first.source.endAll();
		assertThat(second.poll()).isFalse();
		failing.setFailing(false);
		assertThat(second.poll()).isTrue();
		assertThat(second.keys.encrypting()).isEqualTo(first.keys.encrypting());
		assertThat(second.keys.decrypting()).doesNotContainAnyElementsOf(before);
		await(() -> reports.get() == 1);
	}

	@Test
	void concurrentEndsReachAllNodes() throws Exception {
		Node node = node();
		node.listen();
		ExecutorService executor = Executors.newFixedThreadPool(5);
		try {
			List<Callable<Reach>> ends = Collections.nCopies(20, node.source::endAll);
			for (Future<Reach> end : executor.invokeAll(ends)) {
				assertThat(end.get()).isEqualTo(Reach.ALL_NODES);
			}
		}
		finally {
			executor.shutdownNow();
		}
		assertThat(node.status().lastEnd()).isEqualTo(Reach.ALL_NODES);
	}

	@Test
	void endUnderWayDoesNotHideReachOfLast() {
		this.waits = SHORT;
		Node node = node();
		node.listen();
		await(() -> node.source.endAll() == Reach.ALL_NODES);
		List<Reach> underWay = new ArrayList<>();
		node.source.subscribe(TestTicketKeyListeners.ofEnds(() -> underWay.add(node.status().lastEnd())));
		this.redis.kill();
		assertThat(node.source.endAll()).isEqualTo(Reach.THIS_NODE);
		assertThat(underWay).containsExactly(Reach.ALL_NODES);
		assertThat(node.status().lastEnd()).isEqualTo(Reach.THIS_NODE);
	}

	@Test
	void onlyListeningNodeReachesAllNodes() {
		this.waits = withShortSubscription();
		this.redis.cli("acl", "setuser", "default", "-subscribe");
		Node node = deafNode();
		assertThat(node.source.messages.isHeard()).isFalse();
		assertThat(node.source.endAll()).isEqualTo(Reach.CONFIRMED_NODES);
		assertThat(node.status().lastEnd()).isEqualTo(Reach.CONFIRMED_NODES);
	}

	/**
	 * Nodes that cannot subscribe try for as long as a poll may take.
	 */
	private Waits withShortSubscription() {
		return new Waits(SHORT.poll(), this.waits.connect(), SHORT.end(), Duration.ZERO);
	}

}
