// The race: a load on the JDK's generator, then one on the pool. Shows published figures, or a race in this application.

import { track } from './charts.js';
import { byId, create, delay, HttpError, json, measure, show } from './dom.js';
import { machine, plural, range, rate, ratio, scaled, time } from './format.js';
import { published } from './published.js';

const PROGRESS_MILLIS = 250;
const STORE = 'uncontended.races';
const LANES = { jdk: 'The JDK', pool: 'The pool' };
const PUBLISHED = 'Published';
const LAST_DATE = 8.64e15;

const plot = track('race-chart');

// A race is { at, threads, machine: { jdk, processors }, lanes: { jdk, pool } }; a lane is { warmUp, spread, samples }.

const lane = ({ warmUp, spread, samples }) => ({ warmUp, spread, samples });

const isNoisy = ({ spread: { least, median, most } }) => most - least > median / 2;

const ratios = ({ lanes: { jdk: { spread: jdk }, pool: { spread: pool } } }) =>
	[pool.median / jdk.median, pool.least / jdk.most, pool.most / jdk.least];

function isRace(race) {
	const isRate = (number) => Number.isFinite(number) && number >= 0;
	return isRate(race?.at) && race.at <= LAST_DATE && isRate(race.threads) && isRate(race.machine?.processors)
		&& Object.keys(LANES).every((source) => {
			const { warmUp, spread, samples } = race.lanes?.[source] ?? {};
			return isRate(warmUp?.seconds) && spread?.median > 0 && isRate(spread.least) && isRate(spread.most)
				&& Array.isArray(samples) && samples.every((sample) => isRate(sample?.seconds) && isRate(sample.perSecond));
		});
}

// The known races, by number of threads

let figures = {};
let raced = {};
let running = null;
let shown = null;

function restore() {
	try {
		raced = JSON.parse(localStorage.getItem(STORE)) ?? {};
	}
	catch {
		raced = {};
	}
}

function store() {
	try {
		localStorage.setItem(STORE, JSON.stringify(raced));
	}
	catch {
		// Without storage, the races are lost with the page.
	}
}

const threadsInput = () => byId('race-form').elements.threads;

function showKnown() {
	const threads = threadsInput().value;
	const race = [raced[threads], figures[threads]].find(isRace);
	if (race) {
		showRace(race, race === raced[threads] ? 'Raced here' : PUBLISHED);
	}
	else {
		showNothing();
	}
}

const setting = (race) => `${plural(race.threads, 'thread')}, ${machine(race.machine)}`;

function caveat({ lanes }) {
	const named = (matches) => Object.keys(LANES).filter((source) => matches(lanes[source])).map((source) => LANES[source].replace('The', 'the')).join(' and ');
	const noisy = named(isNoisy);
	const early = named(({ warmUp }) => warmUp.steady === false);
	return noisy ? `Noisy: the rate of ${noisy} varied by more than half.` : early ? `The warm-up of ${early} ended before the rate was steady.` : '';
}

function showNothing() {
	clear();
	for (const source of Object.keys(LANES)) {
		show(`rate-${source}`, '–');
		show(`note-${source}`, '');
	}
	show('ratio', '–');
	show('race-origin', 'No figures are published. Race to measure.');
	byId('race').classList.remove('raced', 'published', 'noisy');
	byId('race-share').classList.remove('offered');
}

function showPublished() {
	const greatest = Math.max(...Object.values(figures).map(({ lanes: { pool } }) => pool.spread.most));
	byId('race-threads').replaceChildren(...Object.values(figures).map(({ threads, lanes: { jdk, pool } }) => create('section', '',
		create('h4', '', plural(threads, 'thread')),
		measure('neutral', 'JDK', jdk.spread, greatest, rate(jdk.spread.median)),
		measure('accent', 'Pool', pool.spread, greatest, rate(pool.spread.median)))));
}

function showRace(race, origin) {
	shown = race;
	const [median, least, most] = ratios(race);
	show('ratio', ratio(median));
	show('ratio-range', range(least, most));
	const greatest = Math.max(...Object.keys(LANES).map((source) => race.lanes[source].spread.median));
	for (const source of Object.keys(LANES)) {
		const { spread } = race.lanes[source];
		byId(`bar-${source}`).style.width = `${100 * spread.median / greatest}%`;
		show(`rate-${source}`, rate(spread.median));
		show(`note-${source}`, `${scaled(spread.least)} to ${scaled(spread.most)}`);
	}
	show('race-origin', `${origin}, ${time(race.at)}. ${setting(race)}. ${caveat(race)}`.trim());
	byId('race').classList.toggle('noisy', Object.values(race.lanes).some(isNoisy));
	byId('race').classList.toggle('published', origin === PUBLISHED);
	byId('race').classList.toggle('raced', origin !== PUBLISHED);
	byId('race-share').classList.add('offered');
	plot(race.lanes);
	byId('race-chart').setAttribute('aria-label', `UUIDs per second of both lanes: pool ${rate(race.lanes.pool.spread.median)}, JDK ${rate(race.lanes.jdk.spread.median)}`);
}

function toText(race) {
	const [median, least, most] = ratios(race);
	const { pool, jdk } = race.lanes;
	const noisy = isNoisy(pool) || isNoisy(jdk) ? ', a noisy race' : '';
	return `Uncontended creates ${ratio(median)} as many UUIDs as the JDK (${range(least, most)}${noisy}): ${rate(pool.spread.median)} against ${rate(jdk.spread.median)}, ${setting(race)}, ${new Date(race.at).toISOString().slice(0, 10)}`.replaceAll('\u00a0', ' ');
}

async function copy(text) {
	try {
		await navigator.clipboard.writeText(text);
		say('Copied the result.');
	}
	catch {
		say(`The browser does not allow copying. ${text}`);
	}
}

// Run

const say = (text) => show('race-message', text);

function showRunning(source, { warmingUp, plan, measured }) {
	const { samples, spread, warmUp, seconds: took } = measured;
	show(`rate-${source}`, rate(spread?.median ?? samples.at(-1)?.perSecond ?? 0));
	show(`note-${source}`, warmingUp ? 'warming up' : 'measuring');
	const half = warmingUp ? warmUp.seconds / Math.max(1, plan.warmUpSeconds) : 1 + took / plan.seconds;
	byId('race-progress').value = (source === 'jdk' ? 0 : 0.5) + Math.min(half, 2) / 4;
	say(warmingUp ? `${LANES[source]} warms up…` : `${LANES[source]} is measured…`);
}

async function follow(source, isRunning, lanes) {
	while (isRunning()) {
		const progress = await json('/load', { signal: AbortSignal.timeout(3000) }).catch(() => null);
		if (isRunning() && progress?.measured.source === source) {
			const { warmingUp, measured } = progress;
			lanes[source] = warmingUp ? { ...measured, warmUp: { seconds: Infinity } } : measured;
			plot(lanes);
			showRunning(source, progress);
		}
		await delay(PROGRESS_MILLIS);
	}
}

async function run(source, threads, lanes, signal) {
	let isRunning = true;
	follow(source, () => isRunning, lanes);
	try {
		lanes[source] = await json(`/load?${new URLSearchParams({ source, threads, samples: true })}`, { method: 'POST', signal });
		plot(lanes);
	}
	finally {
		isRunning = false;
	}
}

function clear() {
	show('ratio-range', '');
	for (const source of Object.keys(LANES)) {
		byId(`bar-${source}`).style.width = 0;
	}
}

function showStart() {
	show('race-button', 'Stop');
	byId('race').classList.add('running');
	byId('race').classList.remove('published', 'noisy');
	byId('race-progress').value = 0;
	clear();
	show('ratio', '…');
	show('race-origin', '');
	show('rate-pool', 'Next');
	show('note-pool', 'after the JDK');
	plot({});
}

async function race(threads) {
	running = new AbortController();
	showStart();
	const lanes = {};
	let source;
	try {
		for (source of Object.keys(LANES)) {
			show(`rate-${source}`, '–');
			show(`note-${source}`, 'starting');
			await run(source, threads, lanes, running.signal);
		}
		raced[threads] = { at: Date.now(), threads, machine: lanes.pool.machine, lanes: { jdk: lane(lanes.jdk), pool: lane(lanes.pool) } };
		store();
		say('The race is over.');
	}
	catch (error) {
		say(error.name === 'AbortError' ? 'Stopped.' : `The race has ended early: ${error instanceof HttpError ? error.message : 'the application does not answer'}.`);
	}
	finally {
		running = null;
		show('race-button', 'Race in this JVM');
		byId('race').classList.remove('running');
		showKnown();
	}
}

byId('race-form').addEventListener('submit', (event) => {
	event.preventDefault();
	if (running) {
		running.abort();
	}
	else {
		race(Number(threadsInput().value));
	}
});

byId('race-form').addEventListener('change', () => running ?? showKnown());

byId('copy-text').addEventListener('click', () => copy(toText(shown)));

// Also shows races of other tabs.
addEventListener('storage', ({ key }) => {
	if (key === STORE) {
		restore();
		running ?? showKnown();
	}
});

restore();
published.then(({ uuids }) => {
	figures = uuids;
	showPublished();
}).catch(() => say('No published figures are available.')).finally(() => running ?? showKnown());
