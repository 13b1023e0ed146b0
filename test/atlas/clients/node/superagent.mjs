import superagent from 'superagent';

export const byDefault = ({ method, url, headers, body }) => superagent(method, url).set(headers).send(body).retry(2);

// The recipe
const isPassing = (error, response) => !response || response.status === 429 || response.status >= 500;
const wait = (ms) => new Promise((resolve) => setTimeout(resolve, ms));

const ask = (method, url) =>
  superagent(method, url)
    .timeout(10_000)
    .ok(() => true);

/** Superagent's own `retry` does not pause, so it is not used. */
export async function recipe({ method, url, headers, body, key, look }, attempt = 1) {
  const own = { ...headers, ...(key && { 'idempotency-key': key }) };
  const { status, headers: told } = await ask(method, url)
    .set(own)
    .send(body)
    .catch(() => ({}));
  if (!isPassing(undefined, status && { status })) return status;
  if (attempt === 4) throw new Error('not delivered'); // keep the request in a queue on disk, and send it later
  await wait(Math.max(150 * 2 ** attempt, 1000 * Number(told?.['retry-after'] ?? 0)));
  // A new contact has no key of its own: look whether it was created, before it is sent again.
  if (look && (await recipe({ method: 'GET', url: look })) === 200) return 201;
  return recipe({ method, url, headers, body, key, look }, attempt + 1);
}
