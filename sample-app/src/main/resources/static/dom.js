// Functions for the DOM.

export const byId = (id) => document.getElementById(id);

// Writes only differences: screen readers announce a live region on every write.
export function show(target, text) {
	const element = typeof target === 'string' ? byId(target) : target;
	if (element.textContent !== text) {
		element.textContent = text;
	}
}

export function create(tag, className = '', ...content) {
	const element = document.createElement(tag);
	element.className = className;
	element.append(...content);
	return element;
}

// A figure is { text, exact }. Large numbers are scaled, with all digits in a tooltip. Zeros are muted.
export function facts(id, entries) {
	const rows = entries.map(([name, figure, note]) => {
		const { text, exact } = typeof figure === 'string' ? { text: figure } : figure;
		const value = create('dd', text === '0' || text === '–' ? 'muted' : '', text);
		value.title = exact && exact !== text ? exact : '';
		const term = create('dt', '', name);
		if (note) {
			term.append(' ', create('small', '', note));
		}
		return create('div', '', term, value);
	});
	const list = byId(id);
	rows.forEach((row, index) => {
		const present = list.children[index];
		if (!present) {
			list.append(row);
		}
		else if (!present.isEqualNode(row)) {
			present.replaceWith(row);
		}
	});
	while (list.children.length > rows.length) {
		list.lastChild.remove();
	}
}

// A bar from 0 to the median, and a thin line from least to most.
export function measure(className, name, { median, least = median, most = median }, greatest, text, note = '') {
	const part = (number) => `${100 * Math.min(1, number / greatest)}%`;
	const bar = create('span', 'fill');
	bar.style.width = part(median);
	const whisker = create('span', 'whisker');
	whisker.style.left = part(least);
	whisker.style.right = `${100 - 100 * Math.min(1, most / greatest)}%`;
	return create('div', `measure ${className}`,
		create('span', 'name', name),
		create('span', 'bar', bar, whisker),
		create('span', 'rate', text),
		create('span', 'note', note));
}

export const delay = (millis) => new Promise((resolve) => setTimeout(resolve, millis));

// An error response, with the server's problem detail as its message.
export class HttpError extends Error {

	constructor(path, status, detail) {
		super(detail ?? `${path} answered ${status}`);
		this.status = status;
	}

}

export async function json(path, options = {}) {
	const response = await fetch(path, { headers: { Accept: 'application/json' }, ...options });
	if (!response.ok) {
		const problem = await response.json().catch(() => null);
		throw new HttpError(path, response.status, problem?.detail);
	}
	return response.status === 204 ? null : response.json();
}
