// The CPU time of handshakes with both TLS engines. Shows published figures until a comparison has been run.

import { byId, create, json, measure, reason, show } from './dom.js';
import { machine, micros, range, ratio, time } from './format.js';
import { published } from './published.js';

const ENGINES = { jdk: 'JDK', boringssl: 'BoringSSL', hybrid: 'Post-quantum' };
const KINDS = { full: 'Full handshake', resumed: 'Resumed handshake' };

function showReport(report, origin) {
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
		create('h4', '', name), ...Object.keys(ENGINES).filter((engine) => engines[engine]?.[kind]).map((engine) => {
			const { micros: cost } = engines[engine][kind];
			return measure(engine === 'jdk' ? 'neutral' : 'accent', ENGINES[engine], cost, greatest, micros(cost.median));
		}))));
}

byId('tls-button').addEventListener('click', async () => {
	byId('tls-button').disabled = true;
	show('tls-message', 'Both engines warm up for a few seconds, then make handshakes in memory…');
	try {
		showReport(await json('/comparison', { method: 'POST' }), 'Measured here');
		show('tls-message', 'Each engine made 500 handshakes in memory.');
	}
	catch (error) {
		show('tls-message', `Failed to compare the engines: ${reason(error)}.`);
	}
	byId('tls-button').disabled = false;
});

published.then(({ handshakes }) => showReport(handshakes, 'Published')).catch(() => show('tls-meaning', 'No published figures are available.'));
