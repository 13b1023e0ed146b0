import ky from 'ky';

export const byDefault = ({ method, url, headers, body }) => ky(url, { method, headers, body }).text();

// The recipe
/** Takes a body that is cut for no response. */
const whole = async (request) => {
  const response = await fetch(request);
  return new Response(await response.arrayBuffer(), response);
};

const client = ky.create({
  fetch: whole,
  timeout: 10_000,
  retry: {
    limit: 3,
    methods: ['get', 'patch', 'post'],
    statusCodes: [429, 500, 502, 503, 504],
    afterStatusCodes: [429, 503],
    maxRetryAfter: 60_000,
    retryOnTimeout: true,
    jitter: (delay) => delay * (1 + Math.random() / 4),
  },
});

export async function recipe({ method, url, headers, body, key, look }) {
  const own = { ...headers, ...(key && { 'idempotency-key': key }) };
  const hooks = { beforeRetry: look ? [() => stopIfThere(look)] : [] };
  const response = await client(url, { method, body, headers: own, hooks });
  return response?.text(); // if it throws: keep the request in a queue on disk, and send it later
}

/** A new contact has no key of its own: look whether it was created, before it is sent again. */
async function stopIfThere(look) {
  const { status } = await client(look, { throwHttpErrors: false });
  return status === 200 ? ky.stop : undefined;
}
