// Functions for the DOM and for requests.

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

// A list of facts, each [name, figure, note]. Zeros are muted.
export function facts(id, entries) {
	const rows = entries.map(([name, figure, note]) => create('div', '',
		create('dt', '', name, ...(note ? [' ', create('small', '', note)] : [])),
		create('dd', figure === '0' || figure === '–' ? 'muted' : '', figure)));
	byId(id).replaceChildren(...rows);
}

// A bar from 0 to the median, and a thin line from least to most.
export function measure(className, name, { median, least = median, most = median }, greatest, text) {
	const part = (number) => `${100 * Math.min(1, number / greatest)}%`;
	const bar = create('span', 'fill');
	bar.style.width = part(median);
	const whisker = create('span', 'whisker');
	whisker.style.left = part(least);
	whisker.style.right = `${100 - 100 * Math.min(1, most / greatest)}%`;
	return create('div', `measure ${className}`,
		create('span', 'name', name),
		create('span', 'bar', bar, whisker),
		create('span', 'rate', text));
}

// An error response, with the server's problem detail as its message.
export class HttpError extends Error {

	constructor(path, status, detail) {
		super(detail ?? `${path} answered ${status}`);
		this.status = status;
	}

}

export async function request(path, options = {}) {
	const response = await fetch(path, options);
	if (!response.ok) {
		const problem = await response.json().catch(() => null);
		throw new HttpError(path, response.status, problem?.detail);
	}
	return response;
}

export const json = async (path, options) => (await request(path, options)).json();

export const reason = (error) => (error instanceof HttpError ? error.message : 'the application does not answer');
