import promiseRetry from 'promise-retry';

export const byDefault = ({ method, url, headers, body }) =>
  promiseRetry(async (retry) => {
    const response = await fetch(url, { method, headers, body }).catch(retry);
    return response.text();
  });

// The recipe
import { setTimeout as wait } from 'node:timers/promises';

export const recipe = ({ method, url, headers, body, key, look }) =>
  promiseRetry(
    async (retry, attempt) => {
      const own = { ...headers, ...(key && { 'idempotency-key': key }) };
      try {
        // A new contact has no key of its own: look whether it was created, before it is sent again.
        if (look && attempt > 1 && (await ask(look)) === 200) return 201;
        return await ask(url, { method, headers: own, body });
      } catch (error) {
        return retry(error);
      }
    },
    { retries: 3, minTimeout: 300, randomize: true },
  ); // if it throws: keep the request in a queue on disk, and send it later

/** Throws what may pass: no response, one that was cut, 429 and 5xx. */
async function ask(url, request) {
  const response = await fetch(url, { ...request, signal: AbortSignal.timeout(10_000) });
  await response.text();
  if (response.status !== 429 && response.status < 500) return response.status;
  await wait(1000 * Number(response.headers.get('retry-after')));
  throw new Error(`status ${response.status}`);
}
