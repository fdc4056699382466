// Formats figures for people.

const whole = new Intl.NumberFormat('en', { maximumFractionDigits: 0 });
const precise = new Intl.NumberFormat('en', { minimumSignificantDigits: 3, maximumSignificantDigits: 3 });
const percents = new Intl.NumberFormat('en', { style: 'percent', maximumFractionDigits: 1 });
const clock = new Intl.DateTimeFormat('en', { hour: '2-digit', minute: '2-digit', hourCycle: 'h23' });
const day = new Intl.DateTimeFormat('en', { day: 'numeric', month: 'short', year: 'numeric' });

// Keeps a figure and its unit on one line.
const join = (...words) => words.join('\u00a0');

export const count = (number) => whole.format(number);

// Three digits and a prefix: 7.83 M
export function scaled(number, unit = '') {
	const [scale, prefix] = [[1e9, 'G'], [1e6, 'M'], [1e3, 'K']].find(([least]) => number >= least * 0.9995) ?? [1, ''];
	const figure = prefix ? precise.format(number / scale) : whole.format(number);
	return prefix + unit ? join(figure, prefix + unit) : figure;
}

// A figure of the page, scaled from five digits on.
export const figure = (number) => (number < 10_000 ? { text: count(number) } : { text: scaled(number), exact: count(number) });

export const rate = (perSecond) => scaled(perSecond, '/s');

// A tick of an axis: 20 M/s
export const tick = (number, unit = '') => scaled(number, unit).replace(/\.?0+(?=\u00a0)/, (zeros, at, text) => (text.includes('.') ? '' : zeros));

export const share = (part, all) => (all > 0 ? percents.format(part / all) : '–');

// One decimal below 10, none above: 2.6, 31
const factor = (number) => (number < 9.95 ? number.toFixed(1) : whole.format(number));

export const ratio = (number) => (Number.isFinite(number) ? `${factor(number)}×` : '–');

export const range = (least, most) => (Number.isFinite(most) ? `${factor(least)} to ${factor(most)}` : '');

export const seconds = (number) => join(number.toFixed(1), 's');

// Microseconds, or milliseconds from 10 ms on.
export const micros = (number) => (number < 9_999.5 ? join(whole.format(number), 'µs') : join(precise.format(number / 1e3), 'ms'));

// Milliseconds with one decimal below 10, none above.
export const millis = (number) => (number < 9.95 ? number.toFixed(1) : whole.format(number));

export function bytes(number) {
	return number >= 1024 && number % 1024 === 0 ? join(whole.format(number / 1024), 'KB') : join(whole.format(number), 'bytes');
}

// The seconds of an ISO 8601 duration: PT24H is 86400.
export function isoSeconds(value) {
	const iso = /^PT(?:(\d+)H)?(?:(\d+)M)?(?:([\d.]+)S)?$/.exec(value);
	return iso ? 3600 * (iso[1] ?? 0) + 60 * (iso[2] ?? 0) + Number(iso[3] ?? 0) : Number(value);
}

// A duration in seconds or ISO 8601: PT24H is 24 h, PT1M30S is 1 min 30 s.
export function duration(value) {
	const all = isoSeconds(value);
	const parts = [[Math.floor(all / 3600), 'h'], [Math.floor((all % 3600) / 60), 'min'], [all % 60, 's']];
	return parts.filter(([number]) => number > 0).map(([number, unit]) => join(number, unit)).join(' ') || join(0, 's');
}

// An age in its largest unit: 12 s, 3 min, 2 h
export function age(millis) {
	const [size, unit] = [[3_600_000, 'h'], [60_000, 'min']].find(([least]) => millis >= least) ?? [1000, 's'];
	return join(Math.max(0, Math.floor(millis / size)), unit);
}

// The time of day, with the date unless it is today.
export function time(date) {
	const at = new Date(date);
	return at.toDateString() === new Date().toDateString() ? clock.format(at) : `${day.format(at)}, ${clock.format(at)}`;
}

export const clockTime = (date) => clock.format(new Date(date));

export const plural = (number, noun) => `${count(number)} ${noun}${number === 1 ? '' : 's'}`;

export const machine = ({ cpu, processors, jdk }) => `${plural(processors, 'processor')}${cpu ? ` (${cpu})` : ''}, JDK ${jdk}`;
