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

package dev.uncontended.random.internal;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.security.ProviderException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLongArray;
import java.util.concurrent.atomic.AtomicReferenceArray;
import java.util.concurrent.atomic.LongAdder;
import java.util.concurrent.locks.LockSupport;
import java.util.function.IntFunction;
import java.util.function.LongSupplier;
import java.util.function.Supplier;

import dev.uncontended.random.PoolStats;
import dev.uncontended.random.RefillFailure;
import dev.uncontended.random.StripeStats;
import dev.uncontended.random.prng.Prng;
import org.jspecify.annotations.Nullable;

/**
 * A pool of random bits, divided into stripes. Each stripe has a buffer of 16-byte slots
 * and a generator that fills the buffer in one call. A draw takes one slot. Thread-safe.
 * <p>
 * Draws do not block each other, with two exceptions. The first refills of CTR_DRBG
 * {@linkplain ColdStart take turns}. If refills take a millisecond or more, a draw that
 * finds all generators in use pauses. All waits of a draw take at most a second.
 * {@linkplain EventLoops Event loops} never wait.
 * <h2>Correctness: claim, take, validate</h2>
 * <p>
 * <b>Claim.</b> A stripe's current {@link Batch} counts its unclaimed slots. The thread
 * that lowers the count from {@code n} to {@code n - 1} by a compare-and-set owns slot
 * {@code n - 1}. The count never increases, so each slot has at most one owner.
 * <p>
 * <b>Take.</b> The owner reads the slot and zeroes it. All random bytes of a batch are
 * written before a compare-and-set publishes the batch. Later writes only zero bytes.
 * Every batch is a new object, so there is no ABA problem.
 * <p>
 * <b>Validate.</b> {@code suspend} and {@code close} revoke all batches: they change the
 * pool's {@link Epoch}, execute a release fence, and wipe the batches. A thread that has
 * read a slot executes an acquire fence, and then reads the pool's epoch. Because of the
 * fences, a thread that has read wiped bytes reads the new epoch. If the epochs of the
 * batch and the pool differ, the thread discards the slot. It takes new bits from a
 * generator created for this draw.
 * <p>
 * <b>Refill.</b> A thread leases a stripe's {@link Refiller}: it takes the refiller and
 * puts it back after use. If all refillers are leased, the thread creates a refiller. A
 * new batch is published only in place of an empty batch of the same epoch. An
 * unpublished batch serves only the draw that filled it.
 * <p>
 * No refiller of an ended epoch remains in a stripe. A revocation changes the epoch and
 * then removes all refillers. A thread puts a refiller back and then reads the epoch. All
 * these accesses are volatile. Therefore either the revocation finds the refiller, or the
 * thread reads the new epoch and removes the refiller. A different thread that takes the
 * refiller in between wipes it, or puts it back in the same way.
 */
public final class StripedPool implements AutoCloseable {

	/** The largest number of stripes. */
	public static final int MAX_STRIPES = 1024;

	/** The smallest buffer, in bytes. */
	public static final int MIN_BUFFER_SIZE = 64;

	/** The largest buffer, in bytes. */
	public static final int MAX_BUFFER_SIZE = 1 << 20;

	/** The size of a slot, in bytes. */
	public static final int SLOT_SIZE = Batch.SLOT;

	private static final VarHandle BATCH = MethodHandles.arrayElementVarHandle(Batch[].class);

	/**
	 * The minimum lease time after which a refiller is replaced. A generator can be
	 * created in this time.
	 */
	private static final long MIN_REPLACEMENT_NANOS = 50_000;

	private static final int REPLACEMENT_FACTOR = 2;

	/** Instead of a shorter pause, a draw creates a generator. */
	private static final long MIN_PAUSE_NANOS = 250_000;

	private static final int MAX_PAUSES = 4;

	/** The maximum sum of a draw's pauses. */
	static final Duration MAX_WAIT = Duration.ofMillis(500);

	/** About as long as a thread draws from one batch. */
	private static final int BACKOFF_SPINS = 256;

	private static final String CLOSED = "The generator is closed. A bean is closed when its application context has"
			+ " stopped. Stop the callers before the context, or create a separate generator for them.";

	private final Supplier<Prng> prngs;

	private final int bufferSize;

	private final int slots;

	private final int stripes;

	private final int shift;

	private final long reseedNanos;

	private final LongSupplier ticker;

	private final Batch[] batches;

	private final AtomicReferenceArray<@Nullable Refiller> refillers;

	/** When each stripe's refiller was last leased, in ticker nanoseconds. */
	private final AtomicLongArray takenAt;

	private final AtomicLongArray contended;

	/**
	 * The unclaimed slots of each stripe's revoked batches. Guarded by this pool's
	 * monitor.
	 */
	private final long[] discarded;

	/** The slots that were drawn from unpublished batches. */
	private final LongAdder unbuffered = new LongAdder();

	private final LongAdder reseeds = new LongAdder();

	private final LongAdder failures = new LongAdder();

	private final ColdStart coldStart;

	private final long maxWaitNanos;

	private volatile Epoch epoch;

	/**
	 * Creates a pool.
	 * @param stripes the number of stripes, rounded up to a power of two
	 * @param bufferSize the buffer size of a stripe in bytes
	 * @param reseedInterval the time after which a generator is reseeded at its next
	 * refill; zero leaves reseeding to the algorithm
	 * @throws IllegalArgumentException if an argument is out of range
	 */
	public StripedPool(RandomAlgorithm algorithm, int stripes, int bufferSize, Duration reseedInterval) {
		this(algorithm::newPrng, stripes, bufferSize, reseedInterval, System::nanoTime, MAX_WAIT, algorithm::coldStart);
	}

	StripedPool(Supplier<Prng> prngs, int stripes, int bufferSize, Duration reseedInterval, LongSupplier ticker) {
		this(prngs, stripes, bufferSize, reseedInterval, ticker, MAX_WAIT, (count) -> ColdStart.none());
	}

	StripedPool(Supplier<Prng> prngs, int stripes, int bufferSize, Duration reseedInterval, LongSupplier ticker,
			Duration maxWait, IntFunction<ColdStart> coldStart) {
		if (stripes < 1 || stripes > MAX_STRIPES) {
			throw new IllegalArgumentException("stripes must be from 1 to " + MAX_STRIPES + ", but was " + stripes);
		}
		if (bufferSize < MIN_BUFFER_SIZE || bufferSize > MAX_BUFFER_SIZE || bufferSize % Batch.SLOT != 0) {
			throw new IllegalArgumentException("bufferSize must be a multiple of " + Batch.SLOT + " bytes from "
					+ MIN_BUFFER_SIZE + " to " + MAX_BUFFER_SIZE + ", but was " + bufferSize);
		}
		if (reseedInterval.isNegative()) {
			throw new IllegalArgumentException("reseedInterval must not be negative, but was " + reseedInterval);
		}
		this.prngs = prngs;
		this.bufferSize = bufferSize;
		this.slots = bufferSize / Batch.SLOT;
		this.stripes = Striping.powerOfTwo(stripes);
		this.shift = Striping.shift(this.stripes);
		this.reseedNanos = reseedInterval.isZero() ? Long.MAX_VALUE : TimeUnit.NANOSECONDS.convert(reseedInterval);
		this.ticker = ticker;
		this.maxWaitNanos = maxWait.toNanos();
		this.coldStart = coldStart.apply(this.stripes);
		int length = Striping.length(this.stripes);
		this.batches = new Batch[length];
		this.refillers = new AtomicReferenceArray<>(length);
		this.takenAt = new AtomicLongArray(length);
		this.contended = new AtomicLongArray(length);
		this.discarded = new long[this.stripes];
		Epoch epoch = new Epoch(Epoch.Kind.RUNNING);
		for (int i = 0; i < this.stripes; i++) {
			BATCH.setRelease(this.batches, Striping.at(i), Batch.unbuffered(new byte[0], epoch));
			this.refillers.set(Striping.at(i), newRefiller(epoch));
		}
		this.epoch = epoch;
	}

	/**
	 * Returns the default number of stripes: eight times the number of processors, at
	 * most 256.
	 */
	public static int defaultStripes() {
		return Math.min(256, 8 * Runtime.getRuntime().availableProcessors());
	}

	/**
	 * Draws a slot, and converts it to the result. The function may draw from this pool.
	 * @throws java.security.ProviderException if the generator fails; the next call
	 * retries
	 * @throws IllegalStateException if the pool is closed
	 */
	public <T> T draw(SlotFunction<T> function) {
		int stripe = Striping.probe(this.shift);
		Batch batch = current(stripe);
		int slot = batch.claim();
		if (slot < 0) {
			// Adds 1 after a lost race, and 0 if the batch was empty, without a branch.
			this.contended.getAndAdd(Striping.at(stripe), -1 - slot);
			Claim claim = claim(1);
			batch = claim.batch;
			slot = claim.start;
		}
		return take(batch, slot, function);
	}

	private <T> T take(Batch batch, int slot, SlotFunction<T> function) {
		long first = batch.first(slot);
		long second = batch.second(slot);
		batch.zero(slot);
		return isValid(batch) ? function.apply(first, second) : takeUnbuffered(function);
	}

	private <T> T takeUnbuffered(SlotFunction<T> function) {
		for (;;) {
			Batch batch = fillOnce(1, this.epoch);
			long first = batch.first(0);
			long second = batch.second(0);
			batch.zero(0);
			if (isValid(batch)) {
				return function.apply(first, second);
			}
		}
	}

	boolean isValid(Batch batch) {
		// Keeps the read of the slot before the read of the epoch.
		VarHandle.acquireFence();
		return batch.epoch == this.epoch;
	}

	/**
	 * Fills an array like a {@link #draw} for each element. After an exception, the array
	 * may be partly filled.
	 */
	public <T> void fill(@Nullable T[] destination, SlotFunction<? extends T> function) {
		int[] index = new int[1];
		drawEach(destination.length, (first, second) -> destination[index[0]++] = function.apply(first, second));
	}

	/**
	 * Fills a byte array like a {@link #draw} for each 16 bytes. After an exception, the
	 * array may be partly filled.
	 */
	public void nextBytes(byte[] destination) {
		if (destination.length == Batch.SLOT) {
			// The request size of UUID.randomUUID().
			draw((first, second) -> Batch.write(destination, 0, first, second));
			return;
		}
		int[] offset = new int[1];
		drawEach(slots(destination.length),
				(first, second) -> offset[0] = Batch.write(destination, offset[0], first, second));
	}

	static int slots(int bytes) {
		// Unlike (bytes + SLOT - 1) / SLOT, this does not overflow.
		return bytes / Batch.SLOT + ((bytes % Batch.SLOT != 0) ? 1 : 0);
	}

	private void drawEach(int count, SlotFunction<?> function) {
		int left = count;
		while (left > 0) {
			Claim claim = claim(left);
			left -= claim.count;
			int end = claim.start + claim.count;
			int slot = claim.start;
			try {
				for (; slot < end; slot++) {
					take(claim.batch, slot, function);
				}
			}
			finally {
				claim.batch.zero(slot, end);
			}
		}
	}

	/**
	 * Claims at least one slot and at most {@code wanted}. Tries all stripes, and refills
	 * empty stripes. If other threads are refilling all stripes, pauses and retries, or
	 * creates a generator.
	 */
	Claim claim(int wanted) {
		int most = Math.min(wanted, this.slots);
		int probe = Striping.probe(this.shift);
		for (int pauses = 0;; pauses++) {
			Epoch epoch = this.epoch;
			if (epoch.kind == Epoch.Kind.CLOSED) {
				throw new IllegalStateException(CLOSED);
			}
			if (epoch.kind == Epoch.Kind.SUSPENDED) {
				return unbuffered(fillOnce(most, epoch), 0, most);
			}
			// Waits for a turn once, which bounds the sum of all waits.
			Claim claim = (pauses == 0) ? claimInTurn(probe, most, epoch) : tryClaimAny(probe, most, epoch);
			if (claim != null) {
				return claim;
			}
			long pause = Math.min(current(probe).lastRefillNanos, this.maxWaitNanos) / MAX_PAUSES;
			if (pause < MIN_PAUSE_NANOS || pauses == MAX_PAUSES || EventLoops.isCurrent()) {
				return refill(probe, newRefiller(epoch), most);
			}
			LockSupport.parkNanos(pause);
		}
	}

	private @Nullable Claim claimInTurn(int probe, int wanted, Epoch epoch) {
		Batch batch = current(probe);
		boolean hasTurn = batch.remaining == 0 && this.coldStart.takeTurn(batch.refills);
		try {
			return tryClaimAny(probe, wanted, epoch);
		}
		finally {
			if (hasTurn) {
				this.coldStart.endTurn();
			}
		}
	}

	private @Nullable Claim tryClaimAny(int probe, int wanted, Epoch epoch) {
		for (int i = 0; i < this.stripes; i++) {
			Claim claim = tryClaim((probe + i) & (this.stripes - 1), wanted, epoch);
			if (claim != null) {
				return claim;
			}
		}
		return null;
	}

	/**
	 * Claims slots of the stripe, or refills it. Backs off and retries after a lost race,
	 * which another thread has won. Returns {@code null} only if another thread is
	 * refilling the stripe, or if the epoch has ended.
	 */
	private @Nullable Claim tryClaim(int stripe, int wanted, Epoch epoch) {
		for (;;) {
			Batch batch = current(stripe);
			int remaining = batch.remaining;
			if (remaining > 0) {
				int count = Math.min(wanted, remaining);
				if (batch.claim(remaining, count)) {
					return new Claim(batch, remaining - count, count);
				}
				this.contended.getAndIncrement(Striping.at(stripe));
				backOff();
			}
			else {
				Refiller refiller = takeRefiller(stripe, batch, epoch);
				if (refiller == null) {
					this.contended.getAndIncrement(Striping.at(stripe));
					return null;
				}
				if (current(stripe) == batch) {
					return refill(stripe, refiller, wanted);
				}
				putBack(stripe, refiller);
			}
		}
	}

	/*
	 * Threads that retry at once spend their time on moving a cache line to and fro.
	 */
	private static void backOff() {
		for (int i = 0; i < BACKOFF_SPINS; i++) {
			Thread.onSpinWait();
		}
	}

	/**
	 * Leases the stripe's refiller, or returns {@code null} if it is in use or belongs to
	 * another epoch. If another thread has kept the refiller for too long, returns a new
	 * refiller, because the other thread is probably descheduled.
	 */
	private @Nullable Refiller takeRefiller(int stripe, Batch spent, Epoch epoch) {
		long now = this.ticker.getAsLong();
		Refiller refiller = this.refillers.getAndSet(Striping.at(stripe), null);
		if (refiller == null) {
			long takenAt = this.takenAt.get(Striping.at(stripe));
			long patience = Math.max(MIN_REPLACEMENT_NANOS, REPLACEMENT_FACTOR * spent.lastRefillNanos);
			boolean replaces = now - takenAt > patience
					&& this.takenAt.compareAndSet(Striping.at(stripe), takenAt, now);
			return replaces ? newRefiller(epoch) : null;
		}
		this.takenAt.set(Striping.at(stripe), now);
		if (refiller.epoch != epoch) {
			refiller.wipe();
			return null;
		}
		return refiller;
	}

	/**
	 * Fills a batch, and publishes it if the stripe's current batch is empty. Reserves
	 * the caller's slots before publication.
	 */
	private Claim refill(int stripe, Refiller refiller, int wanted) {
		try {
			byte[] bytes = fill(refiller);
			int rest = this.slots - wanted;
			Batch spent = current(stripe);
			if (spent.epoch == refiller.epoch && spent.remaining == 0) {
				Batch full = spent.refilled(bytes, rest, refiller.lastNanos);
				if (BATCH.compareAndSet(this.batches, Striping.at(stripe), spent, full)) {
					return new Claim(full, rest, wanted);
				}
			}
			Batch batch = Batch.unbuffered(bytes, refiller.epoch);
			batch.zero(0, rest);
			return unbuffered(batch, rest, wanted);
		}
		finally {
			putBack(stripe, refiller);
		}
	}

	private Claim unbuffered(Batch batch, int start, int count) {
		this.unbuffered.add(count);
		return new Claim(batch, start, count);
	}

	private Batch fillOnce(int slots, Epoch epoch) {
		Refiller refiller = newRefiller(slots * Batch.SLOT, epoch);
		try {
			return Batch.unbuffered(fill(refiller), epoch);
		}
		finally {
			refiller.wipe();
		}
	}

	private byte[] fill(Refiller refiller) {
		Epoch epoch = refiller.epoch;
		try {
			byte[] bytes = refiller.fill();
			if (epoch.lastFailure != null) {
				epoch.lastFailure = null;
			}
			return bytes;
		}
		catch (Throwable ex) {
			this.failures.increment();
			epoch.lastFailure = new RefillFailure(Instant.now(), ex.getClass().getName());
			throw ex;
		}
	}

	private void putBack(int stripe, Refiller refiller) {
		if (!this.refillers.compareAndSet(Striping.at(stripe), null, refiller)) {
			refiller.wipe();
		}
		else if (this.epoch != refiller.epoch && this.refillers.compareAndSet(Striping.at(stripe), refiller, null)) {
			refiller.wipe();
		}
	}

	/**
	 * Seeds the generators that are not seeded yet. Otherwise, each generator is seeded
	 * by its first refill. Does nothing unless the pool is running. If a generator fails,
	 * leaves the remaining generators to their first refills.
	 */
	public void seed() {
		for (int stripe = 0; stripe < this.stripes; stripe++) {
			// A suspended or closed pool has no refillers.
			Refiller refiller = this.refillers.getAndSet(Striping.at(stripe), null);
			if (refiller != null) {
				try {
					refiller.seed();
				}
				catch (RuntimeException ex) {
					// The first refill retries, and reports the failure.
					return;
				}
				finally {
					putBack(stripe, refiller);
				}
			}
		}
	}

	/**
	 * Mixes a seed into the state of one generator that is not in use. If all generators
	 * are in use, the seed is dropped.
	 */
	void addSeed(byte[] seed) {
		int probe = Striping.probe(this.shift);
		for (int i = 0; i < this.stripes; i++) {
			int stripe = (probe + i) & (this.stripes - 1);
			Refiller refiller = this.refillers.getAndSet(Striping.at(stripe), null);
			if (refiller != null) {
				try {
					refiller.addSeed(seed);
				}
				finally {
					putBack(stripe, refiller);
				}
				return;
			}
		}
	}

	/**
	 * Suspends the pool, and wipes its buffers and CTR_DRBG generators. Other generators
	 * are only dropped, because the JCA cannot wipe them. A generator in use is wiped or
	 * dropped when its refill ends, and the refill's output is discarded. A draw under
	 * way discards its slot and takes new bits, unless the {@linkplain SlotFunction
	 * conversion} of the slot has begun. A closed pool remains closed.
	 * <p>
	 * Suspended pools are slow: each draw creates a generator seeded from the operating
	 * system.
	 * @throws ProviderException if a generator cannot be wiped; the others are wiped
	 */
	public void suspend() {
		end(Epoch.Kind.SUSPENDED);
	}

	/**
	 * Resumes the pool. Each stripe is seeded from the operating system at its next
	 * refill. Does nothing if the pool is running.
	 * @throws IllegalStateException if the pool is closed
	 */
	public synchronized void resume() {
		if (this.epoch.kind == Epoch.Kind.CLOSED) {
			throw new IllegalStateException(CLOSED);
		}
		if (this.epoch.kind == Epoch.Kind.RUNNING) {
			return;
		}
		Epoch epoch = new Epoch(Epoch.Kind.RUNNING);
		// Update the stripes before publishing the epoch to other threads.
		for (int i = 0; i < this.stripes; i++) {
			BATCH.setVolatile(this.batches, Striping.at(i), current(i).emptied(epoch));
			// A thread may have put back a refiller of an ended epoch.
			wipe(this.refillers.getAndSet(Striping.at(i), newRefiller(epoch)));
		}
		this.epoch = epoch;
	}

	/**
	 * Closes the pool permanently, and wipes it like {@link #suspend()}. Draws that have
	 * claimed a slot still return random bits. Other draws throw an
	 * {@link IllegalStateException}.
	 * @throws ProviderException if a generator cannot be wiped; the others are wiped
	 */
	@Override
	public void close() {
		end(Epoch.Kind.CLOSED);
	}

	private synchronized void end(Epoch.Kind kind) {
		if (this.epoch.kind.compareTo(kind) < 0) {
			this.epoch = new Epoch(kind);
		}
		// Keeps the wipes after the write of the epoch.
		VarHandle.releaseFence();
		// Always wipe, because an error may have interrupted an earlier wipe.
		ProviderException failure = null;
		for (int i = 0; i < this.stripes; i++) {
			try {
				revoke(i);
			}
			catch (RuntimeException | Error ex) {
				failure = new ProviderException("Failed to wipe a generator", ex);
			}
		}
		if (failure != null) {
			throw failure;
		}
	}

	private void revoke(int stripe) {
		Batch batch;
		do {
			batch = current(stripe);
			this.discarded[stripe] += batch.revoke();
		}
		while (!BATCH.compareAndSet(this.batches, Striping.at(stripe), batch, batch.emptied(this.epoch)));
		wipe(this.refillers.getAndSet(Striping.at(stripe), null));
	}

	private static void wipe(@Nullable Refiller refiller) {
		if (refiller != null) {
			refiller.wipe();
		}
	}

	/**
	 * Returns statistics of the pool, exact while no thread draws. Counts never decrease.
	 */
	public synchronized PoolStats stats() {
		List<StripeStats> stats = new ArrayList<>();
		long refillNanos = 0;
		for (int i = 0; i < this.stripes; i++) {
			Batch batch = current(i);
			long draws = batch.refills * this.slots - batch.remaining - this.discarded[i];
			stats.add(new StripeStats(draws, batch.refills, this.contended.get(Striping.at(i))));
			refillNanos += batch.refillNanos;
		}
		return new PoolStats(this.bufferSize, this.unbuffered.sum(), this.reseeds.sum(), this.failures.sum(),
				refillNanos, this.epoch.lastFailure, List.copyOf(stats));
	}

	private Refiller newRefiller(Epoch epoch) {
		return newRefiller(this.bufferSize, epoch);
	}

	private Refiller newRefiller(int length, Epoch epoch) {
		return new Refiller(this.prngs, length, this.reseedNanos, this.ticker, this.reseeds, epoch);
	}

	private Batch current(int stripe) {
		return (Batch) BATCH.getAcquire(this.batches, Striping.at(stripe));
	}

	/** Slots owned by one thread. */
	record Claim(Batch batch, int start, int count) {
	}

	/**
	 * A period in the life of a pool. A new epoch begins when the pool is suspended,
	 * resumed or closed. Generators and buffers of one epoch are not used in later
	 * epochs. Epochs are compared by identity.
	 */
	static final class Epoch {

		final Kind kind;

		/**
		 * The failure of the last refill, or {@code null} if it succeeded.
		 */
		volatile @Nullable RefillFailure lastFailure;

		Epoch(Kind kind) {
			this.kind = kind;
		}

		enum Kind {

			RUNNING, SUSPENDED, CLOSED

		}

	}

}
