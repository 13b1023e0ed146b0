import { ofetch } from 'ofetch';

export const byDefault = ({ method, url, headers, body }) => ofetch(url, { method, headers, body });

// The recipe
const wait = (ms) => new Promise((resolve) => setTimeout(resolve, ms));

const client = ofetch.create({
  retry: 3,
  retryStatusCodes: [429, 500, 502, 503, 504],
  retryDelay: ({ response, options }) =>
    Math.max(300 * 2 ** (3 - options.retry), 1000 * Number(response?.headers.get('retry-after') ?? 0)),
  timeout: 10_000,
});

/** Ofetch reads the body after its retries: a body that is cut is asked for again here. */
export async function recipe({ method, url, headers, body, key, look }, attempt = 1) {
  const own = { ...headers, ...(key && { 'idempotency-key': key }) };
  try {
    return await client(url, { method, headers: own, body, ...(look && { retry: 0 }) });
  } catch (error) {
    const { status, response } = error;
    if (attempt > 3 || (status !== 429 && status >= 400 && status < 500)) throw error;
    await wait(Math.max(150 * 2 ** attempt, 1000 * Number(response?.headers.get('retry-after') ?? 0)));
  }
  // A new contact has no key of its own: look whether it was created, before it is sent again.
  if (look && (await client.raw(look, { ignoreResponseError: true })).status === 200) return 'created';
  return recipe({ method, url, headers, body, key, look }, attempt + 1);
} // if it throws: keep the request in a queue on disk, and send it later
