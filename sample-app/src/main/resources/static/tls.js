// TLS: handshakes with the application's port, the cost of both engines, the end of all sessions, and the ticket keys.

import { byId, create, delay, json, measure, show } from './dom.js';
import { age, count, duration, isoSeconds, machine, micros, plural, range, ratio, time } from './format.js';
import { published } from './published.js';

const POLL_MILLIS = 5000;
const COUNT = 50;
const ENGINES = { jdk: 'JDK', boringssl: 'BoringSSL', hybrid: 'Post-quantum' };
const KINDS = { full: 'Full handshake', resumed: 'Resumed handshake' };

const say = (text) => show('tls-message', text);

let busy = false;
let state = null;
let figures = null;
let shown = null;

// The costs of both engines

function showReport(report, origin) {
	if (!report || shown === report.at) {
		return;
	}
	shown = report.at;
	const engines = Object.fromEntries(report.engines.map((each) => [each.engine, each]));
	const [jdk, boringSsl] = [engines.jdk?.full?.micros, engines.boringssl?.full?.micros];
	show('tls-ratio', jdk && boringSsl ? ratio(jdk.median / boringSsl.median) : '–');
	show('tls-range', jdk?.least && boringSsl?.least ? range(jdk.least / boringSsl.most, jdk.most / boringSsl.least) : '');
	show('tls-meaning', jdk && boringSsl ? 'CPU time of the server for a full handshake, JDK compared with BoringSSL.'
		: `Only one engine: ${report.unavailable ?? 'the other engine made no full handshake'}.`);
	show('tls-origin', `${origin}, ${time(report.at)}. ${machine(report.machine)}.`);
	show('engines-note', `Median, in memory. ${engines.hybrid ? 'Post-quantum: BoringSSL with X25519MLKEM768' : 'Thin line: the middle 90%'}.`);
	byId('tls').classList.toggle('published', origin === 'Published');
	const measured = report.engines.flatMap((each) => Object.keys(KINDS).map((kind) => each[kind]?.micros)).filter(Boolean);
	const greatest = Math.max(...measured.map(({ median, most = median }) => Math.min(1.25 * median, most)));
	byId('engines').replaceChildren(...Object.entries(KINDS).map(([kind, name]) => create('section', '',
		create('h4', '', name), ...Object.keys(ENGINES).filter((engine) => engines[engine]?.[kind])
			.map((engine) => engineRow(engine, engines[engine][kind], greatest)))));
}

function engineRow(engine, { micros: cost, count: made }, greatest) {
	const note = made ? `${count(made)} made · ${micros(cost.least)} to ${micros(cost.most)}` : '';
	return measure(engine === 'jdk' ? 'neutral' : 'accent', ENGINES[engine], cost, greatest, micros(cost.median), note);
}

// The endpoint knows the engine of this application, the published figures do not.
export function showEngine(engine) {
	show('tls-engine', ENGINES[engine] ? `This application uses ${engine === 'jdk' ? 'the JDK\'s TLS' : ENGINES[engine]}.` : '');
}

function showLast() {
	showReport(state?.last ?? figures, state?.last ? 'Made here' : 'Published');
}

async function loadState() {
	state = await json('/handshakes', { signal: AbortSignal.timeout(3000) }).catch(() => state);
	busy || showLast();
}

function connected({ attempted, full, resumed, failure }) {
	const failed = attempted - (full?.count ?? 0) - (resumed?.count ?? 0);
	if (failed > 0) {
		return `${plural(failed, 'connection')} of ${attempted} failed: ${failure}.`;
	}
	const part = (name, kind) => (kind ? `${kind.count} ${name} (median ${micros(kind.micros.median)})` : `no ${name}`);
	return `${attempted} connections to this application: ${part('full handshakes', full)}, ${part('resumed', resumed)}, as measured by the client.`;
}

async function makeHandshakes() {
	busy = true;
	byId('handshakes-button').disabled = true;
	byId('tls').classList.add('running');
	say(state?.last ? 'Clients connect, then both engines make handshakes…' : 'Clients connect. Then both engines warm up for a few seconds and make handshakes…');
	try {
		const report = await json(`/handshakes?count=${COUNT}`, { method: 'POST' });
		state = { ...state, last: report };
		say(connected(report.connections));
	}
	catch (error) {
		say(`Failed to make handshakes: ${error.message}.`);
	}
	finally {
		busy = false;
		byId('handshakes-button').disabled = false;
		byId('tls').classList.remove('running');
		showLast();
	}
}

// The end of all sessions, if the endpoint permits it

const FULL = 'The next handshake of every client is full.';
const ENDED = {
	NO_SERVER: 'No session has ended: the starter reaches no TLS server of this application.',
	SOME_SERVERS: 'The sessions of some servers have ended. The starter does not reach the other TLS servers of this application.',
	THIS_NODE: `All sessions of this node have ended. ${FULL}`,
	ALL_NODES: `All sessions have ended on all nodes. ${FULL}`,
	ALL_NODES_WITHIN_POLL_INTERVAL: `All sessions of this node have ended, and those of other nodes end at their next poll. ${FULL}`
};

async function endSessions() {
	try {
		const { reach } = await json('/actuator/sslsessions', { method: 'DELETE' });
		say(ENDED[reach] ?? `The sessions have ended: ${reach}.`);
	}
	catch (error) {
		say(`Failed to end the sessions: ${error.message}.`);
	}
}

async function offerEnd() {
	const response = await fetch('/actuator/sslsessions', { method: 'OPTIONS' }).catch(() => null);
	byId('end-button').hidden = !response?.headers.get('Allow')?.includes('DELETE');
}

// The ticket keys on a time line

export function showTickets(engine, tickets, now) {
	byId('tickets').hidden = !tickets;
	if (!tickets) {
		show('tickets-note', engine === 'jdk' ? 'The JDK does not report its keys. Start with --uncontended.ssl.engine=boringssl to see keys here.' : 'not reported by the engine');
		return;
	}
	const interval = 1000 * isoSeconds(state?.rotationInterval ?? 'PT12H');
	const lifetime = 1000 * isoSeconds(state?.ticketLifetime ?? 'PT24H');
	const since = Date.parse(tickets.currentSince);
	const next = tickets.nextRotation ? Date.parse(tickets.nextRotation) : since + interval;
	const reached = tickets.lastReached ? Date.parse(tickets.lastReached) : null;
	const old = tickets.keys - 1 - (tickets.nextRotation ? 1 : 0);
	const [from, to] = [Math.min(since - interval / 2, now - interval / 4), Math.max(next + interval, now + interval / 4)];
	const rows = [
		...(old > 0 ? [['Earlier', from, from, since + lifetime, `${plural(old, 'key')}${tickets.lastEnd ? ' created since the last end' : ''}, until ${time(since + lifetime)} at the latest`]] : []),
		['Now', since, next, next + lifetime, `since ${time(since)}`],
		['Next', next, next + interval, next + interval + lifetime, tickets.nextRotation ? `from ${time(next)}` : 'not known yet']
	];
	const place = (element, start, end) => {
		const clamp = (at) => Math.min(1, Math.max(0, (at - from) / (to - from))) * 100;
		element.style.left = `${clamp(start)}%`;
		element.style.right = `${100 - clamp(end)}%`;
		return element;
	};
	const marker = (className, at) => place(create('i', className), at, at);
	byId('tickets').replaceChildren(...rows.map(([name, start, encrypts, decrypts, note]) => create('div', name.toLowerCase(),
		create('span', 'name', name),
		create('span', 'lane', place(create('i', 'decrypts'), start, decrypts), place(create('i', 'encrypts'), start, encrypts), marker('present', now),
			...(reached && name === 'Now' ? [marker('reached', reached)] : [])),
		create('span', 'note', note))));
	const source = reached ? `${tickets.source} reached ${age(now - reached)} ago` : `source ${tickets.source}`;
	show('tickets-note', `${source}, each key encrypts for ${duration(interval / 1000)}`);
	byId('tickets').setAttribute('aria-label', `Ticket keys: ${rows.map(([name, , , , note]) => `${name} ${note}`).join('; ')}`);
}

byId('handshakes-button').addEventListener('click', makeHandshakes);
byId('end-button').addEventListener('click', endSessions);

offerEnd();
(async () => {
	figures = (await published.catch(() => null))?.handshakes;
	for (;;) {
		if (document.visibilityState === 'visible') {
			await loadState();
		}
		await delay(POLL_MILLIS);
	}
})();
