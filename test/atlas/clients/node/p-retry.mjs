import pRetry, { AbortError } from 'p-retry';

export const byDefault = ({ method, url, headers, body }) =>
  pRetry(
    async () => {
      const response = await fetch(url, { method, headers, body });
      if (response.status === 404) throw new AbortError(response.statusText);
      return response.text();
    },
    { retries: 5 },
  );

// The recipe
import { setTimeout as wait } from 'node:timers/promises';

export const recipe = ({ method, url, headers, body, key, look }) =>
  pRetry(
    async (attempt) => {
      if (look && attempt > 1 && (await ask(look)).ok) return 'it was created';
      const response = await ask(url, {
        method,
        headers: { ...headers, ...(key && { 'idempotency-key': key }) },
        body,
      });
      if (!response.ok) throw new AbortError(`status ${response.status}`);
      return response;
    },
    { retries: 3, minTimeout: 300, factor: 2, randomize: true },
  ); // if it throws: keep the request in a queue on disk, and send it later

/** Throws what may pass: no response, one that was cut, 429 and 5xx. */
async function ask(url, request) {
  const response = await fetch(url, { ...request, signal: AbortSignal.timeout(10_000) });
  await response.text();
  if (response.status !== 429 && response.status < 500) return response;
  await wait(1000 * Number(response.headers.get('retry-after')));
  throw new Error(`status ${response.status}`);
}
