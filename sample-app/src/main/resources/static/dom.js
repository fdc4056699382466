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
