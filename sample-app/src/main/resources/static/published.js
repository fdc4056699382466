// The published figures, which are also in the documents, and the latency of new TLS connections.

import { byId, create, json, show } from './dom.js';
import { machine, millis, range, ratio, time } from './format.js';

export const published = json('/published.json');

const ENGINES = { jdk: 'JDK', boringssl: 'BoringSSL' };

// The latency is { at, machine, perSecond, results }; a result is { server, engine, p50, p99 }, and
// each percentile is [minimum, maximum] of the rounds in milliseconds.

const middle = ([least, most]) => (least + most) / 2;

function row({ server, engine, p50, p99 }) {
	const name = create('th', '', server, ' ', create('small', '', ENGINES[engine] ?? engine));
	name.scope = 'row';
	const cell = (label, percentile) => {
		const element = create('td', '', millis(percentile));
		element.dataset.label = label;
		return element;
	};
	return create('tr', '', name, cell('Median, ms', p50), cell('99th percentile, ms', p99));
}

function showLatency({ at, machine: on, perSecond, results }) {
	// Medians: the 99th percentiles vary too much between rounds.
	const [jdk, boringSsl] = ['jdk', 'boringssl'].map((engine) => results.find((each) => each.server === 'Tomcat' && each.engine === engine).p50);
	show('latency-ratio', ratio(middle(jdk) / middle(boringSsl)));
	show('latency-range', range(jdk[0] / boringSsl[1], jdk[1] / boringSsl[0]));
	show('latency-meaning', 'Half of the connections to Tomcat take at most this long, JDK compared with BoringSSL.');
	const greatest = Math.max(middle(jdk), middle(boringSsl));
	for (const [engine, p50] of [['jdk', jdk], ['boringssl', boringSsl]]) {
		byId(`bar-latency-${engine}`).style.width = `${100 * middle(p50) / greatest}%`;
		show(`rate-latency-${engine}`, `${millis(p50)}\u00a0ms`);
	}
	show('latency-origin', `Published, ${time(at)}. ${machine(on)}. The client shares the processors.`);
	show('latency-load', `${perSecond} new connections per second, each with a full TLS 1.3 handshake and one request. Minimum and maximum of the rounds.`);
	byId('latency-rows').replaceChildren(...results.map(row));
}

published.then(({ latency }) => showLatency(latency)).catch(() => show('latency-meaning', 'No published figures are available.'));
