import xior from 'xior';
import errorRetryPlugin from 'xior/plugins/error-retry';

const plain = xior.create();
plain.plugins.use(errorRetryPlugin());

export const byDefault = ({ method, url, headers, body }) => plain.request({ method, url, headers, data: body });

// The recipe
import { setTimeout as wait } from 'node:timers/promises';

/** Without the plugin: its first retry follows without a pause, whatever Retry-After says. */
const client = xior.create({ timeout: 10_000 });

export async function recipe({ method, url, headers, body, key, look }, attempt = 1) {
  const own = { ...headers, ...(key && { 'idempotency-key': key }) };
  try {
    return await client.request({ method, url, headers: own, data: body });
  } catch (error) {
    const { status, headers: told } = error.response ?? {};
    // What may pass: no response, one that was cut, 429 and 5xx.
    if (attempt === 4 || (status !== 429 && status >= 400 && status < 500)) throw error;
    await wait(Math.max(150 * 2 ** attempt, 1000 * Number(told?.get('retry-after') ?? 0)));
  }
  // A new contact has no key of its own: look whether it was created, before it is sent again.
  const isThere = () => recipe({ method: 'GET', url: look }).catch(({ response }) => response?.status !== 404);
  if (look && (await isThere())) return 'created';
  return recipe({ method, url, headers, body, key, look }, attempt + 1);
} // if it throws: keep the request in a queue on disk, and send it later
