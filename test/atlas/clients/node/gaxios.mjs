import { request } from 'gaxios';

export const byDefault = ({ method, url, headers, body }) => request({ method, url, headers, data: body, retry: true });

// The recipe
const isPassing = ({ status, response }) => status === undefined || status === 429 || status >= 500 || response?.ok;

export async function recipe({ method, url, headers, body, key, look }) {
  const retryConfig = {
    retry: 3,
    noResponseRetries: 3,
    retryDelay: 300,
    shouldRetry: async ({ status, response, config }) => {
      const attempt = (config.retryConfig.currentRetryAttempt ?? 0) + 1;
      if (attempt > 3 || !isPassing({ status, response })) return false;
      await wait(1000 * Number(response?.headers.get('retry-after') ?? 0));
      // A new contact has no key of its own: look whether it was created, before it is sent again.
      return (
        !look ||
        (await recipe({ method: 'GET', url: look }).catch(({ status: one }) => ({ status: one }))).status === 404
      );
    },
  };
  const own = { ...headers, ...(key && { 'idempotency-key': key }) };
  return request({ method, url, headers: own, data: body, timeout: 10_000, retryConfig });
} // if it throws: keep the request in a queue on disk, and send it later

const wait = (ms) => new Promise((resolve) => setTimeout(resolve, ms));
