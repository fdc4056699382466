// Shows the endpoints and the history of the server, each part independently of the others.

import { distribution, handshakes as handshakesChart, rates as ratesChart } from './charts.js';
import { byId, create, delay, facts, json, show } from './dom.js';
import { age, bytes, count, duration, figure, isoSeconds, micros, plural, rate, scaled, share, time } from './format.js';
import { showEngine, showTickets } from './tls.js';

const POLL_MILLIS = 1000;
const ABSENT_MILLIS = 15_000;
const TIMEOUT_MILLIS = 3000;
const STALE_MILLIS = 5000;
const MINUTE = 60_000;
const WINDOW = 15 * MINUTE;
const ALARM = 5 * MINUTE;
const BIN = 15_000;

const sum = (list, each) => (list ?? []).reduce((total, item) => total + each(item), 0);

// The requests, each with its last response { body, at } and the reason why there is no newer one.

const parts = {
	history: { path: () => `/history?after=${samples.at(-1)?.at ?? 0}`, take: takeHistory },
	uuid: { path: () => '/actuator/uuid', take: takeUuid },
	ssl: { path: () => '/actuator/sslsessions', take: takeSsl }
};

const answer = (path) => json(path, { signal: AbortSignal.timeout(TIMEOUT_MILLIS) });

async function update(part) {
	try {
		part.body = await answer(part.path());
		part.at = Date.now();
		part.error = null;
		await part.take(part.body);
	}
	catch (error) {
		part.error = error;
		part.absent = error.status === 404;
	}
	part.absent &&= part.error !== null;
}

const isVisible = () => document.visibilityState === 'visible'
	|| new Promise((resolve) => { document.addEventListener('visibilitychange', resolve, { once: true }); });

async function poll(part) {
	for (;;) {
		await isVisible();
		await update(part);
		showAbsence();
		showStatus();
		await delay(part.absent ? ABSENT_MILLIS : POLL_MILLIS);
	}
}

function showAbsence() {
	for (const [name, path] of [['uuid', '/actuator/uuid'], ['ssl', '/actuator/sslsessions']]) {
		const part = parts[name];
		document.body.classList.toggle(`no-${name}`, Boolean(part.absent));
		document.body.classList.toggle(`stale-${name}`, Boolean(part.error) && !part.absent);
		for (const element of document.querySelectorAll(`.${name} .absent`)) {
			element.hidden = !part.absent;
			show(element, `No data: ${path} is not exposed, or its feature is disabled.`);
		}
	}
}

// The history

const FIELDS = ['at', 'pool', 'jdk', 'full', 'resumed', 'failed', 'refillFailures'];

const drawRates = ratesChart('rate-chart');
const drawHandshakes = handshakesChart('handshakes-chart', BIN);

let samples = [];
let startedAt = null;
let clockOffset = 0;

const now = () => Date.now() + clockOffset;

function takeHistory(body) {
	if (body.startedAt !== startedAt) {
		startedAt = body.startedAt;
		samples = [];
	}
	clockOffset = body.now - Date.now();
	samples.push(...body.samples.map((sample) => Object.fromEntries(FIELDS.map((name, index) => [name, sample[index]]))));
	samples = samples.filter(({ at }) => at >= body.now - WINDOW - 2 * POLL_MILLIS);
	showRates(body.now);
	showHandshakes(body.now);
}

function showRates(at) {
	const points = samples.slice(1).map((sample, index) => {
		const seconds = (sample.at - samples[index].at) / 1000;
		const perSecond = (name) => (seconds > 0 ? (sample[name] - samples[index][name]) / seconds : 0);
		return { at: sample.at, pool: perSecond('pool'), jdk: perSecond('jdk') };
	});
	drawRates(points, at);
	const last = points.at(-1);
	if (last) {
		const peak = Math.max(...points.map(({ pool }) => pool));
		const racing = last.jdk > 0 && last.pool === 0;
		show('rate-note', `${racing ? `The JDK is racing: ${rate(last.jdk)}` : `Now ${rate(last.pool)}`} · pool's peak ${rate(peak)}`);
	}
}

function showHandshakes(at) {
	const bins = new Map();
	samples.slice(1).forEach((sample, index) => {
		const start = Math.floor(sample.at / BIN) * BIN;
		const bin = bins.get(start) ?? { at: start, full: 0, resumed: 0, failed: 0 };
		for (const name of ['full', 'resumed', 'failed']) {
			bin[name] += Math.max(0, sample[name] - samples[index][name]);
		}
		bins.set(start, bin);
	});
	drawHandshakes([...bins.values()], at);
	const { full, resumed, failed } = recent(WINDOW);
	show('handshakes-note', full + resumed + failed > 0 ? `${[full, resumed, failed].map(count).join(' · ')}, in steps of ${BIN / 1000} s` : 'no handshake');
}

// The counts of the last milliseconds.
function recent(millis) {
	const last = samples.at(-1);
	const first = samples.find(({ at }) => at >= now() - millis) ?? last;
	return Object.fromEntries(FIELDS.slice(1).map((name) => [name, last ? last[name] - first[name] : 0]));
}

// The status reports current failures, not past ones.

const MINIMUM_FAILED = 5;

function setStatus(name, state, note, age) {
	const element = byId(`status-${name}`);
	element.className = state;
	const names = { ok: 'OK', stale: 'Stale', failing: 'Failing', off: 'Off' };
	show(element.querySelector('dd'), [names[state], note, age].filter(Boolean).join(' · '));
	const announced = byId('announcement');
	const failing = [...document.querySelectorAll('#status .failing dt')].map(({ textContent }) => textContent);
	show(announced, failing.length > 0 ? `Failing: ${failing.join(', ')}` : '');
}

const agoOf = ({ at }) => (at ? `data of ${age(Date.now() - at)} ago` : 'no data yet');

const isStale = ({ error, at }) => error && Date.now() - (at ?? 0) > STALE_MILLIS;

function showStatus() {
	const { history, uuid, ssl } = parts;
	if (history.error && !history.absent) {
		setStatus('application', 'failing', 'does not answer', agoOf(history));
	}
	else if (history.body) {
		setStatus('application', 'ok', `up ${age(history.body.now - history.body.startedAt)}`);
	}
	showPartStatus('generators', uuid, generatorsStatus);
	showPartStatus('tls', ssl, tlsStatus);
	showPartStatus('tickets', ssl, ticketsStatus);
}

function showPartStatus(name, part, status) {
	byId(`status-${name}`).title = agoOf(part);
	if (part.absent) {
		setStatus(name, 'off', 'no data: 404');
	}
	else if (isStale(part)) {
		setStatus(name, 'stale', agoOf(part));
	}
	else if (part.body) {
		setStatus(name, ...status(part.body));
	}
}

function generatorsStatus({ generators, jdk }) {
	const pools = [...Object.values(generators ?? {}), jdk].map((each) => each?.pool).filter(Boolean);
	if (pools.length === 0) {
		return ['off', 'no generator'];
	}
	const failures = recent(ALARM).refillFailures;
	const failure = pools.map(({ lastFailure }) => lastFailure).find(Boolean);
	return failures > 0 ? ['failing', `${plural(failures, 'refill')} failed in 5 min`, failure ? simpleName(failure.type) : null] : ['ok', 'no failed refill in 5 min'];
}

const simpleName = (type) => type?.split('.').at(-1);

// A few aborted handshakes are normal, such as those of browsers that show a warning first.
function tlsStatus() {
	const { full, resumed, failed } = recent(ALARM);
	const all = full + resumed + failed;
	const note = all > 0 ? `${count(failed)} of ${plural(all, 'handshake')} failed in 5 min` : 'no handshake in 5 min';
	return [failed >= MINIMUM_FAILED && 10 * failed >= all ? 'failing' : 'ok', note];
}

function ticketsStatus({ tickets, engine }) {
	if (!tickets) {
		return ['ok', `the ${engine === 'jdk' ? 'JDK' : 'engine'} rotates its own keys`];
	}
	const reached = tickets.lastReached ? `${tickets.source} reached ${age(now() - Date.parse(tickets.lastReached))} ago` : null;
	if (tickets.lastFailure) {
		return ['failing', reached ? `${tickets.source} not reached for ${age(now() - Date.parse(tickets.lastReached))}` : `${tickets.source} never reached`];
	}
	return ['ok', reached ?? `source ${tickets.source}`];
}

// Generators

const drawStripes = distribution('stripes-chart');

const settings = {};

function showSettings(part, entries) {
	settings[part] = entries;
	facts('setting-facts', Object.values(settings).flat());
}

const lastFailureOf = (failure) => (failure ? `last: ${simpleName(failure.type)}, ${time(failure.at)}` : undefined);

const jdkState = (jdk) => (jdk?.effective ? 'on a pool' : jdk?.installed ? 'installed too late' : 'JDK\'s own');

async function takeUuid({ generators, jdk }) {
	const [name, generator] = Object.entries(generators ?? {})[0] ?? [];
	if (!generator) {
		facts('pool-facts', [['Generators', '0', 'the application has none']]);
		return;
	}
	const { generated, pool, throughput } = generator;
	const drawn = generated.random + generated.timeOrdered;
	facts('pool-facts', [
		['UUIDs', figure(drawn), generated.timeOrdered > 0 ? `${scaled(generated.timeOrdered)} time-ordered` : 'since the start'],
		['Mean rate', rate(throughput.lastMinute), 'in the last minute'],
		['Contended draws', share(pool.contended, drawn), 'skipped a busy stripe'],
		['Time of a refill', pool.refills > 0 ? micros(pool.refillSeconds / pool.refills * 1e6) : '–', 'mean'],
		['UUID.randomUUID()', jdkState(jdk), jdk?.generated ? `${scaled(jdk.generated.random)} drawn` : undefined]
	]);
	showSettings('uuid', [
		['Algorithm', generator.algorithm],
		['Provider', generator.provider],
		['Stripes', count(pool.stripes)],
		['Buffer per stripe', bytes(pool.bufferSize)],
		['Refills', figure(pool.refills)],
		['Failed refills', figure(pool.refillFailures ?? 0), lastFailureOf(pool.lastFailure)],
		['Reseeds', figure(pool.reseeds)]
	]);
	if (byId('stripes').open) {
		showStripes((await answer(`/actuator/uuid/${encodeURIComponent(name)}`)).pool.perStripe ?? []);
	}
}

function showStripes(stripes) {
	const spread = (each, format) => {
		const sorted = stripes.map(each).sort((a, b) => a - b);
		return [sorted[0], sorted[Math.floor(sorted.length / 2)], sorted.at(-1)].map((number) => format(number ?? 0)).join(' · ');
	};
	show('stripes-note', `${plural(stripes.length, 'stripe')}, least used first. Figures: minimum · median · maximum.`);
	drawStripes(stripes.map(({ draws }) => draws));
	facts('stripe-facts', [
		['Draws', spread(({ draws }) => draws, (number) => scaled(number))],
		['Refills', spread(({ refills }) => refills, (number) => scaled(number))],
		['Contended', spread(({ draws, contended }) => (draws > 0 ? contended / draws : 0), (part) => share(part, 1))]
	]);
}

// TLS

function takeSsl(body) {
	const { handshakes, failedHandshakes, engine, tickets, stateful } = body;
	const full = sum(handshakes, (each) => each.full);
	const resumed = sum(handshakes, (each) => each.resumed);
	const failed = sum(failedHandshakes, (each) => each.count);
	const reasons = new Map();
	for (const { reason, count: number } of failedHandshakes ?? []) {
		reasons.set(reason, (reasons.get(reason) ?? 0) + number);
	}
	facts('handshake-facts', [
		['Resumed', figure(resumed), full + resumed > 0 ? `${share(resumed, full + resumed)} of all` : undefined],
		['Full', figure(full)],
		['Failed', figure(failed), [...reasons].map(([reason, number]) => `${count(number)} ${reason}`).join(', ') || undefined],
		['Post-quantum', postQuantum(handshakes ?? []), 'key exchanges, such as those of Chromium'],
		['Engine', engine === 'boringssl' ? 'BoringSSL' : engine === 'jdk' ? 'JDK' : engine ?? '–']
	]);
	const cache = Object.values(body.caches ?? {})[0];
	if (cache) {
		const { evictions, expirations, invalidations } = cache.stats;
		facts('session-facts', [
			['In memory', figure(cache.size), stateful?.effective ? undefined : 'others are in tickets'],
			['Evicted', figure(evictions)],
			['Expired', figure(expirations)],
			...ended(tickets, invalidations, stateful),
			['Session timeout', limit(cache.timeout, duration)]
		]);
		showSettings('ssl', [
			['Maximum sessions', limit(cache.maximumSize, count)],
			['Sessions in memory', stateful?.effective ? 'yes' : stateful?.requested ? 'requested, no effect' : 'no, in tickets'],
			...(tickets ? [['Ticket keys', count(tickets.keys), `source ${tickets.source}`], ['Rotations', figure(tickets.rotations ?? 0)], ['Failures of the source', figure(tickets.failures ?? 0)]] : [])
		]);
	}
	showCiphers(handshakes ?? []);
	showEngine(engine);
	showTickets(engine, tickets, now());
}

const NODES = { NO_SERVER: 'on no server', SOME_SERVERS: 'on some servers', THIS_NODE: 'on this node' };

// The count says nothing about sessions in tickets.
function ended(tickets, invalidations, stateful) {
	if (tickets?.lastEnd && !stateful?.effective) {
		return [['Last end of all', NODES[tickets.lastEnd] ?? 'on all nodes']];
	}
	return stateful?.effective || invalidations > 0 ? [['Ended in memory', figure(invalidations)]] : [];
}

// Handshakes with the group none have no key exchange.
function postQuantum(handshakes) {
	const exchanges = (list) => sum(list, (each) => each.full + each.resumed);
	const hybrid = handshakes.filter(({ group }) => group?.includes('MLKEM'));
	return share(exchanges(hybrid), exchanges(handshakes.filter(({ group }) => group !== 'none')));
}

const limit = (value, format) => (value === 0 || isoSeconds(value) === 0 ? 'no limit' : format(value));

function showCiphers(handshakes) {
	byId('ciphers-empty').hidden = handshakes.length > 0;
	byId('ciphers-table').hidden = handshakes.length === 0;
	byId('ciphers-rows').replaceChildren(...handshakes.map((each) => {
		const cell = (label, number) => {
			const element = create('td', '', figure(number).text);
			element.dataset.label = label;
			element.title = count(number);
			return element;
		};
		return create('tr', '', cipherSuite(each), cell('Full', each.full), cell('Resumed', each.resumed));
	}));
}

// Allows a line break only before WITH.
function cipherSuite({ server, context, protocol, group, cipherSuite: name }) {
	const [first, ...others] = name.split('_WITH_');
	const element = create('th', '', first);
	element.scope = 'row';
	others.forEach((other) => element.append('_', create('wbr'), `WITH_${other}`));
	element.append(create('small', '', [protocol, group !== 'unknown' && group, server, context].filter(Boolean).join(', ')));
	return element;
}

Object.values(parts).forEach(poll);

// Updates the stripes without waiting for the next poll.
byId('stripes').addEventListener('toggle', () => update(parts.uuid));
