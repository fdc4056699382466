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
		['Contended draws', share(pool.contended, drawn), 'skipped a busy stripe'],
		...(pool.lastFailure ? [['Failed refills', figure(pool.refillFailures), `last: ${pool.lastFailure.type.split('.').at(-1)}`]] : []),
		['UUID.randomUUID()', dropIn.effective ? 'on a pool' : dropIn.installed ? 'installed too late' : 'JDK\'s own']
	]);
}

function showSsl(body) {
	showSessions(body);
	showHandshakes(body);
	showTickets(body);
}

const IN_SERVER = 'This server keeps its sessions in memory: each full handshake puts one, and each resumption finds one. An expired session does not resume, and leaves with a later put.';

const IN_TICKETS = 'The sessions are with the clients, in tickets.';

function showSessions({ caches, sessions }) {
	const [cache] = Object.values(caches);
	if (!cache) {
		facts('session-facts', [['Session caches', '0', 'the application has none']]);
		return;
	}
	const { size, maximumSize, timeout, stats } = cache;
	const limit = maximumSize === 0 ? 'without a limit' : `of at most ${count(maximumSize)}`;
	show('sessions-size', count(size));
	show('sessions-limits', `in memory, ${limit}, ${duration(timeout) ? `each for ${duration(timeout)}` : 'without a timeout'}`);
	show('sessions-meaning', Object.values(sessions).includes('in the server') ? IN_SERVER : IN_TICKETS);
	facts('session-facts', [
		['Come', figure(stats.puts), 'puts'],
		['Are found', figure(stats.hits), 'hits'],
		['Are not found', figure(stats.misses), 'misses: new clients, and clients whose session has left the cache'],
		['Expire', figure(stats.expirations), 'after the timeout'],
		['Are evicted', figure(stats.evictions), 'because the cache is full'],
		['Are ended', figure(stats.invalidations), 'by DELETE /actuator/sslsessions, by a server, or by a reload']
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
		// Handshakes with the group none have no key exchange.
		['Post-quantum', share(of(hybrid), of(handshakes.filter(({ group }) => group !== 'none'))), 'key exchanges, such as those of Chromium']
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
