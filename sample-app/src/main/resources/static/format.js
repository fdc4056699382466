// Writes figures as people do.

const whole = new Intl.NumberFormat('en', { maximumFractionDigits: 0 });
const precise = new Intl.NumberFormat('en', { minimumSignificantDigits: 3, maximumSignificantDigits: 3 });
const percents = new Intl.NumberFormat('en', { style: 'percent', maximumFractionDigits: 1 });
const clock = new Intl.DateTimeFormat('en', { hour: '2-digit', minute: '2-digit', hourCycle: 'h23' });
const day = new Intl.DateTimeFormat('en', { day: 'numeric', month: 'short' });

// Keeps a figure and its unit on one line.
const join = (...words) => words.join('\u00a0');

export const count = (number) => whole.format(number);

// Three digits and a prefix: 7.83 M
export function scaled(number, unit = '') {
	const [scale, prefix] = [[1e9, 'G'], [1e6, 'M'], [1e3, 'K']].find(([least]) => number >= least * 0.9995) ?? [1, ''];
	const figure = prefix ? precise.format(number / scale) : whole.format(number);
	return prefix + unit ? join(figure, prefix + unit) : figure;
}

export const rate = (perSecond) => scaled(perSecond, '/s');

export const share = (part, all) => (all > 0 ? percents.format(part / all) : '–');

export const ratio = (first, second) => `${(first / second).toFixed(1)}×`;

export const seconds = (number) => join(number.toFixed(1), 's');

export const micros = (number) => join(precise.format(number * 1e6), 'µs');

export function bytes(number) {
	return number >= 1024 && number % 1024 === 0 ? join(whole.format(number / 1024), 'KB') : join(whole.format(number), 'bytes');
}

// A duration in seconds, or as ISO 8601 has it: PT24H is 24 h, PT1M30S is 1 min 30 s.
export function duration(value) {
	const iso = /^PT(?:(\d+)H)?(?:(\d+)M)?(?:([\d.]+)S)?$/.exec(value);
	const all = iso ? 3600 * (iso[1] ?? 0) + 60 * (iso[2] ?? 0) + Number(iso[3] ?? 0) : Number(value);
	const parts = [[Math.floor(all / 3600), 'h'], [Math.floor((all % 3600) / 60), 'min'], [all % 60, 's']];
	return parts.filter(([number]) => number > 0).map(([number, unit]) => join(number, unit)).join(' ') || join(0, 's');
}

// A time of today by the clock, any other with its day.
export function time(date) {
	const at = new Date(date);
	return at.toDateString() === new Date().toDateString() ? clock.format(at) : `${day.format(at)}, ${clock.format(at)}`;
}

export const plural = (number, noun) => `${count(number)} ${noun}${number === 1 ? '' : 's'}`;
