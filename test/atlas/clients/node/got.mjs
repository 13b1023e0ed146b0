import got from 'got';

export const byDefault = ({ method, url, headers, body }) => got(url, { method, headers, body }).text();

// The recipe
const client = got.extend({
  timeout: { request: 10_000 },
  throwHttpErrors: true,
  retry: {
    limit: 3,
    methods: ['GET', 'PATCH', 'POST'],
    statusCodes: [429, 500, 502, 503, 504],
    maxRetryAfter: 60_000,
    backoffLimit: 10_000,
  },
});

export const recipe = ({ method, url, headers, body, key, look }) =>
  client(url, {
    method,
    body,
    headers: { ...headers, ...(key && { 'idempotency-key': key }) },
    hooks: { beforeRetry: look ? [() => stopIfThere(look)] : [] },
  }).text(); // if it throws: keep the request in a queue on disk, and send it later

/** A new contact has no key of its own: look whether it was created, before it is sent again. */
async function stopIfThere(look) {
  const { statusCode } = await client(look, { throwHttpErrors: false });
  if (statusCode === 200) throw new Error('it was created');
}
