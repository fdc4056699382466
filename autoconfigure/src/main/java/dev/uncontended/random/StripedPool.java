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
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicLongArray;
import java.util.concurrent.atomic.AtomicReferenceArray;
import java.util.concurrent.atomic.LongAdder;
import java.util.concurrent.locks.Lock;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.IntFunction;
import java.util.function.LongSupplier;
import java.util.function.Supplier;

import org.jspecify.annotations.Nullable;

/**
 * Random slots of 16 bytes from a number of stripes, each with a generator of its own
 * that is read in bulk. Thread-safe; no method waits for another thread, but for
 * {@link #stats()}, {@link #suspend()}, {@link #resume()} and {@link #close()}, which
 * wait for one another, and for the first refills, which {@linkplain ColdStart take
 * turns}.
 * <h2>Why it is correct: claim, take, validate</h2>
 * <p>
 * <b>Claim.</b> A stripe's current {@link Batch} counts the slots that remain. The thread
 * that lowers the count from {@code n} to {@code n - 1} by a compare-and-set owns slot
 * {@code n - 1}. The count only ever falls, so a thread that slept before its
 * compare-and-set fails unless nothing happened in between. Nothing is locked: a thread
 * that is descheduled in the middle holds its slot, and no other thread waits.
 * <p>
 * <b>Take.</b> It reads the slot and zeroes it. Bytes are filled and checked before they
 * are published, by a compare-and-set that replaces the used-up batch, and never filled
 * again: so there is nothing else that they could be. Every batch is a new object, so the
 * reference cannot have gone away and come back.
 * <p>
 * <b>Validate.</b> {@code suspend} and {@code close} revoke all batches at once: they
 * change the {@link Epoch}, and then wipe, with a release fence in between. A thread that
 * has taken slots compares their epoch with the current one, with an acquire fence in
 * between. So a thread that has read a zero, or that slept through a snapshot, finds
 * another epoch; its bits then come from a generator that is made for it alone.
 * <p>
 * <b>Nothing passes from one epoch to the next.</b> A batch is published in place of one
 * of its own epoch, and {@code suspend} has replaced that by then. A thread that puts a
 * {@link Refiller} back reads the epoch afterwards: with both accesses volatile, either
 * it sees the new epoch and takes the refiller out again, or {@code suspend} sees the
 * refiller. A thread that takes a refiller of another epoch wipes it.
 * <p>
 * <b>Counting costs nothing.</b> {@code draws = refills x slots - remaining - discarded}.
 * A claim counts whether it was revoked or not, and what replaces it does not: so a count
 * never falls.
 */
public final class StripedPool implements AutoCloseable {

	/** The largest number of stripes. */
	public static final int MAX_STRIPES = 1024;

	/** The smallest buffer, in bytes. */
	public static final int MIN_BUFFER_SIZE = 64;

	/** The largest buffer, in bytes. */
	public static final int MAX_BUFFER_SIZE = 1 << 20;

	/** The size of a slot, in bytes. The size of a buffer is a multiple of it. */
	public static final int SLOT_SIZE = Batch.SLOT;

	private static final VarHandle BATCH = MethodHandles.arrayElementVarHandle(Batch[].class);

	private static final long GOLDEN_RATIO = 0x9E3779B97F4A7C15L;

	/** Elements between two references, so that they are on different cache lines. */
	private static final int SPREAD = 16;

	/** Somewhat more than it takes to make and seed a generator. */
	private static final long REPLACEMENT_NANOS = 50_000;

	/** The most slots that are copied before something is made of them. */
	private static final int COPIED_SLOTS = 64;

	private final Supplier<Prng> prngs;

	private final int bufferSize;

	private final int slots;

	private final int stripes;

	private final int shift;

	private final Reseeding reseeding;

	/** The current batch of each stripe. */
	private final Batch[] batches;

	private final AtomicReferenceArray<@Nullable Refiller> refillers;

	/** When each stripe's refiller was last taken. */
	private final AtomicLongArray takenAt;

	private final AtomicLongArray contended;

	/**
	 * The slots of each stripe that were discarded. Guarded by the lifecycle lock.
	 */
	private final long[] discarded;

	private final LongAdder unbuffered = new LongAdder();

	/**
	 * No {@link LongAdder}: when two threads first meet in one, the compiler throws away
	 * what it has made of a refill.
	 */
	private final AtomicLong refillNanos = new AtomicLong();

	private final LongAdder failures = new LongAdder();

	private final String closedMessage;

	private final ColdStart coldStart;

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
		this(algorithm, stripes, bufferSize, reseedInterval, "The pool is closed");
	}

	/**
	 * Makes a pool.
	 * @param algorithm the generator of each stripe
	 * @param stripes the number of stripes, from 1 to {@value #MAX_STRIPES}, rounded up
	 * to a power of two
	 * @param bufferSize the bytes of a stripe's buffer, a multiple of 16 from
	 * {@value #MIN_BUFFER_SIZE} to {@value #MAX_BUFFER_SIZE}
	 * @param reseedInterval the time after which a generator gets fresh entropy at its
	 * next refill; zero for never
	 * @param closedMessage what to say when the closed pool is drawn from
	 * @throws IllegalArgumentException if a number is out of its range
	 */
	public StripedPool(RandomAlgorithm algorithm, int stripes, int bufferSize, Duration reseedInterval,
			String closedMessage) {
		this(algorithm::newPrng, stripes, bufferSize, reseedInterval, System::nanoTime, ColdStart::of, closedMessage);
	}

	/**
	 * Makes a pool that refills as if the JVM were warm.
	 */
	StripedPool(Supplier<Prng> prngs, int stripes, int bufferSize, Duration reseedInterval, LongSupplier ticker) {
		this(prngs, stripes, bufferSize, reseedInterval, ticker, (count) -> ColdStart.none(), "The pool is closed");
	}

	StripedPool(Supplier<Prng> prngs, int stripes, int bufferSize, Duration reseedInterval, LongSupplier ticker,
			IntFunction<ColdStart> coldStart, String closedMessage) {
		this.closedMessage = closedMessage;
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
		this.coldStart = coldStart.apply(this.stripes);
		this.batches = new Batch[(this.stripes + 1) * SPREAD];
		this.refillers = new AtomicReferenceArray<>((this.stripes + 1) * SPREAD);
		this.takenAt = new AtomicLongArray(this.stripes);
		this.contended = new AtomicLongArray(this.stripes);
		this.discarded = new long[this.stripes];
		Epoch epoch = new Epoch(Epoch.Kind.RUNNING);
		for (int i = 0; i < this.stripes; i++) {
			BATCH.setRelease(this.batches, at(i), Batch.empty(0, epoch));
			this.refillers.set(at(i), newRefiller(epoch));
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
	 * Returns the number of stripes.
	 * @return the number after rounding up to a power of two
	 */
	public int stripes() {
		return this.stripes;
	}

	/**
	 * Draws a slot.
	 * @param <T> what is made of it
	 * @param function makes the result; it may draw from this pool itself
	 * @return what the function made
	 * @throws java.security.ProviderException if the generator fails; no random bits are
	 * lost or spoilt by that, and the next call tries again
	 * @throws IllegalStateException if the pool is closed
	 */
	public <T> T draw(SlotFunction<T> function) {
		Batch batch = current(home());
		int slot = batch.claim();
		if (slot >= 0) {
			long first = batch.first(slot);
			long second = batch.second(slot);
			batch.zero(slot);
			return isValid(batch) ? function.apply(first, second) : replace(function);
		}
		return drawSlowly(function);
	}

	private <T> T drawSlowly(SlotFunction<T> function) {
		byte[] slot = new byte[Batch.SLOT];
		take(slot, 0, slot.length);
		return apply(function, slot);
	}

	private <T> T replace(SlotFunction<T> function) {
		byte[] slot = new byte[Batch.SLOT];
		takeUnbuffered(slot, 0, slot.length);
		return apply(function, slot);
	}

	private static <T> T apply(SlotFunction<T> function, byte[] slot) {
		long first = Batch.bits(slot, 0);
		long second = Batch.bits(slot, Long.BYTES);
		Arrays.fill(slot, (byte) 0);
		return function.apply(first, second);
	}

	/**
	 * Draws a slot for each element.
	 * @param <T> what is made of a slot
	 * @param destination what to fill
	 * @param function makes an element; it may draw from this pool itself. If it throws,
	 * up to {@value #COPIED_SLOTS} slots are lost
	 * @throws java.security.ProviderException if the generator fails
	 * @throws IllegalStateException if the pool is closed
	 */
	public <T> void fill(T[] destination, SlotFunction<? extends T> function) {
		byte[] copy = new byte[Math.min(destination.length, COPIED_SLOTS) * Batch.SLOT];
		int index = 0;
		try {
			while (index < destination.length) {
				int length = Math.min(copy.length, (destination.length - index) * Batch.SLOT);
				take(copy, 0, length);
				for (int offset = 0; offset < length; offset += Batch.SLOT) {
					destination[index++] = function.apply(Batch.bits(copy, offset),
							Batch.bits(copy, offset + Long.BYTES));
				}
			}
		}
		finally {
			Arrays.fill(copy, (byte) 0);
		}
	}

	/**
	 * Fills an array of bytes. The rest of the last slot is dropped.
	 * @param destination what to overwrite
	 * @throws java.security.ProviderException if the generator fails
	 * @throws IllegalStateException if the pool is closed
	 */
	public void nextBytes(byte[] destination) {
		if (destination.length == Batch.SLOT) {
			// What UUID.randomUUID() asks for.
			Batch batch = current(home());
			int slot = batch.claim();
			if (slot >= 0) {
				Batch.bits(destination, 0, batch.first(slot));
				Batch.bits(destination, Long.BYTES, batch.second(slot));
				batch.zero(slot);
				if (!isValid(batch)) {
					takeUnbuffered(destination, 0, destination.length);
				}
				return;
			}
		}
		take(destination, 0, destination.length);
	}

	/**
	 * Claims, takes and validates until enough bytes are there.
	 */
	private void take(byte[] destination, int offset, int length) {
		int end = offset + length;
		int at = offset;
		while (at < end) {
			Claim claim = claim(slots(end - at));
			int taken = Math.min(end - at, (claim != null) ? claim.count * Batch.SLOT : this.bufferSize);
			if (claim == null) {
				takeUnbuffered(destination, at, taken);
				this.unbuffered.add(slots(taken));
			}
			else {
				claim.batch.take(claim.first, claim.count, destination, at, taken);
				if (!isValid(claim.batch)) {
					takeUnbuffered(destination, at, taken);
				}
			}
			at += taken;
		}
	}

	private static int slots(int length) {
		return 1 + (length - 1) / Batch.SLOT;
	}

	/**
	 * Takes bytes from a generator for this call only, so that nothing stays behind.
	 */
	private void takeUnbuffered(byte[] destination, int offset, int length) {
		Epoch epoch;
		do {
			epoch = this.epoch;
			Refiller refiller = new Refiller(this.prngs, slots(length) * Batch.SLOT, this.reseeding, epoch);
			try {
				byte[] bytes = fill(refiller);
				System.arraycopy(bytes, 0, destination, offset, length);
				Arrays.fill(bytes, (byte) 0);
			}
			finally {
				refiller.wipe();
			}
		}
		while (epoch != this.epoch);
	}

	/**
	 * Tells whether slots that were taken may be handed out.
	 */
	boolean isValid(Batch batch) {
		// No read of a slot may sink below this.
		VarHandle.acquireFence();
		return batch.epoch == this.epoch;
	}

	/**
	 * Claims slots, beginning at the thread's own stripe.
	 * @param wanted the number of slots, at least 1
	 * @return at least one slot and at most those wanted, or {@code null} while the pool
	 * is suspended
	 */
	@Nullable Claim claim(int wanted) {
		while (true) {
			Epoch epoch = this.epoch;
			if (epoch.kind == Epoch.Kind.CLOSED) {
				throw new IllegalStateException(this.closedMessage);
			}
			if (epoch.kind == Epoch.Kind.SUSPENDED) {
				return null;
			}
			int home = home();
			for (int i = 0; i < this.stripes; i++) {
				Claim claim = tryClaim((home + i) & (this.stripes - 1), wanted, epoch);
				if (claim != null) {
					return claim;
				}
			}
			Claim claim = refill(home, newRefiller(epoch), wanted);
			if (claim != null) {
				return claim;
			}
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
			Claim claim = refillInTurn(stripe, batch.refills, wanted, epoch);
			if (claim != null) {
				return claim;
			}
		}
		this.contended.getAndIncrement(stripe);
		return null;
	}

	private @Nullable Claim refillInTurn(int stripe, long refills, int wanted, Epoch epoch) {
		boolean hasTurn = this.coldStart.takeTurn(refills);
		try {
			Refiller refiller = takeRefiller(stripe, epoch);
			return (refiller != null) ? refill(stripe, refiller, wanted) : null;
		}
		finally {
			if (hasTurn) {
				this.coldStart.endTurn();
			}
		}
	}

	/**
	 * Takes the stripe's refiller, or makes another one if that is away for long: with
	 * more threads than processors, half of those that are descheduled are in a refill.
	 * One that comes back finds its refiller's place taken, and wipes it.
	 */
	private @Nullable Refiller takeRefiller(int stripe, Epoch epoch) {
		long now = this.reseeding.now();
		Refiller refiller = this.refillers.getAndSet(at(stripe), null);
		if (refiller == null && now - this.takenAt.get(stripe) <= REPLACEMENT_NANOS) {
			return null;
		}
		this.takenAt.set(stripe, now);
		if (refiller == null) {
			return newRefiller(epoch);
		}
		if (refiller.epoch != epoch) {
			refiller.wipe();
			return null;
		}
		return refiller;
	}

	/**
	 * Fills a batch and makes it the stripe's current one. The caller's own slots are
	 * taken off beforehand, so that it cannot be starved by those it publishes for.
	 * @param refiller one that belongs to this thread
	 * @return slots of the new batch, or {@code null} if another thread, or another
	 * epoch, came first
	 */
	private @Nullable Claim refill(int stripe, Refiller refiller, int wanted) {
		try {
			Batch spent = current(stripe);
			if (spent.epoch != refiller.epoch || spent.remaining > 0) {
				return null;
			}
			byte[] bytes = fill(refiller);
			int count = Math.min(wanted, this.slots);
			Batch full = new Batch(bytes, this.slots - count, spent.refills + 1, spent.epoch);
			if (!BATCH.compareAndSet(this.batches, at(stripe), spent, full)) {
				Arrays.fill(bytes, (byte) 0);
				return null;
			}
			return new Claim(full, this.slots - count, count);
		}
		finally {
			putBack(stripe, refiller);
		}
	}

	private byte[] fill(Refiller refiller) {
		long start = this.reseeding.now();
		try {
			byte[] bytes = refiller.fill(start);
			long nanos = this.reseeding.now() - start;
			this.refillNanos.getAndAdd(nanos);
			FlightRecorderEvents.refilled(nanos);
			if (this.lastFailure != null) {
				this.lastFailure = null;
			}
			return bytes;
		}
		catch (Throwable ex) {
			this.failures.increment();
			this.lastFailure = new RefillFailure(Instant.now(), ex.getClass().getName());
			FlightRecorderEvents.refillFailed(this.reseeding.now() - start, ex);
			throw ex;
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
	 * Adds a seed to the generator of the thread's stripe, for its next refill. A seed
	 * adds to the state and never replaces it.
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
	 * Wipes every buffer and drops all state of the generators. Draws go on, but past the
	 * stripes: each makes a generator, seeded from the operating system, and drops it,
	 * which takes microseconds, so that a caller that still needs an id gets one, and
	 * nothing is retained. A draw that is under way gets its bits from such a generator
	 * too. Does nothing if the pool is suspended or closed.
	 * <p>
	 * After a snapshot is restored, {@link #resume()} comes first: a draw that was under
	 * way in the suspended pool when the snapshot was taken is made again if it finds the
	 * pool resumed.
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
				throw new IllegalStateException(this.closedMessage);
			}
			if (this.epoch.kind == Epoch.Kind.RUNNING) {
				return;
			}
			Epoch epoch = new Epoch(Epoch.Kind.RUNNING);
			// The stripes first: a thread that sees the new epoch finds them in it.
			for (int i = 0; i < this.stripes; i++) {
				BATCH.setVolatile(this.batches, at(i), Batch.empty(current(i).refills, epoch));
				this.refillers.set(at(i), newRefiller(epoch));
			}
			this.epoch = epoch;
		}
		finally {
			this.lifecycle.unlock();
		}
	}

	/**
	 * Wipes every buffer and drops all state of the generators, for good. A draw that is
	 * under way still gets fresh bits. Does nothing if the pool is closed.
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
			// No wipe may rise above this: a thread that reads a zero finds the new
			// epoch.
			VarHandle.releaseFence();
			for (int i = 0; i < this.stripes; i++) {
				revoke(i, epoch);
			}
		}
		finally {
			this.lifecycle.unlock();
		}
	}

	private void revoke(int stripe, Epoch epoch) {
		Batch batch;
		do {
			batch = current(stripe);
		}
		while (!BATCH.compareAndSet(this.batches, at(stripe), batch, Batch.empty(batch.refills, epoch)));
		this.discarded[stripe] += batch.revoke();
		Refiller refiller = this.refillers.getAndSet(at(stripe), null);
		if (refiller != null) {
			refiller.wipe();
		}
	}

	/**
	 * Returns what the pool has done so far.
	 * @return the statistics, exact when no thread is drawing; no count ever falls
	 */
	public PoolStats stats() {
		this.lifecycle.lock();
		try {
			List<StripeStats> stats = new ArrayList<>();
			for (int i = 0; i < this.stripes; i++) {
				Batch batch = current(i);
				long draws = batch.refills * this.slots - batch.remaining - this.discarded[i];
				stats.add(new StripeStats(draws, batch.refills, this.contended.get(i)));
			}
			return new PoolStats(this.bufferSize, this.unbuffered.sum(), this.reseeding.count(), this.failures.sum(),
					this.refillNanos.get(), stats);
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

	private Refiller newRefiller(Epoch epoch) {
		return new Refiller(this.prngs, this.bufferSize, this.reseeding, epoch);
	}

	private Batch current(int stripe) {
		return (Batch) BATCH.getAcquire(this.batches, at(stripe));
	}

	private int home() {
		// In two steps, because Java takes a shift by 64, for one stripe, as one by 0.
		return (int) ((Thread.currentThread().getId() * GOLDEN_RATIO) >>> 1 >>> this.shift);
	}

	private static int at(int stripe) {
		return (stripe + 1) * SPREAD;
	}

	/**
	 * Slots that belong to the thread that has this.
	 */
	static final class Claim {

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
