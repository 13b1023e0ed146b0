import fetch from 'make-fetch-happen';

export async function byDefault({ method, url, headers, body }) {
  const response = await fetch(url, { method, headers, body });
  return response.text();
}

// The recipe
import { setTimeout as wait } from 'node:timers/promises';

/** The library's own retry never repeats a POST and does not heed Retry-After, so it is turned off. */
const client = fetch.defaults({ retry: false, timeout: 10_000, cache: 'no-store' });

export async function recipe({ method, url, headers, body, key, look }, attempt = 1) {
  const own = { ...headers, ...(key && { 'idempotency-key': key }) };
  const { status, retryAfter = 0 } = await ask(url, { method, headers: own, body }).catch(() => ({}));
  if (status !== 429 && status < 500) return status;
  if (attempt === 4) throw new Error('not delivered'); // keep the request in a queue on disk, and send it later
  await wait(Math.max(150 * 2 ** attempt, 1000 * retryAfter));
  // A new contact has no key of its own: look whether it was created, before it is sent again.
  if (look && (await recipe({ method: 'GET', url: look })) === 200) return 201;
  return recipe({ method, url, headers, body, key, look }, attempt + 1);
}

async function ask(url, request) {
  const response = await client(url, request);
  await response.text();
  return { status: response.status, retryAfter: Number(response.headers.get('retry-after')) };
}
