import wretch from 'wretch';

export const byDefault = ({ method, url, headers, body }) =>
  wretch(url).headers(headers).fetch(method, '', body).text();

// The recipe
import { retry } from 'wretch/middlewares';

const isPassing = (response) => !response || response.status === 429 || response.status >= 500;
const wait = (ms) => new Promise((resolve) => setTimeout(resolve, ms));

/** Takes a body that is cut for no response; each attempt has a timeout of its own. */
const whole = (next) => async (url, request) => {
  const response = await next(url, { ...request, signal: AbortSignal.timeout(10_000) });
  return new Response(await response.text(), response);
};

const retrying = (isDone) =>
  retry({
    delayTimer: 300,
    delayRamp: (delay, attempt) => delay * 2 ** (attempt - 1),
    maxAttempts: 3,
    retryOnNetworkError: true,
    until: async (response) => {
      if (!isPassing(response)) return true;
      await wait(1000 * Number(response?.headers.get('retry-after') ?? 0));
      return isDone();
    },
  });

export async function recipe({ method, url, headers, body, key, look }) {
  // A new contact has no key of its own: look whether it was created, before it is sent again.
  const isThere = async () => Boolean(look) && (await recipe({ method: 'GET', url: look })).status === 200;
  const own = { ...headers, ...(key && { 'idempotency-key': key }) };
  const client = wretch(url)
    .middlewares([retrying(isThere), whole])
    .catcherFallback((error) => error);
  return client.headers(own).fetch(method, '', body).res();
} // if it fails: keep the request in a queue on disk, and send it later
