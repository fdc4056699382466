// The published figures, which are also in the documents.

import { json } from './dom.js';

export const published = json('/published.json');
