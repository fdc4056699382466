// The races: a load on the JDK, then one on Uncontended. Show published figures until they have been run.

import { byId, create, measure, reason, request, show } from './dom.js';
import { machine, plural, range, rate, ratio, scaled, time } from './format.js';
import { published } from './published.js';

const LANES = { jdk: 'the JDK', ours: 'Uncontended' };

// For each race, the sources of both lanes, and the names that the page gives them.
const RACES = {
	random: {
		jdk: { source: 'jdk', name: 'JDK' },
		ours: { source: 'pool', name: 'Bean' }
	},
	timeOrdered: {
		title: 'Version 7',
		meaning: 'timeOrderedUuid() against UUID.randomUUID(): before version 26, the JDK has no version 7.',
		jdk: { source: 'jdk', name: 'JDK, version 4' },
		ours: { source: 'time-ordered', name: 'Bean' }
	},
	names: {
		title: 'Names',
		meaning: 'NameUuidFactory against UUID.nameUUIDFromBytes(), version 3, for names of 16 bytes.',
		jdk: { source: 'jdk-names', name: 'JDK' },
		ours: { source: 'names', name: 'Bean' }
	}
};

let figures = { perSecond: {} };

// A result is { at, threads, machine, lanes: { jdk, ours } }; a lane is { spread, warmUp, description }.

const isNoisy = ({ spread: { least, median, most } }) => most - least > median / 2;

const capitalized = (text) => text[0].toUpperCase() + text.slice(1);

function publishedResult(kind, threads) {
	const spread = (lane) => figures.perSecond[RACES[kind][lane].source]?.[threads];
	return spread('jdk') && spread('ours')
		? { at: figures.at, threads, machine: figures.machine, lanes: { jdk: { spread: spread('jdk') }, ours: { spread: spread('ours') } } } : null;
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

// A card that races. The ids of its elements start with the card's id.
function raceCard(card, kinds) {
	const form = byId(`${card}-form`);
	const kind = () => form.elements.race.value;
	const threads = () => Number(form.elements.threads.value);
	const say = (part, text) => show(`${card}-${part}`, text);
	let running = null;

	function caveat({ lanes }) {
		const named = (matches) => Object.keys(LANES).filter((lane) => matches(lanes[lane])).map((lane) => LANES[lane]).join(' and ');
		const noisy = named(isNoisy);
		const early = named(({ warmUp }) => warmUp?.steady === false);
		return noisy ? `Noisy: the rate of ${noisy} varied by more than half.` : early ? `The warm-up of ${early} ended before the rate was steady.` : '';
	}

	function showResult(result, origin) {
		const { jdk, ours } = result.lanes;
		say('ratio', ratio(ours.spread.median / jdk.spread.median));
		say('range', range(ours.spread.least / jdk.spread.most, ours.spread.most / jdk.spread.least));
		const greatest = Math.max(ours.spread.median, jdk.spread.median);
		for (const [lane, { spread, description }] of Object.entries(result.lanes)) {
			byId(`${card}-bar-${lane}`).style.width = `${100 * spread.median / greatest}%`;
			say(`rate-${lane}`, rate(spread.median));
			say(`note-${lane}`, [`${scaled(spread.least)} to ${scaled(spread.most)}`, description].filter(Boolean).join(', '));
		}
		say('origin', `${origin}, ${time(result.at)}. ${plural(result.threads, 'thread')}, ${machine(result.machine)}. ${caveat(result)}`.trim());
		byId(card).classList.toggle('noisy', isNoisy(jdk) || isNoisy(ours));
		byId(card).classList.toggle('published', origin === 'Published');
	}

	function showNothing(origin = '') {
		say('ratio', '–');
		say('range', '');
		say('origin', origin);
		for (const lane of Object.keys(LANES)) {
			byId(`${card}-bar-${lane}`).style.width = 0;
			say(`rate-${lane}`, '–');
			say(`note-${lane}`, '');
		}
		byId(card).classList.remove('published', 'noisy');
	}

	function showPublished() {
		if (byId(`${card}-meaning`)) {
			say('meaning', RACES[kind()].meaning);
		}
		const result = publishedResult(kind(), threads());
		if (result) {
			showResult(result, 'Published');
		}
		else {
			showNothing('No figures are published. Race to measure.');
		}
	}

	function showMeasures() {
		byId(`${card}-measures`).replaceChildren(...kinds.flatMap((each) => {
			const results = Object.keys(figures.perSecond[RACES[each].ours.source]).map((number) => publishedResult(each, Number(number)));
			const greatest = Math.max(...results.map(({ lanes: { ours } }) => ours.spread.most));
			return results.map(({ threads: number, lanes }) => create('section', '',
				create('h4', '', [RACES[each].title, plural(number, 'thread')].filter(Boolean).join(', ')),
				...Object.keys(LANES).map((lane) => measure(lane === 'jdk' ? 'neutral' : 'accent', RACES[each][lane].name, lanes[lane].spread, greatest,
					rate(lanes[lane].spread.median)))));
		}));
	}

	async function measureLane(on, lane, number, signal) {
		const { source } = RACES[on][lane];
		const response = await request(`/load?${new URLSearchParams({ source, threads: number })}`, { method: 'POST', signal });
		for await (const line of lines(response)) {
			const { sample, result } = JSON.parse(line);
			if (result) {
				return result;
			}
			say(`rate-${lane}`, rate(sample.perSecond));
			say(`note-${lane}`, sample.warmUp ? 'warming up' : 'measuring');
			say('message', `${capitalized(LANES[lane])} ${sample.warmUp ? 'warms up' : 'is measured'}…`);
		}
		throw new Error('The response ended without a result');
	}

	async function race(on, number) {
		running = new AbortController();
		say('button', 'Stop');
		showNothing();
		try {
			const lanes = {};
			let last;
			for (const lane of Object.keys(LANES)) {
				last = await measureLane(on, lane, number, running.signal);
				lanes[lane] = { spread: last.perSecond, warmUp: last.warmUp, description: last.description };
			}
			showResult({ at: Date.now(), threads: number, machine: last.machine, lanes }, 'Raced here');
			say('message', 'The race is over.');
		}
		catch (error) {
			say('message', error.name === 'AbortError' ? 'Stopped.' : `The race has ended early: ${reason(error)}.`);
			showPublished();
		}
		finally {
			running = null;
			say('button', 'Race in this JVM');
		}
	}

	form.addEventListener('submit', (event) => {
		event.preventDefault();
		if (running) {
			running.abort();
		}
		else {
			race(kind(), threads());
		}
	});

	form.addEventListener('change', () => running ?? showPublished());

	published.then(showMeasures).catch(() => say('message', 'No published figures are available.')).finally(() => running ?? showPublished());
}

published.then(({ uuids }) => {
	figures = uuids;
}, () => {});

raceCard('race', ['random']);
raceCard('others', ['timeOrdered', 'names']);
