// The few things that are done to the page again and again.

export const byId = (id) => document.getElementById(id);

// Changes only what differs: a live region is read out whenever it is written to.
export function show(target, text) {
	const element = typeof target === 'string' ? byId(target) : target;
	if (element.textContent !== text) {
		element.textContent = text;
	}
}

// A headline has its unit in small letters.
export function headline(id, text) {
	const [figure, unit] = text.split('\u00a0');
	if (byId(id).textContent !== text) {
		const small = document.createElement('span');
		small.className = 'unit';
		small.textContent = unit ? `\u00a0${unit}` : '';
		byId(id).replaceChildren(figure, small);
	}
}

export function cell(content, tag = 'td') {
	const element = document.createElement(tag);
	element.append(content);
	return element;
}

export function row(...cells) {
	const element = document.createElement('tr');
	element.append(...cells.map((content) => (content instanceof HTMLTableCellElement ? content : cell(content))));
	return element;
}

export const delay = (millis) => new Promise((resolve) => setTimeout(resolve, millis));

// What the server says of a request that it refuses is in its problem detail.
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
