import withRetry from 'fetch-retry';

const plain = withRetry(fetch);

export async function byDefault({ method, url, headers, body }) {
  const response = await plain(url, { method, headers, body });
  return response.text();
}

// The recipe
const isPassing = (error, response) => error !== null || response.status === 429 || response.status >= 500;

/** Takes a cut body for no response; each attempt has a timeout of its own. */
const whole = async (url, request) => {
  const response = await fetch(url, { ...request, signal: AbortSignal.timeout(10_000) });
  return new Response(await response.text(), response);
};

const client = withRetry(whole, {
  retryDelay: (attempt, error, response) =>
    Math.max(300 * 2 ** attempt, 1000 * Number(response?.headers.get('retry-after'))),
});

export async function recipe({ method, url, headers, body, key, look }) {
  const retryOn = async (attempt, error, response) => {
    if (attempt >= 3 || !isPassing(error, response)) return false;
    // A new contact has no key of its own: look whether it was created, before it is sent again.
    return (
      !look || (await client(look, { retryOn: (count, ...told) => count < 3 && isPassing(...told) })).status !== 200
    );
  };
  const own = { ...headers, ...(key && { 'idempotency-key': key }) };
  return client(url, { method, headers: own, body, retryOn });
} // if it throws: keep the request in a queue on disk, and send it later
