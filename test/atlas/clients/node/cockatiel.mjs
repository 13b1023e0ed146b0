import { ExponentialBackoff, handleAll, retry } from 'cockatiel';

const policy = retry(handleAll, { maxAttempts: 3, backoff: new ExponentialBackoff() });

export const byDefault = ({ method, url, headers, body }) =>
  policy.execute(async () => {
    const response = await fetch(url, { method, headers, body });
    if (!response.ok) throw new Error(`status ${response.status}`);
    return response.text();
  });

// The recipe
import { DelegateBackoff } from 'cockatiel';

const retrying = retry(handleAll, {
  maxAttempts: 3,
  backoff: new DelegateBackoff(({ attempt, result }) => Math.max(150 * 2 ** attempt, result.error.retryAfter ?? 0)),
});

export const recipe = ({ method, url, headers, body, key, look }) =>
  retrying.execute(async ({ attempt }) => {
    // A new contact has no key of its own: look whether it was created, before it is sent again.
    if (look && attempt > 0 && (await ask(look)) === 200) return 201;
    const own = { ...headers, ...(key && { 'idempotency-key': key }) };
    return ask(url, { method, headers: own, body });
  }); // if it throws: keep the request in a queue on disk, and send it later

/** Throws what may pass: no response, one that was cut, 429 and 5xx. */
async function ask(url, request) {
  const response = await fetch(url, { ...request, signal: AbortSignal.timeout(10_000) });
  await response.text();
  if (response.status !== 429 && response.status < 500) return response.status;
  const retryAfter = 1000 * Number(response.headers.get('retry-after'));
  throw Object.assign(new Error(`status ${response.status}`), { retryAfter });
}
