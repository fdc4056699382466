// Runs the race, one lane after the other, and keeps earlier ones in the browser.

import { track } from './charts.js';
import { byId, cell, delay, headline, json, row, show } from './dom.js';
import { count, plural, rate, ratio, scaled, seconds, time } from './format.js';

const SECONDS = 3;
const WARM_UP_SECONDS = 15;
const PROGRESS_MILLIS = 250;
const KEPT = 10;
const STORE = 'uncontended.races';
const LANES = { jdk: 'The JDK', pool: 'The pool' };

const plot = track('race-chart');

// Lanes

const lane = (source) => ({
	rate: byId(`lane-${source}`).querySelector('.rate'),
	detail: byId(`lane-${source}`).querySelector('.detail'),
	source: byId(`lane-${source}`).querySelector('.source')
});

function showLane(source, rateText, detailText) {
	show(lane(source).rate, rateText);
	show(lane(source).detail, detailText);
}

function warmUpText({ seconds: took, steady }) {
	return `after ${seconds(took)} of warming up${steady ? '' : ', still not steady'}`;
}

const rateOf = ({ perSecond, samples }) => rate(perSecond || (samples.at(-1)?.perSecond ?? 0));

function showEnded(source, measured) {
	showLane(source, rate(measured.perSecond), `${scaled(measured.generated)} in ${seconds(measured.seconds)}, ${warmUpText(measured.warmUp)}`);
	show(lane(source).source, measured.description);
}

function showRunning(source, { warmingUp, planned, measured }) {
	showLane(source, rateOf(measured), warmingUp ? `Warming up, ${seconds(measured.warmUp.seconds)}`
		: `Measuring, ${seconds(Math.min(measured.seconds, planned))} of ${seconds(planned)}`);
	show(lane(source).source, measured.description);
}

// Races

let races = [];
let running = null;

function restore() {
	try {
		const stored = JSON.parse(localStorage.getItem(STORE));
		races = Array.isArray(stored) ? stored.filter((race) => race?.lanes?.jdk?.perSecond > 0 && race.lanes.pool?.perSecond > 0) : [];
	}
	catch {
		races = [];
	}
}

function store() {
	try {
		localStorage.setItem(STORE, JSON.stringify(races));
	}
	catch {
		// A browser that stores nothing forgets them with the page.
	}
}

const ratioOf = ({ lanes }) => ratio(lanes.pool.perSecond, lanes.jdk.perSecond);

function showRaces() {
	byId('races-box').hidden = races.length === 0;
	byId('races').replaceChildren(...races.map((race) => {
		const button = document.createElement('button');
		button.type = 'button';
		button.className = 'plain';
		button.textContent = time(race.at);
		button.title = 'Show this race';
		button.addEventListener('click', () => running ?? showRace(race));
		return row(cell(button), count(race.threads), rate(race.lanes.jdk.perSecond), rate(race.lanes.pool.perSecond), ratioOf(race));
	}));
	if (races.length === 0) {
		headline('ratio', '–');
		show('ratio-note', 'No race yet');
		for (const source of Object.keys(LANES)) {
			byId(`ratio-${source}`).style.width = 0;
		}
	}
}

function showRace(race) {
	const { jdk, pool } = race.lanes;
	for (const [source, measured] of Object.entries(race.lanes)) {
		showEnded(source, measured);
		byId(`ratio-${source}`).style.width = `${100 * measured.perSecond / Math.max(jdk.perSecond, pool.perSecond)}%`;
	}
	plot(race.lanes);
	say(`With ${plural(race.threads, 'thread')} the pool draws ${(pool.perSecond / jdk.perSecond).toFixed(1)} times as many UUIDs as the JDK.`);
	headline('ratio', ratioOf(race));
	show('ratio-note', `${rate(pool.perSecond)} against ${rate(jdk.perSecond)}, ${plural(race.threads, 'thread')}, ${time(race.at)}`);
	byId('race-chart').setAttribute('aria-label', `UUIDs a second of both lanes: pool ${rate(pool.perSecond)}, JDK ${rate(jdk.perSecond)}`);
}

// Run

const say = (text) => show('race-message', text);

function advance(done) {
	byId('race-progress').value = done;
}

async function follow(source, isRunning, lanes) {
	let phase = null;
	while (isRunning()) {
		const progress = await json('/load', { signal: AbortSignal.timeout(3000) }).catch(() => null);
		if (isRunning() && progress?.measured.source === source) {
			const { warmingUp, planned, measured } = progress;
			lanes[source] = warmingUp ? { ...measured, warmUp: { seconds: Infinity } } : measured;
			plot(lanes);
			showRunning(source, progress);
			const half = warmingUp ? measured.warmUp.seconds / WARM_UP_SECONDS : 1 + measured.seconds / planned;
			advance((source === 'jdk' ? 0 : 0.5) + Math.min(half, 2) / 4);
			if (phase !== warmingUp) {
				phase = warmingUp;
				say(warmingUp ? `${LANES[source]} warms up…` : `${LANES[source]} is measured…`);
			}
		}
		await delay(PROGRESS_MILLIS);
	}
}

async function run(source, threads, lanes, signal) {
	let isRunning = true;
	follow(source, () => isRunning, lanes);
	try {
		const query = new URLSearchParams({ source, threads, seconds: SECONDS, warmup: WARM_UP_SECONDS });
		lanes[source] = await json(`/load?${query}`, { method: 'POST', signal });
		showEnded(source, lanes[source]);
		plot(lanes);
	}
	finally {
		isRunning = false;
	}
}

async function race(threads) {
	running = new AbortController();
	show('race-button', 'Stop');
	byId('race').classList.add('running');
	const lanes = {};
	plot(lanes);
	advance(0);
	let source;
	try {
		showLane('pool', '–', 'Waits for the JDK');
		for (source of Object.keys(LANES)) {
			showLane(source, '–', 'Starting');
			await run(source, threads, lanes, running.signal);
		}
		races.unshift({ at: Date.now(), threads, lanes });
		races.splice(KEPT);
		store();
		showRaces();
		showRace(races[0]);
		advance(1);
	}
	catch (error) {
		const stopped = error.name === 'AbortError';
		showLane(source, '–', stopped ? 'Stopped' : 'Not finished');
		if (source === 'jdk') {
			showLane('pool', '–', 'Not run');
		}
		advance(0);
		say(stopped ? 'Stopped.' : `${LANES[source]} did not finish: ${error.message}.`);
	}
	finally {
		running = null;
		show('race-button', 'Race both');
		byId('race').classList.remove('running');
	}
}

byId('race-form').addEventListener('submit', (event) => {
	event.preventDefault();
	if (running) {
		running.abort();
	}
	else {
		race(Number(new FormData(event.target).get('threads')));
	}
});

byId('races-clear').addEventListener('click', () => {
	races = [];
	store();
	showRaces();
});

restore();
showRaces();
if (races.length > 0) {
	showRace(races[0]);
}
