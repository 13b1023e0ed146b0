import axios from 'axios';
import * as rax from 'retry-axios';

const plain = axios.create();
plain.defaults.raxConfig = { retry: 3 };
rax.attach(plain);

export const byDefault = ({ method, url, headers, body }) => plain({ method, url, headers, data: body });

// The recipe
const client = axios.create({ timeout: 10_000 });
rax.attach(client);

const isPassing = ({ response: { status } = {} }) => !(status >= 400 && status < 500) || status === 429;

export function recipe({ method, url, headers, body, key, look }) {
  const raxConfig = {
    retry: 3,
    noResponseRetries: 3,
    backoffType: 'exponential',
    retryDelay: 300,
    shouldRetry: (error) => isPassing(error) && (rax.getConfig(error)?.currentRetryAttempt ?? 0) < 3,
    // A new contact has no key of its own: look whether it was created, before it is sent again.
    onRetryAttempt: async () => {
      if (look && (await recipe({ method: 'GET', url: look }).catch(({ response }) => response))?.status === 200)
        throw new Error('it was created');
    },
  };
  const own = { ...headers, ...(key && { 'idempotency-key': key }) };
  return client({ method, url, headers: own, data: body, raxConfig });
} // if it throws: keep the request in a queue on disk, and send it later
