import needle from 'needle';

export const byDefault = ({ method, url, headers, body }) => needle(method, url, body ?? null, { headers });

// The recipe
import { setTimeout as wait } from 'node:timers/promises';

const timeouts = { open_timeout: 10_000, response_timeout: 10_000, read_timeout: 10_000 };

export async function recipe({ method, url, headers, body, key, look }, attempt = 1) {
  const own = { ...headers, ...(key && { 'idempotency-key': key }) };
  const { status, retryAfter = 0 } = await ask(method, url, body, own).catch(() => ({}));
  if (status !== 429 && status < 500) return status;
  if (attempt === 4) throw new Error('not delivered'); // keep the request in a queue on disk, and send it later
  await wait(Math.max(150 * 2 ** attempt, 1000 * retryAfter));
  // A new contact has no key of its own: look whether it was created, before it is sent again.
  if (look && (await recipe({ method: 'GET', url: look })) === 200) return 201;
  return recipe({ method, url, headers, body, key, look }, attempt + 1);
}

async function ask(method, url, body, headers) {
  const response = await needle(method, url, body ?? null, { headers, ...timeouts });
  if (!response.complete) throw new Error('the response was cut');
  return { status: response.statusCode, retryAfter: Number(response.headers['retry-after'] ?? 0) };
}
