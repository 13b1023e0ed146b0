import axios from 'axios';

export const byDefault = ({ method, url, headers, body }) => axios({ method, url, headers, data: body });

// The recipe
import { setTimeout as wait } from 'node:timers/promises';

const client = axios.create({ timeout: 10_000 });
/** No response, one that was cut, 429 and 5xx. */
const isPassing = ({ response: { status } = {} }) => !(status >= 400 && status < 500) || status === 429;
const isThere = async (look) =>
  (await client(look, { validateStatus: (status) => [200, 404].includes(status) })).status === 200;

client.interceptors.response.use(undefined, async (error) => {
  const { config, response } = error;
  const attempt = (config.attempt ?? 1) + 1;
  if (!isPassing(error) || attempt > 4) throw error; // keep the request in a queue on disk, and send it later
  const pause = 150 * 2 ** attempt * (1 + Math.random() / 4);
  await wait(Math.max(pause, 1000 * Number(response?.headers['retry-after'] ?? 0)));
  if (config.look && (await isThere(config.look))) return { status: 201 }; // it was created
  return client({ ...config, attempt });
});

export const recipe = ({ method, url, headers, body, key, look }) =>
  client({ method, url, headers: { ...headers, ...(key && { 'idempotency-key': key }) }, data: body, look });
