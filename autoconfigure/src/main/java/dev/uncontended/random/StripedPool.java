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

package dev.uncontended.random;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.atomic.AtomicLongArray;
import java.util.concurrent.atomic.AtomicReferenceArray;
import java.util.concurrent.atomic.LongAdder;
import java.util.concurrent.locks.Lock;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.LongSupplier;
import java.util.function.Supplier;

import org.jspecify.annotations.Nullable;

/**
 * Random slots of 16 bytes from a number of stripes, each with a generator of its own
 * that is read in bulk. Thread-safe; no method waits for another thread, but for
 * {@link #stats()}, {@link #suspend()}, {@link #resume()} and {@link #close()}, which
 * wait for one another.
 * <h2>Why it is correct</h2>
 * <p>
 * <b>A slot is claimed by one compare-and-set.</b> A stripe's current {@link Batch}
 * counts the slots that remain. The thread that lowers the count from {@code n} to
 * {@code n - 1} owns slot {@code n - 1}; it reads the slot and then zeroes it. The count
 * of a batch only ever falls, so a thread that slept between reading it and the
 * compare-and-set fails unless nothing happened in between. Nothing is locked: a thread
 * that is descheduled in the middle holds one slot and nobody else.
 * <p>
 * <b>A batch may be biased.</b> A compare-and-set takes as long as the rest of a draw,
 * and is in vain where one thread has a stripe to itself. So a thread that refills a
 * stripe twice in a row owns the second batch: only the owner claims its slots, by
 * lowering the count with a plain store. Nobody waits for it. Another thread that comes
 * to the stripe withdraws the batch: it replaces it by one that is shared, and what the
 * owner had left goes to the garbage collector. That costs at most one buffer for each
 * that was shared and used up, and leaves nothing behind for any thread: it is no
 * thread-local.
 * <p>
 * <b>A claim is confirmed.</b> {@code suspend} and {@code close} wipe a biased batch in
 * the middle of a claim of its owner, who may then read zeros. They mark the batch as
 * withdrawn before they wipe it, with a release fence in between; the owner looks for the
 * mark after it has read, with an acquire fence in between. So whoever has read a zero
 * sees the mark, and draws again. Slots of a shared batch that were claimed are never
 * wiped.
 * <p>
 * <b>Bytes are filled again only when all claimed slots were read.</b> Those of a biased
 * batch are if its owner refills it. Otherwise zeros say so: each slot is zeroed by the
 * one who read it, after a release fence, and the filler's owner looks at every byte,
 * then has an acquire fence. If a single byte is not zero, some thread has claimed a slot
 * and not come round to reading it; the bytes are left to it and to the garbage
 * collector, and new ones are filled. So are those of a biased batch that was replaced.
 * <p>
 * <b>What is published is whole.</b> The bytes are filled and checked while nobody else
 * can reach them. Then a batch that nobody has seen before, with those bytes, replaces
 * the empty one by a compare-and-set, whose release makes the bytes visible to whoever
 * reads the reference with acquire. Because every batch is a new object, the reference
 * cannot have gone away and come back. If the generator fails or the compare-and-set
 * does, the bytes are zeroed and nothing was published. The publisher's own slots are
 * taken off the count beforehand, so that it cannot be starved by those it publishes for.
 * <p>
 * <b>Nothing passes from one {@link Epoch} to the next.</b> {@code suspend} first sets
 * the epoch, and then replaces each current batch by an empty one of the new epoch and
 * takes out each filler. Whoever publishes compares with a batch of the epoch in which it
 * filled, so it cannot publish after that. Whoever puts a filler back reads the epoch
 * afterwards: with both accesses volatile, either it sees the new epoch and takes the
 * filler out again, or {@code suspend} sees the filler. And whoever takes a filler of
 * another epoch wipes it.
 * <p>
 * <b>Counting costs nothing.</b> The refills of a stripe times the slots of a buffer,
 * less what remains, less what nobody will get, is what was handed out. What was left of
 * a withdrawn batch is counted by whoever replaces the batch that followed it: hundreds
 * of draws later, when the plain store of a claim that did not see the mark has long left
 * its processor. An owner that does see it gives its claim back, and if it finds the
 * count taken already, corrects it. Every other claim is atomic.
 */
public final class StripedPool implements AutoCloseable {

	/** The largest number of stripes. */
	public static final int MAX_STRIPES = 1024;

	/** The smallest buffer, in bytes. */
	public static final int MIN_BUFFER_SIZE = 64;

	/** The largest buffer, in bytes. */
	public static final int MAX_BUFFER_SIZE = 1 << 20;

	private static final VarHandle BATCH = MethodHandles.arrayElementVarHandle(Batch[].class);

	private static final long GOLDEN_RATIO = 0x9E3779B97F4A7C15L;

	/** Elements between two references, so that they are on different cache lines. */
	private static final int SPREAD = 16;

	private final Supplier<Prng> prngs;

	private final int bufferSize;

	private final int slots;

	private final int stripes;

	private final int shift;

	private final Reseeding reseeding;

	/** The current batch of each stripe. */
	private final Batch[] batches;

	private final AtomicReferenceArray<@Nullable Filler> fillers;

	private final AtomicLongArray contended;

	private final LongAdder unbuffered = new LongAdder();

	private final LongAdder failures = new LongAdder();

	private final Lock lifecycle = new ReentrantLock();

	private volatile Epoch epoch;

	private volatile @Nullable RefillFailure lastFailure;

	/**
	 * Makes a pool.
	 * @param algorithm the generator of each stripe
	 * @param stripes the number of stripes, from 1 to {@value #MAX_STRIPES}, rounded up
	 * to a power of two
	 * @param bufferSize the bytes of a stripe's buffer, a multiple of 16 from
	 * {@value #MIN_BUFFER_SIZE} to {@value #MAX_BUFFER_SIZE}
	 * @param reseedInterval the time after which a generator gets fresh entropy at its
	 * next refill; zero for never
	 * @throws IllegalArgumentException if a number is out of its range
	 */
	public StripedPool(RandomAlgorithm algorithm, int stripes, int bufferSize, Duration reseedInterval) {
		this(algorithm::newPrng, stripes, bufferSize, reseedInterval, System::nanoTime);
	}

	StripedPool(Supplier<Prng> prngs, int stripes, int bufferSize, Duration reseedInterval, LongSupplier ticker) {
		if (stripes < 1 || stripes > MAX_STRIPES) {
			throw new IllegalArgumentException("stripes must be from 1 to " + MAX_STRIPES + ", but is " + stripes);
		}
		if (bufferSize < MIN_BUFFER_SIZE || bufferSize > MAX_BUFFER_SIZE || bufferSize % Batch.SLOT != 0) {
			throw new IllegalArgumentException("bufferSize must be a multiple of " + Batch.SLOT + " bytes from "
					+ MIN_BUFFER_SIZE + " to " + MAX_BUFFER_SIZE + ", but is " + bufferSize);
		}
		if (reseedInterval.isNegative()) {
			throw new IllegalArgumentException("reseedInterval must not be negative, but is " + reseedInterval);
		}
		this.prngs = prngs;
		this.bufferSize = bufferSize;
		this.slots = bufferSize / Batch.SLOT;
		int log = Integer.SIZE - Integer.numberOfLeadingZeros(stripes - 1);
		this.stripes = 1 << log;
		this.shift = Long.SIZE - 1 - log;
		this.reseeding = new Reseeding(reseedInterval, ticker);
		this.batches = new Batch[(this.stripes + 1) * SPREAD];
		this.fillers = new AtomicReferenceArray<>((this.stripes + 1) * SPREAD);
		this.contended = new AtomicLongArray(this.stripes);
		Epoch epoch = new Epoch(Epoch.Kind.RUNNING);
		for (int i = 0; i < this.stripes; i++) {
			BATCH.setRelease(this.batches, at(i), new Batch(new byte[0], 0, epoch));
			this.fillers.set(at(i), newFiller(epoch));
		}
		this.epoch = epoch;
	}

	/**
	 * Returns the number of stripes for the processors of this machine.
	 * @return eight times the number of processors, rounded up to a power of two, at most
	 * 256
	 */
	public static int defaultStripes() {
		int wanted = Math.min(256, 8 * Runtime.getRuntime().availableProcessors());
		return 1 << (Integer.SIZE - Integer.numberOfLeadingZeros(wanted - 1));
	}

	/**
	 * Draws a slot.
	 * @param <T> what is made of it
	 * @param function makes the result
	 * @return what the function made
	 * @throws java.security.ProviderException if the generator fails; no random bits are
	 * lost or spoilt by that, and the next call tries again
	 * @throws IllegalStateException if the pool is closed
	 */
	public <T> T draw(SlotFunction<T> function) {
		Thread thread = Thread.currentThread();
		Batch batch = current(home(thread));
		int remaining = batch.remaining;
		if (remaining > 0 && batch.claim(thread, remaining, 1)) {
			T result = batch.take(remaining - 1, function);
			if (batch.confirm(remaining - 1, 1)) {
				return result;
			}
		}
		return drawSlowly(function);
	}

	private <T> T drawSlowly(SlotFunction<T> function) {
		while (true) {
			Claim claim = claim(1);
			T result = claim.batch.take(claim.first, function);
			if (claim.batch.confirm(claim.first, 1)) {
				return result;
			}
		}
	}

	/**
	 * Draws a slot for each element.
	 * @param <T> what is made of a slot
	 * @param destination what to fill
	 * @param function makes an element
	 * @throws java.security.ProviderException if the generator fails
	 * @throws IllegalStateException if the pool is closed
	 */
	public <T> void fill(T[] destination, SlotFunction<? extends T> function) {
		int index = 0;
		while (index < destination.length) {
			Claim claim = claim(destination.length - index);
			claim.batch.take(claim.first, claim.count, destination, index, function);
			if (claim.batch.confirm(claim.first, claim.count)) {
				index += claim.count;
			}
		}
	}

	/**
	 * Fills an array of bytes. What is left of the last slot is dropped.
	 * @param destination what to overwrite
	 * @throws java.security.ProviderException if the generator fails
	 * @throws IllegalStateException if the pool is closed
	 */
	public void nextBytes(byte[] destination) {
		if (destination.length == Batch.SLOT) {
			// What UUID.randomUUID() asks for.
			Thread thread = Thread.currentThread();
			Batch batch = current(home(thread));
			int remaining = batch.remaining;
			if (remaining > 0 && batch.claim(thread, remaining, 1)) {
				batch.take(remaining - 1, destination, 0);
				if (batch.confirm(remaining - 1, 1)) {
					return;
				}
			}
		}
		nextBytesSlowly(destination);
	}

	private void nextBytesSlowly(byte[] destination) {
		int offset = 0;
		while (offset < destination.length) {
			int left = destination.length - offset;
			Claim claim = claim(1 + (left - 1) / Batch.SLOT);
			int length = Math.min(left, claim.count * Batch.SLOT);
			claim.batch.take(claim.first, claim.count, destination, offset, length);
			if (claim.batch.confirm(claim.first, claim.count)) {
				offset += length;
			}
		}
	}

	/**
	 * Claims slots, beginning at the thread's own stripe.
	 * @param wanted the number of slots, at least 1
	 * @return at least one slot and at most those wanted
	 */
	private Claim claim(int wanted) {
		while (true) {
			Epoch epoch = this.epoch;
			if (epoch.kind == Epoch.Kind.CLOSED) {
				throw new IllegalStateException("The pool is closed");
			}
			if (epoch.kind == Epoch.Kind.SUSPENDED) {
				return claimUnbuffered(epoch, wanted);
			}
			Thread thread = Thread.currentThread();
			int home = home(thread);
			for (int i = 0; i < this.stripes; i++) {
				Claim claim = tryClaim((home + i) & (this.stripes - 1), thread, wanted, epoch);
				if (claim != null) {
					return claim;
				}
			}
			Claim claim = refill(home, thread, newFiller(epoch), wanted);
			if (claim != null) {
				return claim;
			}
		}
	}

	private @Nullable Claim tryClaim(int stripe, Thread thread, int wanted, Epoch epoch) {
		Batch batch = current(stripe);
		int remaining = batch.remaining;
		if (batch.isUsedUp() || (batch.isBiasedAgainst(thread) && stripe == home(thread))) {
			Filler filler = takeFiller(stripe, batch, epoch);
			if (filler != null) {
				return refill(stripe, thread, filler, wanted);
			}
		}
		else {
			int count = Math.min(wanted, remaining);
			if (batch.claim(thread, remaining, count)) {
				return new Claim(batch, remaining - count, count);
			}
		}
		this.contended.getAndIncrement(stripe);
		return null;
	}

	private @Nullable Filler takeFiller(int stripe, Batch empty, Epoch epoch) {
		Filler filler = this.fillers.getAndSet(at(stripe), null);
		if (filler != null && filler.epoch != epoch) {
			filler.wipe();
			filler = null;
		}
		return (filler == null && empty.isAbandoned()) ? newFiller(epoch) : filler;
	}

	/**
	 * Fills a batch and makes it the stripe's current one.
	 * @param filler one that belongs to this thread
	 * @return slots of the new batch, or {@code null} if another thread, or another
	 * epoch, came first
	 */
	private @Nullable Claim refill(int stripe, Thread thread, Filler filler, int wanted) {
		try {
			Batch spent = current(stripe);
			boolean revokes = spent.isBiasedAgainst(thread);
			if (spent.epoch != filler.epoch || !(spent.isUsedUp() || revokes)) {
				return null;
			}
			byte[] bytes = fill(filler);
			int count = Math.min(wanted, this.slots);
			Batch full = spent.refilled(bytes, this.slots - count, thread);
			if (revokes) {
				spent.withdraw();
			}
			if (!BATCH.compareAndSet(this.batches, at(stripe), spent, full)) {
				Arrays.fill(bytes, (byte) 0);
				return null;
			}
			spent.settleOrphan();
			if (!full.hasOrphan()) {
				filler.recycle(spent);
			}
			return new Claim(full, this.slots - count, count);
		}
		finally {
			putBack(stripe, filler);
		}
	}

	private byte[] fill(Filler filler) {
		try {
			byte[] bytes = filler.fill();
			if (this.lastFailure != null) {
				this.lastFailure = null;
			}
			return bytes;
		}
		catch (Throwable ex) {
			this.failures.increment();
			this.lastFailure = new RefillFailure(Instant.now(), ex.getClass().getName());
			throw ex;
		}
	}

	private void putBack(int stripe, Filler filler) {
		if (!this.fillers.compareAndSet(at(stripe), null, filler)) {
			filler.wipe();
		}
		else if (this.epoch != filler.epoch && this.fillers.compareAndSet(at(stripe), filler, null)) {
			filler.wipe();
		}
	}

	/**
	 * A generator for this call only, so that nothing stays behind in a suspended pool.
	 */
	private Claim claimUnbuffered(Epoch epoch, int wanted) {
		int count = Math.min(wanted, this.slots);
		Filler filler = new Filler(this.prngs, count * Batch.SLOT, this.reseeding, epoch);
		try {
			Batch batch = new Batch(fill(filler), 0, epoch);
			this.unbuffered.add(count);
			return new Claim(batch, 0, count);
		}
		finally {
			filler.wipe();
		}
	}

	/**
	 * Adds a seed to the generator of the thread's stripe, for its next refill. A seed
	 * adds to the state and never replaces it.
	 * @param seed any number of bytes
	 */
	void addSeed(byte[] seed) {
		int home = home(Thread.currentThread());
		for (int i = 0; i < this.stripes; i++) {
			int stripe = (home + i) & (this.stripes - 1);
			Filler filler = this.fillers.getAndSet(at(stripe), null);
			if (filler != null) {
				try {
					filler.addSeed(seed);
				}
				finally {
					putBack(stripe, filler);
				}
				return;
			}
		}
	}

	/**
	 * Wipes every buffer and drops all state of the generators. Draws go on, but past the
	 * stripes: each makes a generator, seeded from the operating system, and drops it,
	 * which takes microseconds, so that whoever still needs an id gets one, and nothing
	 * is retained. Does nothing if the pool is suspended or closed.
	 */
	public void suspend() {
		end(Epoch.Kind.SUSPENDED);
	}

	/**
	 * Seeds every stripe anew from the operating system, each with its next refill. Does
	 * nothing if the pool is running.
	 * @throws IllegalStateException if the pool is closed
	 */
	public void resume() {
		this.lifecycle.lock();
		try {
			if (this.epoch.kind == Epoch.Kind.CLOSED) {
				throw new IllegalStateException("The pool is closed");
			}
			if (this.epoch.kind == Epoch.Kind.RUNNING) {
				return;
			}
			Epoch epoch = new Epoch(Epoch.Kind.RUNNING);
			// The stripes first: a thread that sees the new epoch finds them in it.
			for (int i = 0; i < this.stripes; i++) {
				BATCH.setVolatile(this.batches, at(i), current(i).emptied(epoch));
				this.fillers.set(at(i), newFiller(epoch));
			}
			this.epoch = epoch;
		}
		finally {
			this.lifecycle.unlock();
		}
	}

	/**
	 * Wipes every buffer and drops all state of the generators, for good. Does nothing if
	 * the pool is closed.
	 */
	@Override
	public void close() {
		end(Epoch.Kind.CLOSED);
	}

	private void end(Epoch.Kind kind) {
		this.lifecycle.lock();
		try {
			if (this.epoch.kind.compareTo(kind) >= 0) {
				return;
			}
			Epoch epoch = new Epoch(kind);
			this.epoch = epoch;
			for (int i = 0; i < this.stripes; i++) {
				retire(i, epoch);
			}
		}
		finally {
			this.lifecycle.unlock();
		}
	}

	private void retire(int stripe, Epoch epoch) {
		Batch batch;
		Batch empty;
		do {
			batch = current(stripe);
			empty = batch.emptied(epoch);
		}
		while (!BATCH.compareAndSet(this.batches, at(stripe), batch, empty));
		batch.discard();
		Filler filler = this.fillers.getAndSet(at(stripe), null);
		if (filler != null) {
			filler.wipe();
		}
	}

	/**
	 * Returns what the pool has done so far.
	 * @return the statistics, exact when no thread is drawing
	 */
	public PoolStats stats() {
		this.lifecycle.lock();
		try {
			List<StripeStats> stats = new ArrayList<>();
			for (int i = 0; i < this.stripes; i++) {
				Batch batch = current(i);
				long draws = batch.refills * this.slots - batch.remaining - batch.forsaken();
				stats.add(new StripeStats(draws, batch.refills, this.contended.get(i)));
			}
			return new PoolStats(this.bufferSize, this.unbuffered.sum(), this.reseeding.total(), this.failures.sum(),
					stats);
		}
		finally {
			this.lifecycle.unlock();
		}
	}

	/**
	 * Returns the failure of the last refill.
	 * @return the failure, or {@code null} if the last refill went well
	 */
	public @Nullable RefillFailure lastFailure() {
		return this.lastFailure;
	}

	private Filler newFiller(Epoch epoch) {
		return new Filler(this.prngs, this.bufferSize, this.reseeding, epoch);
	}

	private Batch current(int stripe) {
		return (Batch) BATCH.getAcquire(this.batches, at(stripe));
	}

	private int home(Thread thread) {
		// In two steps, because Java takes a shift by 64, for one stripe, as one by 0.
		return (int) ((thread.getId() * GOLDEN_RATIO) >>> 1 >>> this.shift);
	}

	private static int at(int stripe) {
		return (stripe + 1) * SPREAD;
	}

	/**
	 * Slots that belong to the thread that has this.
	 */
	private static final class Claim {

		final Batch batch;

		final int first;

		final int count;

		Claim(Batch batch, int first, int count) {
			this.batch = batch;
			this.first = first;
			this.count = count;
		}

	}

}
