// Shows what the actuator endpoints tell, and runs the race. Everything on the page comes from there.

const POLL_MILLIS = 1000;
const PROGRESS_MILLIS = 200;
const TIMEOUT_MILLIS = 3000;
const POINTS = 120;
const RACE_SECONDS = 3;
const NAMES = { jdk: 'JDK', pool: 'pool' };

const byId = (id) => document.getElementById(id);
const whole = new Intl.NumberFormat('en', { maximumFractionDigits: 0 });
const compact = new Intl.NumberFormat('en', { notation: 'compact' });
const percent = new Intl.NumberFormat('en', { style: 'percent', maximumFractionDigits: 1 });

const delay = (millis) => new Promise((resolve) => setTimeout(resolve, millis));

async function getJson(path) {
	const response = await fetch(path, { headers: { Accept: 'application/json' }, signal: AbortSignal.timeout(TIMEOUT_MILLIS) });
	if (!response.ok) {
		throw new Error(`${path} answered ${response.status}`);
	}
	return response.status === 204 ? null : response.json();
}

// Charts

const style = (name) => getComputedStyle(document.documentElement).getPropertyValue(name).trim();

function chart(id, type, title) {
	return new Chart(byId(id), {
		type,
		data: { labels: [], datasets: [{ data: [] }] },
		options: {
			animation: false,
			maintainAspectRatio: false,
			elements: { line: { borderWidth: 2, fill: true }, point: { radius: 0 } },
			plugins: { legend: { display: false }, title: { display: true, text: title } },
			scales: {
				x: { ticks: { maxRotation: 0 } },
				y: { beginAtZero: true, ticks: { maxTicksLimit: 5, callback: (value) => compact.format(value) } }
			}
		}
	});
}

const charts = {
	throughput: chart('throughput-chart', 'line', 'UUIDs a second'),
	draws: chart('draws-chart', 'bar', 'Draws per stripe'),
	refills: chart('refills-chart', 'bar', 'Refills per stripe'),
	contended: chart('contended-chart', 'bar', 'Contention per stripe')
};

// Charts do not follow the style sheet by themselves.
function paint() {
	for (const { config, data, options } of Object.values(charts)) {
		data.datasets[0].borderColor = style('--pool');
		data.datasets[0].backgroundColor = style('--pool') + (config.type === 'line' ? '33' : '');
		options.plugins.title.color = style('--muted');
		for (const scale of Object.values(options.scales)) {
			scale.ticks.color = style('--muted');
			scale.grid = { color: style('--line') };
		}
	}
	Object.values(charts).forEach((each) => each.update());
}

function plot(target, labels, values) {
	target.data.labels = labels;
	target.data.datasets[0].data = values;
	target.update();
}

// Live figures

const show = (id, value) => { byId(id).textContent = typeof value === 'number' ? whole.format(value) : value; };

function rows(id, lines) {
	byId(id).replaceChildren(...lines.map((cells) => {
		const row = document.createElement('tr');
		row.append(...cells.map((cell) => {
			const td = document.createElement('td');
			td.textContent = typeof cell === 'number' ? whole.format(cell) : cell;
			return td;
		}));
		return row;
	}));
}

const sum = (list, property) => list.reduce((total, item) => total + item[property], 0);

const history = [];

function showGenerator(generator) {
	show('generated-random', generator.generated.random);
	show('generated-time-ordered', generator.generated.timeOrdered);
	show('last-second', generator.throughput.lastSecond);
	show('last-minute', generator.throughput.lastMinute);
	show('since-start', generator.throughput.sinceStart);
	show('refills', generator.pool.refills);
	show('contended', generator.pool.contended);
	show('reseeds', generator.pool.reseeds);
	show('algorithm', generator.algorithm);
	show('provider', generator.provider);
	show('stripe-count', generator.pool.stripes);
	show('buffer-size', generator.pool.bufferSize);
	const stripes = generator.pool.perStripe;
	rows('stripes', stripes.map((stripe, index) => [index, stripe.draws, stripe.refills, stripe.contended]));
	const labels = stripes.map((stripe, index) => index);
	for (const figure of ['draws', 'refills', 'contended']) {
		plot(charts[figure], labels, stripes.map((stripe) => stripe[figure]));
	}
	history.push({ time: new Date().toLocaleTimeString(), rate: generator.throughput.lastSecond });
	history.splice(0, history.length - POINTS);
	plot(charts.throughput, history.map((point) => point.time), history.map((point) => point.rate));
}

function showSessions(sessions) {
	const handshakes = sessions.handshakes;
	const resumed = sum(handshakes, 'resumed');
	const completed = sum(handshakes, 'full') + resumed;
	show('handshakes-full', sum(handshakes, 'full'));
	show('handshakes-resumed', resumed);
	show('handshakes-share', completed > 0 ? percent.format(resumed / completed) : 'no handshake yet');
	show('handshakes-failed', sum(sessions.failedHandshakes, 'count'));
	byId('handshakes-empty').hidden = handshakes.length > 0;
	byId('handshakes-table').hidden = handshakes.length === 0;
	rows('handshakes', handshakes.map((each) => [each.context, each.protocol, each.cipherSuite, each.full, each.resumed]));
	const cache = sessions.caches.sslSessionCache;
	show('cache-size', cache.size);
	show('maximum-size', cache.maximumSize > 0 ? cache.maximumSize : 'no limit');
	show('timeout', cache.timeout);
}

function showJdk(jdk) {
	show('jdk', jdk.effective ? 'UUID.randomUUID() runs on the pool: the provider was installed before the first draw.'
		: jdk.installed ? 'The provider is installed, but something drew a UUID before: UUID.randomUUID() keeps its old generator.'
			: 'UUID.randomUUID() runs on the JDK\'s default SecureRandom: the provider is not installed.');
}

let lastUpdate = null;

function connected() {
	lastUpdate = new Date();
	document.body.classList.remove('stale');
	setConnection('Live, every second.');
}

function disconnected(error) {
	document.body.classList.add('stale');
	const since = lastUpdate ? `The figures below are of ${lastUpdate.toLocaleTimeString()}.` : 'There are no figures yet.';
	setConnection(`The server does not answer (${error.message}). ${since} Trying again every second.`);
}

// A live region is read out when it changes, so it changes only when there is news.
function setConnection(text) {
	if (byId('connection').textContent !== text) {
		byId('connection').textContent = text;
	}
}

async function poll() {
	for (;;) {
		try {
			const [uuid, sessions] = await Promise.all([getJson('/actuator/uuid'), getJson('/actuator/sslsessions')]);
			showGenerator(uuid.generators.uuidGenerator);
			showSessions(sessions);
			showJdk(uuid.jdk);
			connected();
		}
		catch (error) {
			disconnected(error);
		}
		await delay(POLL_MILLIS);
	}
}

// The race

const results = {};
let running = null;

function lane(source, rate, detail, progress) {
	const element = byId(`lane-${source}`);
	element.querySelector('.rate').textContent = rate === null ? '–' : `${whole.format(rate)} /s`;
	element.querySelector('.detail').textContent = detail;
	element.querySelector('progress').value = progress;
}

const threadsText = (threads) => `${threads} ${threads === 1 ? 'thread' : 'threads'}`;

async function showProgress(source) {
	while (running === source) {
		const progress = await getJson('/load').catch(() => null);
		if (running === source && progress !== null) {
			const { planned, measured } = progress;
			lane(measured.source, measured.perSecond, `Running with ${threadsText(measured.threads)}`,
				Math.min(measured.seconds / planned, 1));
		}
		await delay(PROGRESS_MILLIS);
	}
}

function compare() {
	const { jdk, pool } = results;
	if (!jdk || !pool) {
		return 'Run the other one with the same number of threads to compare them.';
	}
	if (jdk.threads !== pool.threads) {
		return 'The two ran with different numbers of threads: run them with the same to compare them.';
	}
	return `With ${threadsText(pool.threads)} the pool draws ${(pool.perSecond / jdk.perSecond).toFixed(1)} times as many UUIDs as the JDK.`;
}

async function race(source, threads) {
	if (running !== null) {
		say(`The ${NAMES[running]} is still running; press again when it has ended.`);
		return;
	}
	running = source;
	say(`Running the ${NAMES[source]} with ${threadsText(threads)}…`);
	lane(source, null, 'Starting', 0);
	showProgress(source);
	try {
		const response = await fetch(`/load?source=${source}&threads=${threads}&seconds=${RACE_SECONDS}`, { method: 'POST' });
		const body = await response.json();
		if (!response.ok) {
			throw new Error(body.detail);
		}
		results[source] = body;
		lane(source, body.perSecond, `${whole.format(body.generated)} UUIDs with ${threadsText(body.threads)} in ${body.seconds.toFixed(2)} s`, 1);
		say(compare());
	}
	catch (error) {
		delete results[source];
		lane(source, null, 'Not finished', 0);
		say(`The ${NAMES[source]} did not finish: ${error.message}.`);
	}
	finally {
		running = null;
	}
}

const say = (text) => { byId('race-message').textContent = text; };

byId('race-form').addEventListener('submit', (event) => {
	event.preventDefault();
	race(event.submitter.value, Number(new FormData(event.target).get('threads')));
});

matchMedia('(prefers-color-scheme: dark)').addEventListener('change', paint);
paint();
poll();
