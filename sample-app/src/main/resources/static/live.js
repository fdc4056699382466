// Shows what the actuator endpoints tell, each part on its own: one that is not there takes nothing else away.

import { sparkline, distribution } from './charts.js';
import { byId, cell, delay, headline, json, row, show } from './dom.js';
import { bytes, count, duration, micros, plural, rate, scaled, share, time } from './format.js';

const POLL_MILLIS = 1000;
const ABSENT_MILLIS = 15_000;
const TIMEOUT_MILLIS = 3000;

const sum = (list, figure) => list.reduce((total, item) => total + figure(item), 0);

// The shape of time: how many UUIDs there were when, from the start of the application on. Between two points the rate
// is the mean, so that it is true also for the time when the page was hidden.

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

const orDash = (number) => (number === undefined ? '–' : count(number));

const lastFailure = (failure) => (failure ? `last ${failure.type.split('.').at(-1)} at ${time(failure.at)}` : null);

const jdkState = ({ effective, installed }) => (effective ? 'runs on a pool: the provider was first'
	: installed ? 'keeps its old generator: something drew before the provider was installed'
		: 'the JDK\'s own: the provider is not installed');

async function showUuid({ generators, jdk }) {
	const [name, generator] = Object.entries(generators)[0];
	const { generated, pool, throughput } = generator;
	const drawn = generated.random + generated.timeOrdered;
	headline('last-second', rate(throughput.lastSecond + (jdk.throughput?.lastSecond ?? 0)));
	showHistory(generator.startedAt, drawn + (jdk.generated?.random ?? 0));
	show('refill-failures', orDash(pool.refillFailures));
	show('refill-failure', pool.refillFailures === undefined ? 'not counted' : lastFailure(pool.lastFailure) ?? (pool.refillFailures > 0 ? 'it works again' : 'every refill went well'));
	show('contended', share(pool.contended, drawn));
	show('refills', count(pool.refills));
	show('refill-time', pool.refills > 0 ? micros(pool.refillSeconds / pool.refills) : '–');
	show('reseeds', plural(pool.reseeds, 'reseed'));
	show('generated', count(drawn));
	show('generated-each', `${count(generated.random)} random, ${count(generated.timeOrdered)} time-ordered`);
	show('last-minute', rate(throughput.lastMinute));
	show('since-start', `mean since the start ${rate(throughput.sinceStart)}`);
	show('jdk', jdkState(jdk));
	show('jdk-generated', jdk.generated ? count(jdk.generated.random) : '');
	show('algorithm', generator.algorithm);
	show('provider', generator.provider);
	show('stripe-count', count(pool.stripes));
	show('buffer-size', bytes(pool.bufferSize));
	failures.refills = pool.refillFailures === undefined ? null : pool.refillFailures + (jdk.pool?.refillFailures ?? 0);
	failures.last = lastFailure(pool.lastFailure ?? jdk.pool?.lastFailure);
	showFailures();
	if (byId('stripes').open) {
		showStripes((await endpoint(`/actuator/uuid/${name}`)).pool.perStripe);
	}
}

function showStripes(stripes) {
	const spread = (figure) => {
		const sorted = stripes.map(figure).sort((a, b) => a - b);
		return [0, Math.floor(sorted.length / 2), sorted.length - 1].map((index) => sorted[index] ?? 0);
	};
	const draws = spread((stripe) => stripe.draws).map((number) => scaled(number));
	show('stripes-note', `${plural(stripes.length, 'stripe')}, the least used first: ${draws[0]} to ${draws[2]} draws each.`);
	stripesChart(stripes.map((stripe) => stripe.draws));
	byId('stripes-rows').replaceChildren(
		row(cell('Draws', 'th'), ...draws),
		row(cell('Refills', 'th'), ...spread((stripe) => stripe.refills).map((number) => scaled(number))),
		row(cell('Contended', 'th'), ...spread((stripe) => (stripe.draws > 0 ? stripe.contended / stripe.draws : 0)).map((part) => share(part, 1))));
}

function noUuid() {
	headline('last-second', '–');
	show('since-start-note', 'Off');
	failures.refills = null;
	showFailures();
}

// TLS

function showTls(body) {
	const { handshakes, failedHandshakes } = body;
	const full = sum(handshakes, (each) => each.full);
	const resumed = sum(handshakes, (each) => each.resumed);
	headline('resumed-share', share(resumed, full + resumed));
	byId('resumed-bar').style.width = `${full + resumed > 0 ? 100 * resumed / (full + resumed) : 0}%`;
	show('resumed-note', full + resumed > 0 ? `${count(resumed)} of ${count(full + resumed)}` : 'No handshake yet');
	show('handshakes-full', count(full));
	show('handshakes-resumed', count(resumed));
	showFailedHandshakes(failedHandshakes);
	showCiphers(handshakes);
	showCache(Object.values(body.caches)[0], body.stateful);
	showTickets(body.engine, body.tickets);
	showFailures();
}

function showFailedHandshakes(failed) {
	failures.handshakes = failed ? sum(failed, (each) => each.count) : null;
	const reasons = new Map();
	for (const { reason, count: number } of failed ?? []) {
		reasons.set(reason, (reasons.get(reason) ?? 0) + number);
	}
	const details = [...reasons].map(([reason, number]) => `${reason} ${count(number)}`).join(', ');
	show('handshakes-failed', failed ? count(failures.handshakes) : '–');
	show('failed-reasons', failed ? details || 'every one completed' : 'not counted');
}

function showCiphers(handshakes) {
	byId('handshakes-empty').hidden = handshakes.length > 0;
	byId('handshakes-table').hidden = handshakes.length === 0;
	byId('handshakes').replaceChildren(...handshakes.map((each) => row(cipherSuite(each), count(each.full), count(each.resumed))));
}

// A name that is too long for its line breaks before WITH, not anywhere.
function cipherSuite({ server, context, protocol, cipherSuite: name }) {
	const [first, ...others] = name.split('_WITH_');
	const element = cell(first, 'th');
	element.scope = 'row';
	others.forEach((other) => element.append('_', document.createElement('wbr'), `WITH_${other}`));
	const small = document.createElement('small');
	small.textContent = [protocol, server, context].filter(Boolean).join(', ');
	element.append(small);
	return element;
}

function showCache(cache, stateful) {
	if (!cache) {
		return;
	}
	const { evictions, expirations, invalidations } = cache.stats;
	const most = cache.maximumSize > 0 ? `at most ${count(cache.maximumSize)}` : 'no limit';
	show('held-by', stateful?.effective ? most : `${most}; the clients hold the others, in tickets`);
	show('stateful', stateful?.effective ? 'yes' : stateful?.requested ? 'asked for, no effect' : 'no');
	show('cache-size', count(cache.size));
	show('cache-left', count(evictions + expirations + invalidations));
	show('left-how', `${count(evictions)} evicted, ${count(expirations)} expired, ${count(invalidations)} ended`);
	show('timeout', limit(cache.timeout, duration));
	show('maximum-size', limit(cache.maximumSize, count));
}

// Which engine does the TLS, and where its ticket keys come from: only some engines tell.
function showTickets(engine, tickets) {
	const facts = engine ? [['Engine', 'implementation of TLS', engine]] : [];
	if (tickets) {
		const { source, keys, currentSince, nextRotation, lastReached, lastFailure: failure } = tickets;
		facts.push(
			['Ticket keys', [`source ${source}`, lastReached && `reached at ${time(lastReached)}`, failure].filter(Boolean).join(', '), count(keys)],
			['Current key since', nextRotation ? `the next at ${time(nextRotation)}` : 'the next is not known', time(currentSince)]);
	}
	byId('tickets').replaceChildren(...facts.map(([name, note, value]) => {
		const fact = document.createElement('div');
		const term = cell(`${name} `, 'dt');
		term.append(cell(note, 'small'));
		fact.append(term, cell(value, 'dd'));
		return fact;
	}));
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
