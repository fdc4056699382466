// Clients that connect and return, and the end of all sessions, if the endpoint permits it.

import { byId, json, reason, show } from './dom.js';
import { plural } from './format.js';

const FULL = 'The next handshake of every client is full.';
const ENDED = {
	NO_SERVER: 'No session has ended: the starter reaches no TLS server of this application.',
	SOME_SERVERS: 'The sessions of some servers have ended. The starter does not reach the other TLS servers of this application.',
	THIS_NODE: `All sessions of this node have ended. ${FULL}`,
	ALL_NODES: `All sessions have ended on all nodes. ${FULL}`,
	CONFIRMED_NODES: `All sessions of this node and of the nodes that have confirmed have ended. Other nodes should follow at their next poll.`
};

const say = (text) => show('sessions-message', text);

async function connect(path) {
	say('Clients connect…');
	const { full, resumed, failed, failure } = await json(path, { method: 'POST' });
	say(failed > 0 ? `${plural(failed, 'connection')} failed: ${failure}.`
		: `${plural(full + resumed, 'client')} connected: ${plural(full, 'full handshake')}, ${resumed} resumed.`);
}

async function end() {
	const { reach } = await json('/actuator/sslsessions', { method: 'DELETE' });
	say(ENDED[reach] ?? `The sessions have ended: ${reach}.`);
}

function onClick(id, action) {
	const button = byId(id);
	button.addEventListener('click', async () => {
		button.disabled = true;
		await action().catch((error) => say(`Failed: ${reason(error)}.`));
		button.disabled = false;
	});
}

onClick('connect-button', () => connect('/clients'));
onClick('return-button', () => connect('/clients/return'));
onClick('end-button', end);

const options = await fetch('/actuator/sslsessions', { method: 'OPTIONS' }).catch(() => null);
byId('end-button').hidden = !options?.headers.get('Allow')?.includes('DELETE');
