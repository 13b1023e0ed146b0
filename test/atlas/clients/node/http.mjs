import { request } from 'node:http';

export const byDefault = ({ method, url, headers, body }) =>
  new Promise((resolve, reject) => {
    const sent = request(url, { method, headers }, (response) => {
      response
        .on('error', reject)
        .on('end', () => resolve(response.statusCode))
        .resume();
    });
    sent.on('error', reject).end(body);
  });

// The recipe
import { setTimeout as wait } from 'node:timers/promises';

export async function recipe({ method, url, headers, body, key, look }, attempt = 1) {
  const own = { ...headers, ...(key && { 'idempotency-key': key }) };
  const { status, retryAfter = 0 } = await ask(method, url, own, body).catch(() => ({}));
  if (status !== 429 && status < 500) return status;
  if (attempt === 4) throw new Error('not delivered'); // keep the request in a queue on disk, and send it later
  await wait(Math.max(150 * 2 ** attempt, 1000 * retryAfter));
  // A new contact has no key of its own: look whether it was created, before it is sent again.
  if (look && (await recipe({ method: 'GET', url: look })) === 200) return 201;
  return recipe({ method, url, headers, body, key, look }, attempt + 1);
}

const ask = (method, url, headers, body) =>
  new Promise((resolve, reject) => {
    const signal = AbortSignal.timeout(10_000);
    const sent = request(url, { method, headers, signal }, (response) => {
      const told = { status: response.statusCode, retryAfter: Number(response.headers['retry-after'] ?? 0) };
      response
        .on('error', reject)
        .on('end', () => resolve(told))
        .resume();
    });
    sent.on('error', reject).end(body);
  });
