// The charts, which repaint when the colors of the style sheet change.

/* global Chart */

import { clockTime, count, rate, seconds, tick } from './format.js';

// Resolves a color of the style sheet, system colors included, with an opacity.
const probe = document.createElement('i');
probe.hidden = true;
document.body.append(probe);

function color(name, opacity = 1) {
	probe.style.color = `var(--${name})`;
	const [red, green, blue] = getComputedStyle(probe).color.match(/[\d.]+/g);
	return `rgb(${red} ${green} ${blue} / ${opacity})`;
}

const charts = [];

function create(id, config, paint) {
	const chart = new Chart(document.getElementById(id), config);
	charts.push({ chart, paint });
	paint(chart);
	chart.update();
	return chart;
}

for (const query of ['(prefers-color-scheme: dark)', '(forced-colors: active)', 'print']) {
	matchMedia(query).addEventListener('change', () => charts.forEach(({ chart, paint }) => {
		paint(chart);
		chart.update();
	}));
}

const font = { family: 'system-ui, sans-serif', size: 12 };

const options = {
	animation: false,
	maintainAspectRatio: false,
	normalized: true,
	parsing: false,
	elements: { point: { radius: 0, hitRadius: 8 }, line: { borderWidth: 1.5, borderJoinStyle: 'round' } },
	interaction: { mode: 'index', intersect: false },
	font
};

const hidden = { display: false };

const yAxis = (format, extra = {}) => ({ beginAtZero: true, border: hidden, ticks: { font, maxTicksLimit: 4, callback: format }, ...extra });

const plugins = (title, label) => ({ legend: hidden, tooltip: { displayColors: false, animation: false, callbacks: { title: ([item]) => (item ? title(item) : ''), label } } });

function axes({ options: { scales } }) {
	for (const axis of Object.values(scales)) {
		axis.ticks.color = color('muted');
		axis.grid = { ...axis.grid, color: color('line') };
	}
}

const perSecond = (value) => tick(value, '/s');

// The last 15 minutes, with a tick every three minutes.

const WINDOW = 15 * 60_000;
const TICK = 3 * 60_000;

const timeAxis = {
	type: 'linear',
	border: hidden,
	grid: hidden,
	ticks: { font, maxRotation: 0, callback: (value) => clockTime(value) },
	afterBuildTicks: (axis) => {
		axis.ticks = [];
		for (let at = Math.ceil(axis.min / TICK) * TICK; at <= axis.max; at += TICK) {
			axis.ticks.push({ value: at });
		}
	}
};

function showWindow(chart, now) {
	chart.options.scales.x.min = now - WINDOW;
	chart.options.scales.x.max = now;
	chart.update();
}

// UUIDs per second. The rate of an interval is drawn up to its end.
export function rates(id) {
	const chart = create(id, {
		type: 'line',
		data: { datasets: [['Pool', 'pool'], ['JDK, in a race', 'jdk']].map(([label]) => ({ label, data: [], stepped: 'after', fill: true })) },
		options: {
			...options,
			plugins: plugins(({ parsed }) => new Date(parsed.x).toLocaleTimeString('en', { hourCycle: 'h23' }), ({ dataset, parsed }) => `${dataset.label} ${rate(parsed.y)}`),
			scales: { x: timeAxis, y: yAxis(perSecond, { suggestedMax: 10 }) }
		}
	}, (chart) => {
		['pool', 'jdk'].forEach((name, index) => {
			chart.data.datasets[index].borderColor = color(name);
			chart.data.datasets[index].backgroundColor = color(name, 0.15);
		});
		axes(chart);
	});
	return (points, now) => {
		chart.data.datasets[0].data = points.map(({ at, pool }) => ({ x: at, y: pool }));
		chart.data.datasets[1].data = points.some(({ jdk }) => jdk > 0) ? points.map(({ at, jdk }) => ({ x: at, y: jdk })) : [];
		showWindow(chart, now);
	};
}

// Handshakes per 15 seconds.
export function handshakes(id, bin) {
	const names = { full: 'Full', resumed: 'Resumed', failed: 'Failed' };
	const chart = create(id, {
		type: 'bar',
		data: { datasets: Object.values(names).map((label) => ({ label, data: [], barThickness: 'flex', categoryPercentage: 0.9, barPercentage: 1 })) },
		options: {
			...options,
			plugins: plugins(({ parsed }) => `${bin / 1000} s from ${new Date(parsed.x - bin / 2).toLocaleTimeString('en', { hourCycle: 'h23' })}`, ({ dataset, parsed }) => `${dataset.label} ${count(parsed.y)}`),
			scales: { x: { ...timeAxis, stacked: true, offset: false }, y: yAxis((value) => (Number.isInteger(value) ? tick(value) : ''), { stacked: true, suggestedMax: 4 }) }
		}
	}, (chart) => {
		const [full, resumed, failed] = chart.data.datasets;
		full.backgroundColor = color('jdk');
		resumed.backgroundColor = color('pool');
		failed.backgroundColor = color('alarm');
		axes(chart);
	});
	return (bins, now) => {
		Object.keys(names).forEach((name, index) => {
			chart.data.datasets[index].data = bins.map((each) => ({ x: each.at + bin / 2, y: each[name] }));
		});
		showWindow(chart, now);
	};
}

// The draws of all stripes, least used first.
export function distribution(id) {
	const chart = create(id, {
		type: 'line',
		data: { datasets: [{ data: [], stepped: true, fill: true }] },
		options: {
			...options,
			plugins: plugins(() => '', ({ parsed }) => `${count(parsed.y)} draws`),
			scales: { x: { type: 'linear', bounds: 'data', display: false, ticks: {} }, y: yAxis((value) => tick(value), { suggestedMax: 10 }) }
		}
	}, (chart) => {
		chart.data.datasets[0].borderColor = color('pool');
		chart.data.datasets[0].backgroundColor = color('pool', 0.15);
		axes(chart);
	});
	return (draws) => {
		const sorted = [...draws].sort((a, b) => a - b);
		chart.data.datasets[0].data = [...sorted, sorted.at(-1)].map((y, x) => ({ x, y }));
		chart.update();
	};
}

const LANES = { pool: 'Pool', jdk: 'JDK' };

// Draws the warm-up of a lane as a shade, then its median and a band from minimum to maximum. Labels each lane at its
// end, so that color is not the only distinction.
const lanesPlugin = (lanes) => ({
	id: 'lanes',
	beforeDatasetsDraw({ ctx, chartArea: { top, bottom }, scales: { x, y } }) {
		ctx.save();
		for (const source of Object.keys(LANES).filter((source) => lanes[source])) {
			const { warmUp, samples, spread } = lanes[source];
			const end = x.getPixelForValue(samples.at(-1)?.seconds ?? 0);
			const warm = Math.min(x.getPixelForValue(warmUp.seconds), end);
			ctx.fillStyle = color(source, 0.08);
			ctx.fillRect(x.getPixelForValue(0), top, warm - x.getPixelForValue(0), bottom - top);
			if (spread) {
				ctx.fillStyle = color(source, 0.2);
				ctx.fillRect(warm, y.getPixelForValue(spread.most), end - warm, y.getPixelForValue(spread.least) - y.getPixelForValue(spread.most));
				ctx.fillStyle = color(source);
				ctx.fillRect(warm, y.getPixelForValue(spread.median) - 1.25, end - warm, 2.5);
			}
		}
		ctx.restore();
	},
	afterDatasetsDraw({ ctx, chartArea, scales: { x, y } }) {
		ctx.save();
		ctx.font = `600 13px ${font.family}`;
		for (const source of Object.keys(LANES).filter((source) => lanes[source]?.samples.length > 0)) {
			const { samples, spread } = lanes[source];
			const last = samples.at(-1);
			ctx.fillStyle = color(source);
			ctx.fillText(LANES[source], Math.min(x.getPixelForValue(last.seconds), chartArea.right) + 8, y.getPixelForValue(spread?.median ?? last.perSecond) + 4);
		}
		ctx.restore();
	}
});

// Both lanes of a race on one time axis.
export function track(id) {
	const sources = Object.keys(LANES);
	const lanes = {};
	const chart = create(id, {
		type: 'line',
		data: { datasets: sources.map((source) => ({ label: LANES[source], data: [] })) },
		plugins: [lanesPlugin(lanes)],
		options: {
			...options,
			interaction: { mode: 'nearest', axis: 'xy', intersect: false },
			layout: { padding: { right: 44, top: 8 } },
			plugins: plugins(({ parsed }) => seconds(parsed.x), ({ dataset, datasetIndex, parsed }) =>
				`${dataset.label} ${rate(parsed.y)}${parsed.x <= lanes[sources[datasetIndex]]?.warmUp.seconds ? ', warm-up' : ''}`),
			scales: {
				x: { type: 'linear', min: 0, suggestedMax: 6, border: hidden, grid: hidden, ticks: { font, maxRotation: 0, maxTicksLimit: 8, includeBounds: false, callback: (value) => `${value}\u00a0s` } },
				y: yAxis(perSecond, { suggestedMax: 2e6, ticks: { font, maxTicksLimit: 6, callback: perSecond } })
			}
		}
	}, (chart) => {
		sources.forEach((source, index) => { chart.data.datasets[index].borderColor = color(source, 0.7); });
		axes(chart);
	});
	return (shown) => {
		sources.forEach((source, index) => {
			lanes[source] = shown[source];
			chart.data.datasets[index].data = (shown[source]?.samples ?? []).map(({ seconds: x, perSecond: y }) => ({ x, y }));
		});
		chart.update();
	};
}
