import { Agent, RetryAgent, request } from 'undici';

const plain = new RetryAgent(new Agent());

export async function byDefault({ method, url, headers, body }) {
  const response = await request(url, { method, headers, body, dispatcher: plain });
  return response.body.text();
}

// The recipe
const agent = new Agent({ headersTimeout: 10_000, bodyTimeout: 10_000 });
const client = new RetryAgent(agent, {
  maxRetries: 3,
  minTimeout: 300,
  methods: ['GET', 'PATCH', 'POST'],
  statusCodes: [429, 500, 502, 503, 504],
  errorCodes: ['ECONNRESET', 'ECONNREFUSED', 'ETIMEDOUT', 'EPIPE', 'UND_ERR_SOCKET', 'UND_ERR_HEADERS_TIMEOUT'],
});

/** Sends a request with its key, again and again; a new contact, which has none, by `create`. */
export async function recipe({ method, url, headers, body, key, look }) {
  if (look) return create({ url, headers, body, look });
  const own = { ...headers, ...(key && { 'idempotency-key': key }) };
  const response = await request(url, { method, headers: own, body, dispatcher: client });
  return response.body.text(); // if it throws: keep the request in a queue on disk, and send it later
}

async function create({ url, headers, body, look }) {
  const { status, pause = 300 } = await once({ url, headers, body }).catch(() => ({}));
  if (status !== 429 && status < 500) return status;
  await new Promise((resolve) => setTimeout(resolve, pause));
  const found = await request(look, { dispatcher: client });
  return found.statusCode === 200 ? 201 : create({ url, headers, body, look });
}

async function once({ url, headers, body }) {
  const response = await request(url, { method: 'POST', headers, body, dispatcher: agent });
  await response.body.text();
  return { status: response.statusCode, pause: Math.max(300, 1000 * Number(response.headers['retry-after'] ?? 0)) };
}
