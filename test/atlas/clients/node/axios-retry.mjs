import axios from 'axios';
import axiosRetry from 'axios-retry';

const plain = axios.create();
axiosRetry(plain, { retries: 3 });

export const byDefault = ({ method, url, headers, body }) => plain({ method, url, headers, data: body });

// The recipe
const client = axios.create({ timeout: 10_000 });

axiosRetry(client, {
  retries: 3,
  shouldResetTimeout: true,
  // No response, one that was cut, 429 and 5xx.
  retryCondition: ({ response: { status } = {} }) => !(status >= 400 && status < 500) || status === 429,
  retryDelay: (count, error) => Math.max(150 * 2 ** count, 1000 * Number(error.response?.headers['retry-after'] ?? 0)),
  // A new contact has no key of its own: look whether it was created, before it is sent again.
  onRetry: async (count, error, { look }) => {
    if (!look) return;
    const { status } = await client(look, { validateStatus: (one) => one === 200 || one === 404 });
    if (status === 200) throw new Error('it was created');
  },
});

export const recipe = ({ method, url, headers, body, key, look }) =>
  client({ method, url, headers: { ...headers, ...(key && { 'idempotency-key': key }) }, data: body, look });
// If it throws: keep the request in a queue on disk, and send it later.
