// Shows what the actuator endpoints tell, each part on its own: one that is not there takes nothing else away.

import { sparkline, distribution } from './charts.js';
import { byId, cell, delay, headline, json, row, show } from './dom.js';
import { bytes, count, duration, plural, rate, scaled, share, time } from './format.js';

const POLL_MILLIS = 1000;
const ABSENT_MILLIS = 15_000;
const TIMEOUT_MILLIS = 3000;

const sum = (list, figure) => list.reduce((total, item) => total + figure(item), 0);

// The shape of time: how many UUIDs there were when, from the start of the application on. Between two points the rate
// is the mean, so that it is true also for the time when nobody looked.

const MAXIMUM_POINTS = 300;
const HISTORY = 'uncontended.history';

const sinceStart = sparkline('since-start-chart');
let history = { startedAt: null, points: [] };

function restoreHistory(startedAt) {
	try {
		history = JSON.parse(sessionStorage.getItem(HISTORY)) ?? history;
	}
	catch {
		// Without a memory it begins anew.
	}
	if (history.startedAt !== startedAt || !Array.isArray(history.points)) {
		history = { startedAt, points: [[Date.parse(startedAt), 0]] };
	}
}

addEventListener('pagehide', () => {
	try {
		sessionStorage.setItem(HISTORY, JSON.stringify(history));
	}
	catch {
		// A browser that stores nothing shows what it saw since the page was opened.
	}
});

function showHistory(startedAt, generated) {
	if (history.startedAt !== startedAt) {
		restoreHistory(startedAt);
	}
	const now = Date.now();
	const { points } = history;
	if (now > points.at(-1)[0]) {
		points.push([now, generated]);
	}
	if (points.length > MAXIMUM_POINTS) {
		history.points = points.filter((point, index) => index % 2 === 0 || index === points.length - 1);
	}
	const rates = [];
	for (let i = 1; i < points.length; i++) {
		const [[from, before], [to, after]] = [points[i - 1], points[i]];
		rates.push({ x: from, y: Math.max(0, (after - before) / (to - from) * 1000) });
	}
	rates.push({ x: now, y: rates.at(-1)?.y ?? 0 });
	sinceStart(rates);
	const peak = Math.max(...rates.map(({ y }) => y));
	show('since-start-note', `Since ${time(startedAt)} · peak ${rate(peak)} · ${scaled(generated)} in all`);
}

// Failures of both parts

const failures = { refills: null, handshakes: null, last: null };

function showFailures() {
	const { refills, handshakes, last } = failures;
	const known = [refills, handshakes].filter((number) => number !== null);
	const all = sum(known, (number) => number);
	headline('failures', known.length > 0 ? count(all) : '–');
	byId('tile-failures').classList.toggle('alarm', all > 0);
	const parts = [];
	if (refills !== null) {
		parts.push(plural(refills, 'refill'));
	}
	if (handshakes !== null) {
		parts.push(plural(handshakes, 'handshake'));
	}
	show('failures-note', [parts.join(', ') || 'No figures', last].filter(Boolean).join(' · '));
}

// Generators

const stripesChart = distribution('stripes-chart');

const failed = (pool) => pool?.refillFailures ?? 0;

const lastFailure = (failure) => (failure ? `last ${failure.type} at ${time(failure.at)}` : null);

const jdkState = ({ effective, installed }) => (effective ? 'runs on a pool: the provider was first'
	: installed ? 'keeps its old generator: something drew before the provider was installed'
		: 'the JDK\'s own: the provider is not installed');

async function showUuid({ generators, jdk }) {
	const [name, generator] = Object.entries(generators)[0];
	const { generated, pool, throughput } = generator;
	const drawn = generated.random + generated.timeOrdered;
	headline('last-second', rate(throughput.lastSecond + (jdk.throughput?.lastSecond ?? 0)));
	showHistory(generator.startedAt, drawn + (jdk.generated ?? 0));
	show('refill-failures', [count(failed(pool)), lastFailure(pool.lastFailure)].filter(Boolean).join(', '));
	show('contended', share(pool.contended, drawn));
	show('refills', count(pool.refills));
	show('reseeds', count(pool.reseeds));
	show('generated-random', count(generated.random));
	show('generated-time-ordered', count(generated.timeOrdered));
	show('last-minute', rate(throughput.lastMinute));
	show('since-start', rate(throughput.sinceStart));
	show('jdk', jdkState(jdk));
	show('jdk-generated', jdk.generated === undefined || jdk.generated === null ? '' : count(jdk.generated));
	show('algorithm', generator.algorithm);
	show('provider', generator.provider);
	show('stripe-count', count(pool.stripes));
	show('buffer-size', bytes(pool.bufferSize));
	failures.refills = failed(pool) + failed(jdk.pool);
	failures.last = lastFailure(pool.lastFailure ?? jdk.pool?.lastFailure);
	showFailures();
	if (byId('stripes').open) {
		showStripes((await endpoint(`/actuator/uuid/${name}`)).pool.perStripe);
	}
}

function showStripes(stripes) {
	const spread = (figure) => {
		const sorted = stripes.map(figure).sort((a, b) => a - b);
		return [0, Math.floor(sorted.length / 2), sorted.length - 1].map((index) => scaled(sorted[index]));
	};
	const draws = spread(({ draws }) => draws);
	show('stripes-note', `${plural(stripes.length, 'stripe')}, from the one that was drawn from least to the one that was most: ${draws[0]} to ${draws[2]} draws.`);
	stripesChart(stripes.map(({ draws }) => draws));
	byId('stripes-rows').replaceChildren(
		row(cell('Draws', 'th'), ...draws),
		row(cell('Refills', 'th'), ...spread(({ refills }) => refills)),
		row(cell('Contended', 'th'), ...spread(({ contended, draws }) => (draws > 0 ? contended / draws * 100 : 0)).map((figure) => `${figure}\u00a0%`)));
}

function noUuid() {
	headline('last-second', '–');
	show('since-start-note', 'Off');
	failures.refills = null;
	showFailures();
}

// TLS

const KEYS = { source: 'Ticket keys from', keys: 'Keys that open a ticket', currentSince: 'Current key since', nextAt: 'Next key at', redis: 'Redis' };

function showTls(body) {
	const { handshakes, failedHandshakes } = body;
	const full = sum(handshakes, (each) => each.full);
	const resumed = sum(handshakes, (each) => each.resumed);
	headline('resumed-share', share(resumed, full + resumed));
	show('resumed-note', full + resumed > 0 ? `${count(resumed)} of ${count(full + resumed)}` : 'No handshake yet');
	show('handshakes-full', count(full));
	show('handshakes-resumed', count(resumed));
	showFailedHandshakes(failedHandshakes);
	showCiphers(handshakes);
	showCache(Object.values(body.caches)[0], body.stateful);
	showFailures();
}

function showFailedHandshakes(failed) {
	failures.handshakes = failed ? sum(failed, (each) => each.count) : null;
	const reasons = new Map();
	for (const { reason, count: number } of failed ?? []) {
		reasons.set(reason, (reasons.get(reason) ?? 0) + number);
	}
	const details = [...reasons].map(([reason, number]) => `${reason} ${count(number)}`).join(', ');
	show('handshakes-failed', failed ? [count(failures.handshakes), details].filter(Boolean).join(': ') : 'not counted');
}

function showCiphers(handshakes) {
	byId('handshakes-empty').hidden = handshakes.length > 0;
	byId('handshakes-table').hidden = handshakes.length === 0;
	byId('handshakes').replaceChildren(...handshakes.map((each) => row(
		[each.server, each.context].filter(Boolean).join(', '), each.protocol, each.cipherSuite, count(each.full), count(each.resumed))));
}

function showCache(cache, stateful) {
	show('held-by', stateful ? 'in the server\'s memory' : 'not in the server\'s memory but in the clients\' tickets');
	show('cache-size', cache ? `${count(cache.size)} of ${cache.maximumSize > 0 ? count(cache.maximumSize) : 'any number'}` : 'no cache');
	show('cache-left', cache ? `${count(cache.stats.evictions)} evicted, ${count(cache.stats.expirations)} expired` : '–');
	show('timeout', cache ? limit(cache.timeout, duration) : '–');
	show('maximum-size', cache ? limit(cache.maximumSize, count) : '–');
}

const limit = (value, format) => (value === 0 || value === 'PT0S' ? 'no limit' : format(value));

function noTls() {
	headline('resumed-share', '–');
	show('resumed-note', 'Off');
	failures.handshakes = null;
	showFailures();
}

// Each part asks its endpoint again and again.

const endpoint = (path) => json(path, { signal: AbortSignal.timeout(TIMEOUT_MILLIS) });

const parts = [
	{ path: '/actuator/uuid', className: 'uuid', show: showUuid, absent: noUuid },
	{ path: '/actuator/sslsessions', className: 'ssl', show: showTls, absent: noTls }
];

async function update(part) {
	try {
		await part.show(await endpoint(part.path));
		part.state = 'live';
		part.updated = new Date();
	}
	catch (error) {
		part.state = error.status === 404 ? 'absent' : 'lost';
		part.error = error.message;
		if (part.state === 'absent') {
			part.absent();
		}
	}
	document.body.classList.toggle(`no-${part.className}`, part.state === 'absent');
	document.body.classList.toggle(`stale-${part.className}`, part.state === 'lost');
	for (const element of document.querySelectorAll(`.${part.className} .absent`)) {
		element.hidden = part.state !== 'absent';
	}
	showConnection();
}

function showConnection() {
	const lost = parts.filter(({ state }) => state === 'lost');
	const known = parts.some(({ state }) => state);
	byId('connection').classList.toggle('alarm', lost.length > 0);
	byId('connection').classList.toggle('live', known && lost.length === 0);
	if (lost.length > 0) {
		const [{ path, error, updated }] = lost;
		const since = updated ? `Its figures are of ${updated.toLocaleTimeString('en', { hourCycle: 'h23' })}.` : 'There are no figures yet.';
		show('connection', `${path} does not answer (${error}). ${since} Trying again every second.`);
	}
	else if (known) {
		show('connection', 'Live');
	}
}

for (const part of parts) {
	(async () => {
		for (;;) {
			await update(part);
			await delay(part.state === 'absent' ? ABSENT_MILLIS : POLL_MILLIS);
		}
	})();
}

// What is folded out need not wait for the next round.
byId('stripes').addEventListener('toggle', () => update(parts[0]));
