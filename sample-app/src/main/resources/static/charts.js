// The charts. They take their colours from the style sheet, which they do not follow by themselves.

/* global Chart */

import { rate, scaled } from './format.js';

const color = (name) => getComputedStyle(document.documentElement).getPropertyValue(name).trim();

const repaints = [];

function paintedChart(id, config, paint) {
	const chart = new Chart(document.getElementById(id), config);
	const repaint = () => {
		paint(chart);
		chart.update('none');
	};
	repaints.push(repaint);
	repaint();
	return chart;
}

matchMedia('(prefers-color-scheme: dark)').addEventListener('change', () => repaints.forEach((repaint) => repaint()));

function axes(chart, ...names) {
	for (const name of names) {
		chart.options.scales[name].ticks.color = color('--muted');
		chart.options.scales[name].grid.color = color('--line');
	}
}

function area(dataset) {
	dataset.borderColor = color('--pool');
	dataset.backgroundColor = `${color('--pool')}22`;
}

const options = {
	animation: false,
	maintainAspectRatio: false,
	normalized: true,
	parsing: false,
	elements: { point: { radius: 0, hitRadius: 8 } },
	font: { family: 'system-ui, sans-serif', size: 12 }
};

const hidden = { display: false };

// A step for each stretch of time.
export function sparkline(id) {
	const chart = paintedChart(id, {
		type: 'line',
		data: { datasets: [{ data: [], stepped: 'after', fill: true, borderWidth: 1.5 }] },
		options: {
			...options,
			events: [],
			layout: { padding: { top: 2 } },
			plugins: { legend: hidden, tooltip: { enabled: false } },
			scales: { x: { type: 'linear', bounds: 'data', display: false }, y: { beginAtZero: true, suggestedMax: 10, display: false } }
		}
	}, ({ data }) => area(data.datasets[0]));
	return (points) => {
		chart.data.datasets[0].data = points;
		chart.update();
	};
}

// The draws of all stripes, the least used first.
export function distribution(id) {
	const chart = paintedChart(id, {
		type: 'line',
		data: { datasets: [{ data: [], stepped: true, fill: true, borderWidth: 1.5 }] },
		options: {
			...options,
			events: [],
			plugins: { legend: hidden, tooltip: { enabled: false } },
			scales: {
				x: { type: 'linear', bounds: 'data', border: hidden, grid: hidden, ticks: hidden },
				y: { beginAtZero: true, suggestedMax: 10, border: hidden, grid: {}, ticks: { maxTicksLimit: 4, callback: (value) => scaled(value) } }
			}
		}
	}, (chart) => {
		area(chart.data.datasets[0]);
		axes(chart, 'y');
	});
	return (draws) => {
		const sorted = [...draws].sort((a, b) => a - b);
		chart.data.datasets[0].data = [...sorted, sorted.at(-1)].map((y, x) => ({ x, y }));
		chart.update();
	};
}

const LANES = { pool: 'Pool', jdk: 'JDK' };

// Names a lane at its end, so that lanes need not be told by colour.
const names = {
	id: 'names',
	afterDatasetsDraw(chart) {
		const { ctx, data, chartArea } = chart;
		data.datasets.forEach((dataset, index) => {
			const last = chart.getDatasetMeta(index).data.at(-1);
			if (last) {
				ctx.save();
				ctx.fillStyle = dataset.borderColor;
				ctx.font = '600 13px system-ui, sans-serif';
				ctx.fillText(dataset.label, Math.min(last.x + 8, chartArea.right + 8), last.y + 4);
				ctx.restore();
			}
		});
	}
};

// Both lanes of a race: the warm-up dashed, what counts solid.
export function track(id) {
	const sources = Object.keys(LANES);
	const warm = { pool: Infinity, jdk: Infinity };
	const warming = (source) => ({ p1 }) => p1.parsed.x <= warm[source] + 0.01;
	const chart = paintedChart(id, {
		type: 'line',
		data: {
			datasets: sources.map((source) => ({
				label: LANES[source],
				data: [],
				borderWidth: 2,
				borderJoinStyle: 'round',
				segment: { borderDash: (segment) => (warming(source)(segment) ? [3, 4] : undefined) }
			}))
		},
		plugins: [names],
		options: {
			...options,
			layout: { padding: { right: 44, top: 8 } },
			interaction: { mode: 'nearest', intersect: false },
			plugins: {
				legend: hidden,
				tooltip: { displayColors: false, callbacks: { title: () => '', label: ({ dataset, parsed }) => `${dataset.label} ${rate(parsed.y)}` } }
			},
			scales: {
				x: { type: 'linear', min: 0, suggestedMax: 6, border: hidden, grid: hidden, ticks: { maxRotation: 0, maxTicksLimit: 8, includeBounds: false, callback: (value) => `${value}\u00a0s` } },
				y: { beginAtZero: true, suggestedMax: 2e6, border: hidden, grid: {}, ticks: { maxTicksLimit: 5, callback: (value) => `${value / 1e6}\u00a0M/s` } }
			}
		}
	}, (chart) => {
		sources.forEach((source, index) => { chart.data.datasets[index].borderColor = color(`--${source}`); });
		axes(chart, 'x', 'y');
	});
	return (lanes) => {
		sources.forEach((source, index) => {
			warm[source] = lanes[source]?.warmUp.seconds ?? Infinity;
			chart.data.datasets[index].data = (lanes[source]?.samples ?? []).map(({ seconds, perSecond }) => ({ x: seconds, y: perSecond }));
		});
		chart.update();
	};
}
