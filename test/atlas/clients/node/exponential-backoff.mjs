import { backOff } from 'exponential-backoff';

export async function byDefault({ method, url, headers, body }) {
  const response = await backOff(() => fetch(url, { method, headers, body }));
  return response.text();
}

// The recipe
import { setTimeout as wait } from 'node:timers/promises';

export function recipe({ method, url, headers, body, key, look }) {
  let attempt = 0;
  const own = { ...headers, ...(key && { 'idempotency-key': key }) };
  const send = async () => {
    attempt += 1;
    // A new contact has no key of its own: look whether it was created, before it is sent again.
    if (look && attempt > 1 && (await ask(look)) === 200) return 201;
    return ask(url, { method, headers: own, body });
  };
  return backOff(send, { numOfAttempts: 4, startingDelay: 300, timeMultiple: 2 });
} // if it throws: keep the request in a queue on disk, and send it later

/** Throws what may pass: no response, one that was cut, 429 and 5xx. */
async function ask(url, request) {
  const response = await fetch(url, { ...request, signal: AbortSignal.timeout(10_000) });
  await response.text();
  if (response.status !== 429 && response.status < 500) return response.status;
  await wait(1000 * Number(response.headers.get('retry-after')));
  throw new Error(`status ${response.status}`);
}
