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

import java.lang.invoke.VarHandle;
import java.security.ProviderException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.atomic.AtomicReferenceArray;
import java.util.concurrent.atomic.LongAdder;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import java.util.function.Supplier;

import dev.uncontended.random.PoolStats;
import dev.uncontended.random.StripeStats;
import dev.uncontended.random.internal.Batch.Claim;
import dev.uncontended.random.prng.Prng;
import org.jspecify.annotations.Nullable;

/**
 * A pool of random bits, divided into stripes. Each {@link Stripe} has a buffer of
 * 16-byte slots and a generator that fills the buffer in one call. A draw takes one slot.
 * Thread-safe.
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
 * <b>Validate.</b> {@code suspend} and {@code close} revoke all batches: they end the
 * pool's {@link Epoch}, execute a release fence, and wipe the batches. A thread that has
 * read a slot executes an acquire fence, and then reads whether the batch's epoch has
 * ended. Because of the fences, a thread that has read revoked bytes reads that it has.
 * The thread then discards the slot, and takes new bits from a generator created for this
 * draw.
 * <p>
 * <b>Refill.</b> A thread leases a stripe's {@link Refiller}: it takes the refiller out
 * of the stripe, and gives it back after use. If all refillers are leased, the thread
 * creates a refiller. A new batch is published only in place of an empty batch of the
 * same epoch. An unpublished batch serves only the draw that filled it.
 * <p>
 * No refiller of an ended epoch remains in a stripe. A revocation ends the epoch and then
 * removes all refillers. A thread gives a refiller back and then reads whether the epoch
 * has ended. All these accesses are volatile. Therefore either the revocation finds the
 * refiller, or the thread reads that the epoch has ended, and removes the refiller. A
 * different thread that leases the refiller in between gives it back in the same way, and
 * its draw fails the validation.
 * <h2>Lifetime of unused bytes: periods</h2>
 * <p>
 * Whoever reads the memory must not learn the ids of more than the next reseed interval.
 * The {@link Wiper}'s thread therefore ends a <i>period</i> after each interval: it
 * increments the number of the period, and wipes all batches. A generator is reseeded at
 * its first refill in a period. All bytes drawn in a period thus depend on a seed that
 * was read in the same period.
 * <p>
 * <b>Wipe.</b> The thread claims all unclaimed slots like any draw, with the same
 * compare-and-set, and zeroes them. Draws under way own other slots, so they need no
 * validation. The compare-and-set negates the count: the slots do not count as drawn, and
 * the count still never increases.
 * <p>
 * No batch of an ended period remains in a stripe. The wiper increments the number and
 * then reads the batches. A refill reads the number, seeds, publishes its batch, and then
 * reads the number again, and wipes the batch if the period has ended. All these accesses
 * are volatile, so either the wiper finds the batch, or the refill wipes it.
 * <p>
 * <b>Idle pools.</b> A pool without a refill in a whole period is left to itself: no slot
 * is unclaimed, and no generator has been seeded in the new period. The next refill
 * starts the wiper before it seeds a generator.
 * <p>
 * <b>Threads of one stripe.</b> If the threads of a stripe lose too many races in a
 * period, all threads are distributed anew.
 * <p>
 * <b>Few draws.</b> In a period with few draws, all threads draw from one stripe, which
 * alone is reseeded. A refill creates about as many slots as were drawn from the stripe
 * in its last period.
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

	/** The number of the period in pools whose bytes have no limited lifetime. */
	static final long NO_PERIOD = -1;

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

	/** A shorter refill would save little: half of its time is the cipher's new key. */
	private static final int MIN_SLOTS = 16;

	/**
	 * A stripe with fewer draws in a period is quiet. Refills of a quiet stripe serve
	 * hardly more draws than a reseed costs.
	 */
	private static final int QUIET_DRAWS = 512;

	/**
	 * A stripe with more lost races in a period is shared by busy threads. A lost race
	 * takes about a microsecond.
	 */
	private static final int MAX_LOST_RACES = 1 << 15;

	/** The stripe that all threads with quiet stripes share. */
	private static final int SHARED = 0;

	private static final String CLOSED = "The generator is closed. A bean is closed when its application context has"
			+ " stopped. Stop the callers before the context, or create a separate generator for them.";

	private final Supplier<Prng> prngs;

	private final int bufferSize;

	private final int slots;

	private final Stripe[] stripes;

	/**
	 * The current batch of each stripe. With an array of its own, a draw needs one read
	 * less than if it looked for the batch in its stripe.
	 */
	private final AtomicReferenceArray<Batch> batches;

	private final int shift;

	/**
	 * Distributes threads over stripes. Only the wiper changes it. Not volatile: any
	 * value is correct, and threads may use an old one.
	 */
	private long multiplier = Striping.multiplier(0);

	/** Only the wiper uses this field. */
	private int distributions;

	/** {@link Long#MAX_VALUE} if the lifetime of bytes is not limited. */
	private final long reseedNanos;

	private final LongSupplier ticker;

	private final Consumer<StripedPool> wiper;

	/** The slots that were drawn from unpublished batches. */
	private final LongAdder unbuffered = new LongAdder();

	private final Refiller.Counters counters = new Refiller.Counters();

	private final ColdStart coldStart;

	private final long maxWaitNanos;

	private volatile Epoch epoch;

	/** The number of the period. Only the wiper changes it. */
	private final AtomicLong period;

	private final AtomicReference<Activity> activity = new AtomicReference<>(Activity.NONE);

	/**
	 * Creates a pool.
	 * @param stripes the number of stripes, rounded up to a power of two
	 * @param bufferSize the buffer size of a stripe in bytes
	 * @param reseedInterval the time for which unused bytes and the state of a generator
	 * are kept; zero means no limit, and leaves reseeding to the algorithm
	 * @throws IllegalArgumentException if an argument is out of range
	 */
	public StripedPool(RandomAlgorithm algorithm, int stripes, int bufferSize, Duration reseedInterval) {
		this(algorithm, stripes, bufferSize, reseedInterval, System::nanoTime, MAX_WAIT,
				algorithm.coldStart(Striping.powerOfTwo(stripes)), Wiper.INSTANCE);
	}

	/**
	 * Creates a pool whose periods end only if the caller {@linkplain #endPeriod() ends}
	 * them.
	 */
	StripedPool(Supplier<Prng> prngs, int stripes, int bufferSize, Duration reseedInterval, LongSupplier ticker) {
		this(prngs, stripes, bufferSize, reseedInterval, ticker, MAX_WAIT, ColdStart.none(), (pool) -> {
		});
	}

	StripedPool(Supplier<Prng> prngs, int stripes, int bufferSize, Duration reseedInterval, LongSupplier ticker,
			Duration maxWait, ColdStart coldStart, Consumer<StripedPool> wiper) {
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
		this.reseedNanos = reseedInterval.isZero() ? Long.MAX_VALUE : TimeUnit.NANOSECONDS.convert(reseedInterval);
		this.period = new AtomicLong(reseedInterval.isZero() ? NO_PERIOD : 0);
		this.ticker = ticker;
		this.wiper = wiper;
		this.maxWaitNanos = maxWait.toNanos();
		int count = Striping.powerOfTwo(stripes);
		this.shift = Striping.shift(count);
		this.coldStart = coldStart;
		this.epoch = new Epoch(Epoch.Kind.RUNNING);
		this.stripes = new Stripe[count];
		this.batches = new AtomicReferenceArray<>(Striping.length(count));
		for (int i = 0; i < count; i++) {
			this.batches.set(Striping.at(i), Batch.empty(this.epoch));
			this.stripes[i] = new Stripe(this.batches, Striping.at(i), newRefiller(this.epoch));
		}
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
		int stripe = Striping.probe(this.shift, this.multiplier);
		Batch batch = this.batches.get(Striping.at(stripe));
		int slot = batch.claim();
		if (slot < 0) {
			// Counts a lost race, and not an empty batch, without a branch.
			this.stripes[stripe].contended(Batch.EMPTY - slot);
			Claim claim = claim(1);
			return take(claim.batch(), claim.start(), function);
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
			Batch batch = generateUnbuffered(1, this.epoch);
			long first = batch.first(0);
			long second = batch.second(0);
			batch.zero(0);
			if (isValid(batch)) {
				return function.apply(first, second);
			}
		}
	}

	static boolean isValid(Batch batch) {
		// Keeps the read of the slot before the read of the epoch.
		VarHandle.acquireFence();
		return !batch.epoch.ended;
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
			left -= claim.count();
			int end = claim.start() + claim.count();
			int slot = claim.start();
			try {
				for (; slot < end; slot++) {
					take(claim.batch(), slot, function);
				}
			}
			finally {
				claim.batch().zero(slot, end);
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
		int first = firstStripe();
		for (int pauses = 0;; pauses++) {
			Epoch epoch = this.epoch;
			if (epoch.kind == Epoch.Kind.CLOSED) {
				throw new IllegalStateException(CLOSED);
			}
			if (epoch.kind == Epoch.Kind.SUSPENDED) {
				return unbuffered(generateUnbuffered(most, epoch), 0, most);
			}
			// Waits for a turn once, which bounds the sum of all waits.
			Claim claim = (pauses == 0) ? claimInTurn(first, most, epoch) : tryClaimAny(first, most, epoch);
			if (claim != null) {
				return claim;
			}
			Stripe stripe = this.stripes[first];
			long pause = Math.min(stripe.batch().history.lastRefillNanos(), this.maxWaitNanos) / MAX_PAUSES;
			if (pause < MIN_PAUSE_NANOS || pauses == MAX_PAUSES || EventLoops.isCurrent()) {
				return refill(stripe, newRefiller(epoch), most);
			}
			LockSupport.parkNanos(pause);
		}
	}

	/**
	 * Returns the stripe to try first: the thread's own, or the shared stripe if both are
	 * quiet.
	 */
	private int firstStripe() {
		int own = Striping.probe(this.shift, this.multiplier);
		return (isQuiet(own) && isQuiet(SHARED)) ? SHARED : own;
	}

	private boolean isQuiet(int stripe) {
		return this.stripes[stripe].batch().drawnInPeriod() < QUIET_DRAWS;
	}

	private @Nullable Claim claimInTurn(int first, int wanted, Epoch epoch) {
		Batch batch = this.stripes[first].batch();
		boolean hasTurn = batch.isEmpty() && this.coldStart.awaitTurn(batch.history.refills());
		try {
			return tryClaimAny(first, wanted, epoch);
		}
		finally {
			if (hasTurn) {
				this.coldStart.endTurn();
			}
		}
	}

	private @Nullable Claim tryClaimAny(int first, int wanted, Epoch epoch) {
		for (int i = 0; i < this.stripes.length; i++) {
			Claim claim = tryClaim(this.stripes[(first + i) & (this.stripes.length - 1)], wanted, epoch);
			if (claim != null) {
				return claim;
			}
		}
		return null;
	}

	/**
	 * Claims slots of the stripe, or refills it. Backs off and retries after a lost race,
	 * which another thread has won. Returns {@code null} only if another thread is
	 * refilling the stripe, or if the pool is not running.
	 */
	private @Nullable Claim tryClaim(Stripe stripe, int wanted, Epoch epoch) {
		for (;;) {
			Batch batch = stripe.batch();
			if (!batch.isEmpty()) {
				Claim claim = batch.claim(wanted);
				if (claim != null) {
					return claim;
				}
				stripe.contended(1);
				backOff();
			}
			else {
				Refiller refiller = lease(stripe, batch, epoch);
				if (refiller == null) {
					stripe.contended(1);
					return null;
				}
				if (stripe.batch() == batch) {
					return refill(stripe, refiller, wanted);
				}
				stripe.giveBack(refiller);
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
	 * Leases the stripe's refiller, or returns {@code null} if it is leased. If another
	 * thread has leased the refiller for too long, creates a refiller, because the other
	 * thread is probably descheduled.
	 */
	private @Nullable Refiller lease(Stripe stripe, Batch empty, Epoch epoch) {
		long now = this.ticker.getAsLong();
		Refiller refiller = stripe.lease(now);
		if (refiller != null) {
			return refiller;
		}
		long patience = Math.max(MIN_REPLACEMENT_NANOS, REPLACEMENT_FACTOR * empty.history.lastRefillNanos());
		return stripe.replaceLease(now, patience) ? newRefiller(epoch) : null;
	}

	/**
	 * Creates a batch, and publishes it if the stripe's current batch is empty. Reserves
	 * the caller's slots before publication.
	 */
	private Claim refill(Stripe stripe, Refiller refiller, int wanted) {
		try {
			long period = startRefill();
			int slots = Math.max(wanted, slotsOfNext(stripe.batch()));
			byte[] bytes = refiller.generate(slots * Batch.SLOT, period);
			int rest = slots - wanted;
			Batch empty = stripe.batch();
			if (empty.epoch == refiller.epoch && empty.isEmpty()) {
				Batch full = empty.refilled(bytes, rest, refiller.lastNanos, period);
				if (stripe.publish(empty, full)) {
					if (period != this.period.get()) {
						full.wipe();
					}
					return new Claim(full, rest, wanted);
				}
			}
			Batch batch = Batch.unbuffered(bytes, refiller.epoch);
			batch.zero(0, rest);
			return unbuffered(batch, rest, wanted);
		}
		finally {
			stripe.giveBack(refiller);
		}
	}

	/**
	 * Returns as many slots as were drawn from the stripe in the last period. After
	 * several refills in one period, this doubles the number.
	 */
	private int slotsOfNext(Batch batch) {
		boolean isFirst = batch.history.refills() == 0;
		return isFirst ? this.slots : (int) Math.min(this.slots, Math.max(MIN_SLOTS, batch.drawnInPeriod()));
	}

	private Claim unbuffered(Batch batch, int start, int count) {
		this.unbuffered.add(count);
		return new Claim(batch, start, count);
	}

	private Batch generateUnbuffered(int slots, Epoch epoch) {
		Refiller refiller = newRefiller(epoch);
		try {
			return Batch.unbuffered(refiller.generate(slots * Batch.SLOT, NO_PERIOD), epoch);
		}
		finally {
			refiller.wipe();
		}
	}

	/**
	 * Seeds the generators that are not seeded yet. Otherwise, each generator is seeded
	 * by its first refill. Does nothing unless the pool is running. If a generator fails,
	 * leaves the remaining generators to their first refills.
	 */
	public void seed() {
		for (Stripe stripe : this.stripes) {
			// A suspended or closed pool has no refillers.
			Refiller refiller = stripe.lease(this.ticker.getAsLong());
			if (refiller != null) {
				try {
					refiller.seed();
				}
				catch (RuntimeException ex) {
					// The first refill retries, and reports the failure.
					return;
				}
				finally {
					stripe.giveBack(refiller);
				}
			}
		}
	}

	/**
	 * Mixes a seed into the state of one generator that is not in use. If all generators
	 * are in use, the seed is dropped.
	 */
	void addSeed(byte[] seed) {
		int first = firstStripe();
		for (int i = 0; i < this.stripes.length; i++) {
			Stripe stripe = this.stripes[(first + i) & (this.stripes.length - 1)];
			Refiller refiller = stripe.lease(this.ticker.getAsLong());
			if (refiller != null) {
				try {
					refiller.addSeed(seed);
				}
				finally {
					stripe.giveBack(refiller);
				}
				return;
			}
		}
	}

	/**
	 * Ensures that the wiper ends the period of a refill, and returns the period. If the
	 * wiper fails to start, the refill continues, and the next refill tries again.
	 */
	private long startRefill() {
		// Read first: if the wiper ends the period before it learns of this refill, the
		// refill wipes its batch.
		long period = this.period.get();
		Activity activity = this.activity.get();
		if (activity != Activity.REFILLED && period != NO_PERIOD
				&& this.activity.compareAndSet(activity, Activity.REFILLED) && activity == Activity.NONE) {
			try {
				this.wiper.accept(this);
			}
			catch (Throwable ex) {
				this.activity.set(Activity.NONE);
			}
		}
		return period;
	}

	/**
	 * Ends the period: wipes all unclaimed slots, and has each generator reseeded at its
	 * next refill. Only the wiper calls this method. An interrupted call is completed by
	 * the next one.
	 * @return {@code false} if no refill has started since the last call; the next refill
	 * then starts the wiper again
	 */
	boolean endPeriod() {
		boolean idle = this.activity.getAndSet(Activity.WATCHED) == Activity.WATCHED;
		this.period.incrementAndGet();
		boolean shared = false;
		for (Stripe stripe : this.stripes) {
			stripe.batch().wipe();
			shared |= stripe.contendedSinceLastCall() > MAX_LOST_RACES;
		}
		if (shared) {
			this.multiplier = Striping.multiplier(++this.distributions);
		}
		return !(idle && this.activity.compareAndSet(Activity.WATCHED, Activity.NONE));
	}

	long reseedNanos() {
		return this.reseedNanos;
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
		for (Stripe stripe : this.stripes) {
			stripe.resume(newRefiller(epoch));
		}
		begin(epoch);
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
			begin(new Epoch(kind));
		}
		// Keeps the wipes after the end of the epoch.
		VarHandle.releaseFence();
		// Always wipe, because an error may have interrupted an earlier wipe.
		ProviderException failure = null;
		for (Stripe stripe : this.stripes) {
			try {
				stripe.revoke(this.epoch);
			}
			catch (RuntimeException | Error ex) {
				failure = new ProviderException("Failed to wipe a generator", ex);
			}
		}
		if (failure != null) {
			throw failure;
		}
	}

	/**
	 * Begins an epoch before it ends the current one, so that a draw that fails the
	 * validation finds the new epoch.
	 */
	private void begin(Epoch epoch) {
		Epoch previous = this.epoch;
		this.epoch = epoch;
		previous.ended = true;
	}

	/**
	 * Returns statistics of the pool, exact while no thread draws. Counts never decrease.
	 */
	public PoolStats stats() {
		List<StripeStats> stats = new ArrayList<>();
		long refillNanos = 0;
		for (Stripe stripe : this.stripes) {
			stats.add(stripe.stats());
			refillNanos += stripe.batch().history.refillNanos();
		}
		return new PoolStats(this.bufferSize, this.unbuffered.sum(), this.counters.reseeds.sum(),
				this.counters.failures.sum(), refillNanos, this.epoch.lastFailure, List.copyOf(stats));
	}

	private Refiller newRefiller(Epoch epoch) {
		return new Refiller(this.prngs, this.reseedNanos, this.ticker, this.counters, epoch);
	}

	/** What the wiper must know of the pool. */
	private enum Activity {

		/** The wiper does not end periods. No slot of the pool is unclaimed. */
		NONE,

		/** The wiper ends periods. No refill has started in this one. */
		WATCHED,

		/** The wiper ends periods. A refill has started in this one. */
		REFILLED

	}

}
