// Shows the data of the endpoints, each endpoint independently of the other.

import { byId, facts, json, show } from './dom.js';
import { bytes, count, duration, figure, plural, rate, share, time } from './format.js';

const POLL_MILLIS = 1000;
const TIMEOUT_MILLIS = 3000;

const sum = (list, each) => (list ?? []).reduce((total, item) => total + each(item), 0);

function showUuid({ throughput, generators, dropIn }) {
	const [generator] = Object.values(generators);
	if (!generator) {
		facts('generator-facts', [['Generators', '0', 'the application has none']]);
		return;
	}
	const { generated, pool } = generator;
	const drawn = sum(Object.values(generated), (each) => each);
	facts('generator-facts', [
		['UUIDs', figure(drawn), generated.timeOrdered > 0 ? `${figure(generated.timeOrdered)} time-ordered` : 'since the start'],
		['Recently', rate(throughput.recent), `over ${throughput.recentSeconds.toFixed(1)} s`],
		['Since the start', rate(throughput.sinceStart)],
		['Algorithm', generator.algorithm, `${plural(pool.stripes, 'stripe')} of ${bytes(pool.bufferSize)}`],
		['Contention', figure(pool.contended), 'times a draw found a stripe in use'],
		...(pool.lastFailure ? [['Failed refills', figure(pool.refillFailures), `last: ${pool.lastFailure.type.split('.').at(-1)}`]] : []),
		['UUID.randomUUID()', dropIn.effective ? 'on a pool' : dropIn.installed ? 'installed too late' : 'JDK\'s own']
	]);
}

function showSsl(body) {
	showSessions(body);
	showHandshakes(body);
	showTickets(body);
}

const IN_CACHE = 'Clients keep their sessions, in tickets. The cache keeps a token of each, of at most 200 bytes, and only sessions whose token is in it resume. Other clients make a full handshake, without noticing.';

const IN_TICKETS = 'Clients keep their sessions, in tickets. BoringSSL has no cache: the tickets of all current keys resume, until they time out or all sessions end.';

const OUTSIDE = 'No server of this application uses the session cache.';

function showSessions({ caches, sessions, engine }) {
	const [cache] = Object.values(caches);
	if (!cache) {
		facts('session-facts', [['Session caches', '0', 'the application has none']]);
		return;
	}
	const { size, maximumSize, timeout, stats } = cache;
	const limited = Object.values(sessions).includes('limited by the session cache');
	const limit = maximumSize === 0 ? 'without a limit' : `of at most ${count(maximumSize)}`;
	const period = timeout === null ? 'with the timeout of the server' : timeout === 'PT0S' ? 'without a timeout' : `each for ${duration(timeout)}`;
	show('sessions-size', limited ? count(size) : '–');
	show('sessions-limits', limited ? ['can resume', limit, period].join(', ') : 'not counted');
	show('sessions-meaning', limited ? IN_CACHE : engine === 'boringssl' ? IN_TICKETS : OUTSIDE);
	facts('session-facts', [
		['Full handshakes', figure(stats.puts), 'puts: each puts a token'],
		['Resumed', figure(stats.hits), 'hits: the token was in the cache'],
		['Refused', figure(stats.misses), 'misses: the token had left the cache, so the handshake was full'],
		['Expired', figure(stats.expirations), 'after the timeout'],
		['Evicted', figure(stats.evictions), 'because the cache was full'],
		['Ended', figure(stats.invalidations), 'by DELETE /actuator/sslsessions, or by the application']
	]);
}

function showHandshakes({ handshakes, failedHandshakes, engine }) {
	const of = (list) => sum(list, ({ full, resumed }) => full + resumed);
	const resumed = sum(handshakes, (each) => each.resumed);
	const hybrid = handshakes.filter(({ group }) => group?.includes('MLKEM'));
	const reasons = [...new Set(failedHandshakes.map(({ reason }) => reason))];
	facts('handshake-facts', [
		['Engine', engine === 'boringssl' ? 'BoringSSL' : engine === 'jdk' ? 'JDK' : engine],
		['Full', figure(of(handshakes) - resumed)],
		['Resumed', figure(resumed), of(handshakes) > 0 ? `${share(resumed, of(handshakes))} of all` : undefined],
		['Failed', figure(sum(failedHandshakes, (each) => each.count)), reasons.join(', ')],
		// The group is known with TLS 1.3 only.
		['Post-quantum', share(of(hybrid), of(handshakes.filter(({ group }) => group !== 'none' && group !== 'unknown'))), 'key exchanges, such as those of Chromium']
	]);
}

const NODES = { NO_SERVER: 'on no server', SOME_SERVERS: 'on some servers', THIS_NODE: 'on this node', CONFIRMED_NODES: 'on the nodes that have confirmed' };

function showTickets({ tickets, engine }) {
	if (!tickets) {
		facts('ticket-facts', [['Keys', 'not reported', engine === 'jdk' ? 'The JDK keeps its keys to itself. Start with the profile boringssl to see keys.' : undefined]]);
		return;
	}
	facts('ticket-facts', [
		['Keys', count(tickets.keys), `source ${tickets.source}`],
		['Next rotation', tickets.nextRotation ? time(tickets.nextRotation) : 'not known yet'],
		...(tickets.lastFailure ? [['Failing', tickets.source, tickets.lastFailure]] : []),
		...(tickets.lastEnd ? [['Last end of all sessions', NODES[tickets.lastEnd] ?? 'on all nodes']] : [])
	]);
}

// The state of each endpoint: 'answers', 'absent', or 'silent'.
const states = {};

function showState(part, path, state) {
	states[part] = state;
	document.body.classList.toggle(`no-${part}`, state === 'absent');
	for (const element of document.querySelectorAll(`.${part} .absent`)) {
		element.hidden = state !== 'absent';
		show(element, `No data: ${path} is not exposed, or its feature is disabled.`);
	}
	const silent = Object.values(states).includes('silent');
	byId('status').classList.toggle('failing', silent);
	show('status', silent ? '▲ The application does not answer' : '● Connected');
}

async function poll(part, path, take) {
	for (;;) {
		if (document.visibilityState === 'visible') {
			const body = await json(path, { signal: AbortSignal.timeout(TIMEOUT_MILLIS) })
				.catch((error) => showState(part, path, error.status === 404 ? 'absent' : 'silent'));
			if (body) {
				showState(part, path, 'answers');
				take(body);
			}
		}
		await new Promise((resolve) => setTimeout(resolve, POLL_MILLIS));
	}
}

poll('uuid', '/actuator/uuid', showUuid);
poll('ssl', '/actuator/sslsessions', showSsl);
