import { request } from 'urllib';

export const byDefault = ({ method, url, headers, body }) => request(url, { method, headers, content: body });

// The recipe
import { setTimeout as wait } from 'node:timers/promises';

export async function recipe({ method, url, headers, body, key, look }, attempt = 1) {
  const own = { ...headers, ...(key && { 'idempotency-key': key }) };
  // By default it repeats a POST by itself after a lost connection.
  const options = { method, headers: own, content: body, timeout: 10_000, socketErrorRetry: 0 };
  const { status, headers: told } = await request(url, options).catch(() => ({}));
  if (status > 0 && status !== 429 && status < 500) return status;
  if (attempt === 4) throw new Error('not delivered'); // keep the request in a queue on disk, and send it later
  await wait(Math.max(150 * 2 ** attempt, 1000 * Number(told?.['retry-after'] ?? 0)));
  // A new contact has no key of its own: look whether it was created, before it is sent again.
  if (look && (await recipe({ method: 'GET', url: look })) === 200) return 201;
  return recipe({ method, url, headers, body, key, look }, attempt + 1);
}
