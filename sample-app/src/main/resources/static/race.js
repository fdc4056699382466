// The race: a load on UUID.randomUUID(), then one on the pool. Shows published figures until a race has been run.

import { byId, create, measure, reason, request, show } from './dom.js';
import { machine, plural, range, rate, ratio, scaled, time } from './format.js';
import { published } from './published.js';

const LANES = { jdk: 'The JDK', pool: 'The pool' };

let figures = {};
let running = null;

// A race is { at, threads, machine, lanes: { jdk, pool } }; a lane is { spread, warmUp, description }.

const isNoisy = ({ spread: { least, median, most } }) => most - least > median / 2;

function caveat({ lanes }) {
	const named = (matches) => Object.keys(LANES).filter((source) => matches(lanes[source])).map((source) => LANES[source].toLowerCase().replace('jdk', 'JDK')).join(' and ');
	const noisy = named(isNoisy);
	const early = named(({ warmUp }) => warmUp?.steady === false);
	return noisy ? `Noisy: the rate of ${noisy} varied by more than half.` : early ? `The warm-up of ${early} ended before the rate was steady.` : '';
}

function showRace(race, origin) {
	const { jdk, pool } = race.lanes;
	show('ratio', ratio(pool.spread.median / jdk.spread.median));
	show('ratio-range', range(pool.spread.least / jdk.spread.most, pool.spread.most / jdk.spread.least));
	const greatest = Math.max(pool.spread.median, jdk.spread.median);
	for (const [source, { spread, description }] of Object.entries(race.lanes)) {
		byId(`bar-${source}`).style.width = `${100 * spread.median / greatest}%`;
		show(`rate-${source}`, rate(spread.median));
		show(`note-${source}`, [`${scaled(spread.least)} to ${scaled(spread.most)}`, description].filter(Boolean).join(', '));
	}
	show('race-origin', `${origin}, ${time(race.at)}. ${plural(race.threads, 'thread')}, ${machine(race.machine)}. ${caveat(race)}`.trim());
	byId('race').classList.toggle('noisy', isNoisy(jdk) || isNoisy(pool));
	byId('race').classList.toggle('published', origin === 'Published');
}

function showNothing(origin = '') {
	show('ratio', '–');
	show('ratio-range', '');
	show('race-origin', origin);
	for (const source of Object.keys(LANES)) {
		byId(`bar-${source}`).style.width = 0;
		show(`rate-${source}`, '–');
		show(`note-${source}`, '');
	}
	byId('race').classList.remove('published', 'noisy');
}

function showPublished() {
	const race = figures[byId('race-form').elements.threads.value];
	if (race) {
		showRace(race, 'Published');
	}
	else {
		showNothing('No figures are published. Race to measure.');
	}
}

function showThreads() {
	const greatest = Math.max(...Object.values(figures).map(({ lanes: { pool } }) => pool.spread.most));
	byId('race-threads').replaceChildren(...Object.values(figures).map(({ threads, lanes: { jdk, pool } }) => create('section', '',
		create('h4', '', plural(threads, 'thread')),
		measure('neutral', 'JDK', jdk.spread, greatest, rate(jdk.spread.median)),
		measure('accent', 'Pool', pool.spread, greatest, rate(pool.spread.median)))));
}

// The lines of a response, each as soon as it arrives.
async function* lines(response) {
	let rest = '';
	for await (const text of response.body.pipeThrough(new TextDecoderStream())) {
		const parts = (rest + text).split('\n');
		rest = parts.pop();
		yield* parts;
	}
}

async function measureLane(source, threads, signal) {
	const response = await request(`/load?${new URLSearchParams({ source, threads })}`, { method: 'POST', signal });
	for await (const line of lines(response)) {
		const { sample, result } = JSON.parse(line);
		if (result) {
			return result;
		}
		show(`rate-${source}`, rate(sample.perSecond));
		show(`note-${source}`, sample.warmUp ? 'warming up' : 'measuring');
		show('race-message', `${LANES[source]} ${sample.warmUp ? 'warms up' : 'is measured'}…`);
	}
	throw new Error('The response ended without a result');
}

async function race(threads) {
	running = new AbortController();
	show('race-button', 'Stop');
	showNothing();
	try {
		const lanes = {};
		for (const source of Object.keys(LANES)) {
			const { perSecond, warmUp, description, machine: on } = await measureLane(source, threads, running.signal);
			lanes[source] = { spread: perSecond, warmUp, description, machine: on };
		}
		showRace({ at: Date.now(), threads, machine: lanes.pool.machine, lanes }, 'Raced here');
		show('race-message', 'The race is over.');
	}
	catch (error) {
		show('race-message', error.name === 'AbortError' ? 'Stopped.' : `The race has ended early: ${reason(error)}.`);
		showPublished();
	}
	finally {
		running = null;
		show('race-button', 'Race in this JVM');
	}
}

byId('race-form').addEventListener('submit', (event) => {
	event.preventDefault();
	if (running) {
		running.abort();
	}
	else {
		race(Number(byId('race-form').elements.threads.value));
	}
});

byId('race-form').addEventListener('change', () => running ?? showPublished());

published.then(({ uuids }) => {
	figures = uuids;
	showThreads();
}).catch(() => show('race-message', 'No published figures are available.')).finally(() => running ?? showPublished());
