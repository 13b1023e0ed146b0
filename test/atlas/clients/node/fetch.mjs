export async function byDefault({ method, url, headers, body }) {
  const response = await fetch(url, { method, headers, body });
  if (!response.ok) throw new Error(`status ${response.status}`);
  return response.text();
}

// The recipe
import { setTimeout as wait } from 'node:timers/promises';

export async function recipe({ method, url, headers, body, key, look }) {
  const request = { method, headers: { ...headers, ...(key && { 'idempotency-key': key }) }, body };
  let failure;
  for (const pause of [0, 300, 600, 1200]) {
    await wait(Math.max(pause * (1 + Math.random() / 4), failure?.retryAfter ?? 0));
    try {
      // A new contact has no key of its own: look whether it was created, before it is sent again.
      if (look && failure && (await ask(look)) === 200) return 201;
      return await ask(url, request);
    } catch (error) {
      failure = error;
    }
  }
  throw failure; // keep the request in a queue on disk, and send it later
}

/** Throws what may pass: no response, one that was cut, 429 and 5xx. */
async function ask(url, request) {
  const response = await fetch(url, { ...request, signal: AbortSignal.timeout(10_000) });
  await response.text();
  if (response.status !== 429 && response.status < 500) return response.status;
  const retryAfter = 1000 * Number(response.headers.get('retry-after'));
  throw Object.assign(new Error(`status ${response.status}`), { retryAfter });
}
