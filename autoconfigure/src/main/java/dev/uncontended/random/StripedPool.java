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
import java.util.List;
import java.util.concurrent.atomic.AtomicLongArray;
import java.util.concurrent.atomic.AtomicReferenceArray;
import java.util.concurrent.atomic.LongAdder;
import java.util.concurrent.locks.LockSupport;
import java.util.function.IntFunction;
import java.util.function.LongSupplier;
import java.util.function.Supplier;

import org.jspecify.annotations.Nullable;

/**
 * A pool of random bits, divided into stripes. Each stripe has a generator and a buffer
 * of 16-byte slots, which the generator fills in one read. A draw takes one slot.
 * Thread-safe. {@link #stats()}, {@link #suspend()}, {@link #resume()}, {@link #renew()}
 * and {@link #close()} exclude each other. The pool does not block draws, with two
 * bounded exceptions. The first refills of CTR_DRBG {@linkplain ColdStart take turns}. If
 * refills take more than a millisecond, a draw that finds all generators in use waits for
 * about the duration of the last refill, but at most a second.
 * <h2>Correctness: claim, take, validate</h2>
 * <p>
 * <b>Claim.</b> A stripe's current {@link Batch} counts the remaining slots. The thread
 * that lowers the count from {@code n} to {@code n - 1} by a compare-and-set owns slot
 * {@code n - 1}. The count never increases, so a stale compare-and-set fails. A
 * descheduled thread holds only the slots it has claimed.
 * <p>
 * <b>Take.</b> The owner reads the slot and zeroes it. Bytes are written and checked
 * before their batch is published by a compare-and-set that replaces a used-up batch.
 * Afterwards the bytes are only zeroed. Every batch is a new object, so there is no ABA
 * problem.
 * <p>
 * <b>Validate.</b> {@code suspend}, {@code renew} and {@code close} revoke all batches at
 * once: they change the {@link Epoch} and then wipe the batches, with a release fence in
 * between. A thread that has read a slot executes an acquire fence, and then compares the
 * epochs of the batch and the pool. The epochs differ if the slot was wiped before the
 * read. They also differ if the pool was suspended for a snapshot of the process while
 * the thread was descheduled. The thread then takes its bits from a generator created for
 * this call.
 * <p>
 * <b>Refill.</b> A thread leases a stripe's {@link Refiller}. If all refillers are
 * leased, the thread creates its own. A refill that cannot be published serves only its
 * own caller. A batch replaces only a batch of its own epoch. A thread that returns a
 * refiller reads the epoch afterwards. The write of the refiller and the read of the
 * epoch are volatile, so either the thread sees the new epoch and removes the refiller,
 * or {@code suspend} sees the refiller.
 * <p>
 * <b>Counting.</b> {@code draws = refills x slots - remaining - discarded + unbuffered}.
 * Here, {@code slots} is the number of slots per buffer, and {@code discarded} counts the
 * unclaimed slots of revoked batches. A revoked claim counts as a draw; the slot that
 * replaces it does not.
 * <p>
 * Internal: not part of the API, and subject to change in any release.
 */
public final class StripedPool implements AutoCloseable {

	/** The largest number of stripes. */
	public static final int MAX_STRIPES = 1024;

	/** The smallest buffer, in bytes. */
	public static final int MIN_BUFFER_SIZE = 64;

	/** The largest buffer, in bytes. */
	public static final int MAX_BUFFER_SIZE = 1 << 20;

	/** The size of a slot, in bytes. The buffer size is a multiple of the slot size. */
	public static final int SLOT_SIZE = Batch.SLOT;

	private static final VarHandle BATCH = MethodHandles.arrayElementVarHandle(Batch[].class);

	private static final long GOLDEN_RATIO = 0x9E3779B97F4A7C15L;

	/** The distance between the array elements of two stripes, to avoid false sharing. */
	private static final int SPREAD = 16;

	/**
	 * A leased refiller is replaced after this time at the earliest. Creating a generator
	 * takes less.
	 */
	private static final long MIN_REPLACEMENT_NANOS = 50_000;

	/** A leased refiller is replaced after this multiple of the last refill time. */
	private static final int REPLACEMENT_FACTOR = 2;

	/**
	 * The shortest pause of a draw. Instead of a shorter pause, a draw creates a
	 * generator.
	 */
	private static final long MIN_PAUSE_NANOS = 250_000;

	/** The maximum number of pauses of a draw. */
	private static final int MAX_PAUSES = 4;

	/**
	 * The maximum sum of the pauses of a draw. Without this limit, the sum would be the
	 * last refill time, which is far too long if the process was suspended during that
	 * refill.
	 */
	static final Duration MAX_WAIT = Duration.ofSeconds(1);

	private static final String CLOSED = "The generator is closed. A bean is closed when its application context has"
			+ " stopped. Stop the callers before the context, or create a separate generator for them.";

	private final Supplier<Prng> prngs;

	private final int bufferSize;

	private final int slots;

	private final int stripes;

	private final int shift;

	private final Reseeding reseeding;

	/** The current batch of each stripe. */
	private final Batch[] batches;

	private final AtomicReferenceArray<@Nullable Refiller> refillers;

	/** When each stripe's refiller was last leased, in ticker nanoseconds. */
	private final AtomicLongArray takenAt;

	private final AtomicLongArray contended;

	/**
	 * The number of unclaimed slots in revoked batches, per stripe. Guarded by the
	 * monitor.
	 */
	private final long[] discarded;

	/** The number of slots that bypassed the stripes. */
	private final LongAdder unbuffered = new LongAdder();

	private final LongAdder failures = new LongAdder();

	private final ColdStart coldStart;

	private final long maxWaitNanos;

	private volatile Epoch epoch;

	private volatile @Nullable RefillFailure lastFailure;

	/**
	 * Creates a pool.
	 * @param algorithm the generator of each stripe
	 * @param stripes the number of stripes, from 1 to {@value #MAX_STRIPES}, rounded up
	 * to a power of two
	 * @param bufferSize the buffer size of a stripe in bytes, a multiple of 16 from
	 * {@value #MIN_BUFFER_SIZE} to {@value #MAX_BUFFER_SIZE}
	 * @param reseedInterval the time after which a generator is reseeded at its next
	 * refill; zero disables reseeding
	 * @throws IllegalArgumentException if the number of stripes, the buffer size or the
	 * interval is out of range
	 */
	public StripedPool(RandomAlgorithm algorithm, int stripes, int bufferSize, Duration reseedInterval) {
		this(algorithm::newPrng, stripes, bufferSize, reseedInterval, System::nanoTime, MAX_WAIT, algorithm::coldStart);
	}

	/**
	 * Creates a pool without {@link ColdStart} turns.
	 */
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
		int log = Integer.SIZE - Integer.numberOfLeadingZeros(stripes - 1);
		this.stripes = 1 << log;
		this.shift = Long.SIZE - 1 - log;
		this.reseeding = new Reseeding(reseedInterval, ticker);
		this.maxWaitNanos = maxWait.toNanos();
		this.coldStart = coldStart.apply(this.stripes);
		this.batches = new Batch[(this.stripes + 1) * SPREAD];
		this.refillers = new AtomicReferenceArray<>((this.stripes + 1) * SPREAD);
		this.takenAt = new AtomicLongArray((this.stripes + 1) * SPREAD);
		this.contended = new AtomicLongArray((this.stripes + 1) * SPREAD);
		this.discarded = new long[this.stripes];
		Epoch epoch = new Epoch(Epoch.Kind.RUNNING);
		for (int i = 0; i < this.stripes; i++) {
			BATCH.setRelease(this.batches, at(i), Batch.first(epoch));
			this.refillers.set(at(i), newRefiller(epoch));
		}
		this.epoch = epoch;
	}

	/**
	 * Returns the default number of stripes for this machine.
	 * @return eight times the number of processors, rounded up to a power of two, at most
	 * 256
	 */
	public static int defaultStripes() {
		int wanted = Math.min(256, 8 * Runtime.getRuntime().availableProcessors());
		return 1 << (Integer.SIZE - Integer.numberOfLeadingZeros(wanted - 1));
	}

	/**
	 * Draws a slot.
	 * @param <T> the type of the result
	 * @param function converts the slot to the result; it may draw from this pool
	 * @return the result of the function
	 * @throws java.security.ProviderException if the generator fails; no slot is reused,
	 * and the next call retries
	 * @throws IllegalStateException if the pool is closed
	 */
	public <T> T draw(SlotFunction<T> function) {
		Batch batch = current(home());
		int slot = batch.claim();
		if (slot < 0) {
			Claim claim = claim(1);
			batch = claim.batch;
			slot = claim.first;
		}
		return take(batch, slot, function);
	}

	/**
	 * Takes a claimed slot and validates it.
	 */
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

	/**
	 * Returns whether slots that were read from a batch may be handed out.
	 */
	boolean isValid(Batch batch) {
		// Keeps the read of the slot before the read of the epoch.
		VarHandle.acquireFence();
		return batch.epoch == this.epoch;
	}

	/**
	 * Draws a slot for each element. After an exception, the array may be filled in part.
	 * @param <T> the type of the elements
	 * @param destination the array to fill
	 * @param function converts a slot to an element; it may draw from this pool. If it
	 * throws an exception, up to one buffer of slots is discarded
	 * @throws java.security.ProviderException if the generator fails
	 * @throws IllegalStateException if the pool is closed
	 */
	public <T> void fill(@Nullable T[] destination, SlotFunction<? extends T> function) {
		int[] index = new int[1];
		drawEach(destination.length, (first, second) -> destination[index[0]++] = function.apply(first, second));
	}

	/**
	 * Fills a byte array. Unused bytes of the last slot are discarded. After an
	 * exception, the array may be filled in part.
	 * @param destination the array to overwrite
	 * @throws java.security.ProviderException if the generator fails
	 * @throws IllegalStateException if the pool is closed
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

	/**
	 * Returns the number of slots for a number of bytes, without integer overflow.
	 */
	static int slots(int bytes) {
		return bytes / Batch.SLOT + ((bytes % Batch.SLOT != 0) ? 1 : 0);
	}

	private void drawEach(int count, SlotFunction<?> function) {
		int left = count;
		while (left > 0) {
			Claim claim = claim(left);
			left -= claim.count;
			int end = claim.first + claim.count;
			int slot = claim.first;
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
	 * Claims slots, starting at the stripe that the thread's id selects.
	 * @param wanted the number of slots, at least 1
	 * @return at least one slot and at most {@code wanted}
	 */
	Claim claim(int wanted) {
		int most = Math.min(wanted, this.slots);
		int home = home();
		for (int pauses = 0;; pauses++) {
			Epoch epoch = this.epoch;
			if (epoch.kind == Epoch.Kind.CLOSED) {
				throw new IllegalStateException(CLOSED);
			}
			if (epoch.kind == Epoch.Kind.SUSPENDED) {
				return unbuffered(fillOnce(most, epoch), 0, most);
			}
			for (int i = 0; i < this.stripes; i++) {
				Claim claim = tryClaim((home + i) & (this.stripes - 1), most, epoch);
				if (claim != null) {
					return claim;
				}
			}
			long pause = Math.min(current(home).lastRefillNanos, this.maxWaitNanos) / MAX_PAUSES;
			if (pause < MIN_PAUSE_NANOS || pauses == MAX_PAUSES) {
				return refill(home, newRefiller(epoch), most);
			}
			LockSupport.parkNanos(pause);
		}
	}

	private @Nullable Claim tryClaim(int stripe, int wanted, Epoch epoch) {
		Batch batch = current(stripe);
		int remaining = batch.remaining;
		if (remaining > 0) {
			int count = Math.min(wanted, remaining);
			if (batch.claim(remaining, count)) {
				return new Claim(batch, remaining - count, count);
			}
		}
		else {
			Claim claim = refillInTurn(stripe, batch, wanted, epoch);
			if (claim != null) {
				return claim;
			}
		}
		this.contended.getAndIncrement(at(stripe));
		return null;
	}

	private @Nullable Claim refillInTurn(int stripe, Batch spent, int wanted, Epoch epoch) {
		boolean hasTurn = this.coldStart.takeTurn(spent.refills);
		try {
			Refiller refiller = takeRefiller(stripe, spent, epoch);
			if (refiller == null) {
				return null;
			}
			if (current(stripe) != spent) {
				putBack(stripe, refiller);
				return null;
			}
			return refill(stripe, refiller, wanted);
		}
		finally {
			if (hasTurn) {
				this.coldStart.endTurn();
			}
		}
	}

	/**
	 * Leases the stripe's refiller. If the refiller has been leased for longer than a
	 * refill takes, returns a new refiller, because the leasing thread is probably
	 * descheduled. A thread wipes its refiller instead of returning it if the stripe has
	 * another one by then.
	 * @return a refiller, or {@code null} if the stripe's refiller is in use or belongs
	 * to another epoch
	 */
	private @Nullable Refiller takeRefiller(int stripe, Batch spent, Epoch epoch) {
		long now = this.reseeding.now();
		Refiller refiller = this.refillers.getAndSet(at(stripe), null);
		if (refiller == null) {
			long takenAt = this.takenAt.get(at(stripe));
			long patience = Math.max(MIN_REPLACEMENT_NANOS, REPLACEMENT_FACTOR * spent.lastRefillNanos);
			boolean replaces = now - takenAt > patience && this.takenAt.compareAndSet(at(stripe), takenAt, now);
			return replaces ? newRefiller(epoch) : null;
		}
		this.takenAt.set(at(stripe), now);
		if (refiller.epoch != epoch) {
			refiller.wipe();
			return null;
		}
		return refiller;
	}

	/**
	 * Fills a batch and publishes it if the stripe's batch is used up. Reserves the
	 * caller's slots before publication, so that other threads cannot starve the caller.
	 * @param refiller a refiller leased by this thread
	 */
	private Claim refill(int stripe, Refiller refiller, int wanted) {
		try {
			byte[] bytes = fill(refiller);
			int rest = this.slots - wanted;
			Batch spent = current(stripe);
			if (spent.epoch == refiller.epoch && spent.remaining == 0) {
				Batch full = spent.refilled(bytes, rest, refiller.lastNanos());
				if (BATCH.compareAndSet(this.batches, at(stripe), spent, full)) {
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

	private Claim unbuffered(Batch batch, int first, int count) {
		this.unbuffered.add(count);
		return new Claim(batch, first, count);
	}

	/**
	 * Fills slots from a generator created for this call, so that no state is retained.
	 */
	private Batch fillOnce(int slots, Epoch epoch) {
		Refiller refiller = new Refiller(this.prngs, slots * Batch.SLOT, this.reseeding, epoch);
		try {
			return Batch.unbuffered(fill(refiller), epoch);
		}
		finally {
			refiller.wipe();
		}
	}

	private byte[] fill(Refiller refiller) {
		try {
			byte[] bytes = refiller.fill();
			FlightRecorderEvents.refilled(refiller.lastNanos());
			if (this.lastFailure != null) {
				this.lastFailure = null;
			}
			return bytes;
		}
		catch (Throwable ex) {
			this.failures.increment();
			recordFailure(refiller.epoch, new RefillFailure(Instant.now(), ex.getClass().getName()));
			FlightRecorderEvents.refillFailed(refiller.lastNanos(), ex);
			throw ex;
		}
	}

	/**
	 * Records a failure unless its epoch has ended. After {@link #close()}, no draw would
	 * clear the failure.
	 */
	private synchronized void recordFailure(Epoch epoch, RefillFailure failure) {
		if (this.epoch == epoch) {
			this.lastFailure = failure;
		}
	}

	private void putBack(int stripe, Refiller refiller) {
		if (!this.refillers.compareAndSet(at(stripe), null, refiller)) {
			refiller.wipe();
		}
		else if (this.epoch != refiller.epoch && this.refillers.compareAndSet(at(stripe), refiller, null)) {
			refiller.wipe();
		}
	}

	/**
	 * Mixes a seed into the generator of the thread's stripe or, if this generator is
	 * leased, of the next stripe with a free generator. The seed never replaces the
	 * state. It takes effect at the generator's next refill. The seed is dropped if no
	 * generator is free.
	 * @param seed any number of bytes
	 */
	void addSeed(byte[] seed) {
		int home = home();
		for (int i = 0; i < this.stripes; i++) {
			int stripe = (home + i) & (this.stripes - 1);
			Refiller refiller = this.refillers.getAndSet(at(stripe), null);
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
	 * Wipes every buffer and all generator state. Generators other than CTR_DRBG are only
	 * dropped, because the JCA cannot wipe them. A generator that another thread is using
	 * is wiped when its refill ends, and the output of this refill is not handed out.
	 * Later draws bypass the stripes: each creates a generator seeded from the operating
	 * system and drops the generator after use. Draws under way take their bits in the
	 * same way. Does nothing if the pool is suspended or closed.
	 * <p>
	 * Before a snapshot of the process, suspend the pool. After restoring the process,
	 * call {@link #resume()}. Draws that were under way then take other bits, so that
	 * restored processes do not return the same bits.
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
			BATCH.setVolatile(this.batches, at(i), current(i).emptied(epoch));
			this.refillers.set(at(i), newRefiller(epoch));
		}
		this.epoch = epoch;
	}

	/**
	 * Wipes every buffer and all generator state, and continues with fresh seeds. If the
	 * pool is suspended, resumes it.
	 * @throws IllegalStateException if the pool is closed
	 */
	synchronized void renew() {
		if (this.epoch.kind == Epoch.Kind.RUNNING) {
			this.epoch = new Epoch(Epoch.Kind.RUNNING);
			wipe();
		}
		else {
			resume();
		}
	}

	/**
	 * Wipes every buffer and all generator state permanently, like {@link #suspend()}.
	 * Draws under way still return random bits. Later draws throw an exception. Does
	 * nothing if the pool is closed.
	 */
	@Override
	public void close() {
		end(Epoch.Kind.CLOSED);
	}

	/**
	 * Ends the epoch. Wipes the stripes even if the epoch has already ended, because an
	 * error may have interrupted an earlier call.
	 */
	private synchronized void end(Epoch.Kind kind) {
		if (this.epoch.kind.compareTo(kind) < 0) {
			this.epoch = new Epoch(kind);
			this.lastFailure = null;
		}
		wipe();
	}

	private void wipe() {
		// Keeps the wipes after the epoch: a thread that reads zeros finds the new
		// epoch.
		VarHandle.releaseFence();
		for (int i = 0; i < this.stripes; i++) {
			revoke(i, this.epoch);
		}
	}

	private void revoke(int stripe, Epoch epoch) {
		Batch batch;
		do {
			batch = current(stripe);
			this.discarded[stripe] += batch.revoke();
		}
		while (!BATCH.compareAndSet(this.batches, at(stripe), batch, batch.emptied(epoch)));
		Refiller refiller = this.refillers.getAndSet(at(stripe), null);
		if (refiller != null) {
			refiller.wipe();
		}
	}

	/**
	 * Returns statistics of the pool.
	 * @return the statistics, exact while no thread draws; counts never decrease
	 */
	public synchronized PoolStats stats() {
		List<StripeStats> stats = new ArrayList<>();
		long refillNanos = 0;
		for (int i = 0; i < this.stripes; i++) {
			Batch batch = current(i);
			long draws = batch.refills * this.slots - batch.remaining - this.discarded[i];
			stats.add(new StripeStats(draws, batch.refills, this.contended.get(at(i))));
			refillNanos += batch.refillNanos;
		}
		return new PoolStats(this.bufferSize, this.unbuffered.sum(), this.reseeding.count(), this.failures.sum(),
				refillNanos, this.lastFailure, stats);
	}

	private Refiller newRefiller(Epoch epoch) {
		return new Refiller(this.prngs, this.bufferSize, this.reseeding, epoch);
	}

	private Batch current(int stripe) {
		return (Batch) BATCH.getAcquire(this.batches, at(stripe));
	}

	private int home() {
		// Two shifts, because Java computes a shift by 64 (one stripe) as a shift by 0.
		return (int) ((Thread.currentThread().getId() * GOLDEN_RATIO) >>> 1 >>> this.shift);
	}

	private static int at(int stripe) {
		return (stripe + 1) * SPREAD;
	}

	/**
	 * Slots owned by one thread.
	 *
	 * @param batch the batch with the slots
	 * @param first the first slot
	 * @param count the number of slots
	 */
	record Claim(Batch batch, int first, int count) {
	}

}
