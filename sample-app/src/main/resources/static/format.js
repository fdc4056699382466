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

// Scaled from five digits on.
export const figure = (number) => (number < 10_000 ? count(number) : scaled(number));

export const rate = (perSecond) => (perSecond === undefined ? '–' : scaled(perSecond, '/s'));

export const share = (part, all) => (all > 0 ? percents.format(part / all) : '–');

// One decimal below 10, none above: 2.6, 31
const factor = (number) => (number < 9.95 ? number.toFixed(1) : whole.format(number));

export const ratio = (number) => (Number.isFinite(number) ? `${factor(number)}×` : '–');

export const range = (least, most) => (Number.isFinite(most) ? `${factor(least)} to ${factor(most)}` : '');

// Microseconds, or milliseconds from 10 ms on.
export const micros = (number) => (number < 9_999.5 ? join(whole.format(number), 'µs') : join(precise.format(number / 1e3), 'ms'));

// Milliseconds with one decimal below 10, none above: 3.7 to 9.8
export const millis = ([least, most]) => (least === most ? factor(least) : range(least, most));

export function bytes(number) {
	return number >= 1024 && number % 1024 === 0 ? join(whole.format(number / 1024), 'KB') : join(whole.format(number), 'bytes');
}

// An ISO 8601 duration: PT24H is 24 h, PT1M30S is 1 min 30 s.
export function duration(iso) {
	const [, hours, minutes, seconds] = /^PT(?:(\d+)H)?(?:(\d+)M)?(?:([\d.]+)S)?$/.exec(iso) ?? [];
	return [[hours, 'h'], [minutes, 'min'], [seconds, 's']].filter(([number]) => number).map(([number, unit]) => join(number, unit)).join(' ');
}

// The time of day, with the date unless it is today.
export function time(date) {
	const at = new Date(date);
	return at.toDateString() === new Date().toDateString() ? clock.format(at) : `${day.format(at)}, ${clock.format(at)}`;
}

export const plural = (number, noun) => `${count(number)} ${noun}${number === 1 ? '' : 's'}`;

export const machine = ({ cpu, processors, jdk }) => `${plural(processors, 'processor')}${cpu ? ` (${cpu})` : ''}, JDK ${jdk}`;
