/** Sends requests of a generated client, in process or by connections of its own, and hangs up on what hangs. */
import { Agent, request } from 'node:http';
import type { Exchange } from '../../../src/core/exchange/exchange.ts';
import type { SimTenant } from '../../../src/simulator/tenant-handle.ts';
import { timeout } from './plan.ts';
import type { Stagehand } from './stagehand.ts';

export interface Sent {
  readonly method: string;
  readonly path: string;
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
}

export interface Received {
  readonly status: number;
  // It is what the service says.
  // oxlint-disable-next-line typescript/no-explicit-any
  readonly body: any;
  /** In ms. */
  readonly retryAfter: number;
}

export interface Transport {
  /** Resolves to nothing when no whole response comes. */
  readonly exchange: (sent: Sent) => Promise<Received | undefined>;
  readonly kill: () => void;
}

interface TransportOptions {
  readonly tenant: SimTenant;
  readonly stagehand: Stagehand;
  readonly headers: Readonly<Record<string, string>>;
  /** How many connections its pool has; in process without. */
  readonly connections: number | undefined;
}

type Fetch = (sent: Sent, signal: AbortSignal) => Promise<Received>;

export function openTransport({ tenant, stagehand, headers, connections }: TransportOptions): Transport {
  const agent = new Agent(connections ? { keepAlive: true, maxSockets: connections } : { keepAlive: false });
  const fetch = connections === undefined ? inProcess(tenant) : overHttp(tenant.url ?? '', agent);
  const exchange: Transport['exchange'] = async (sent) => {
    const hangingUp = new AbortController();
    const all = { ...headers, ...(sent.body !== undefined && { 'content-type': 'application/json' }), ...sent.headers };
    const progress = { isOver: false };
    const received = fetch({ ...sent, headers: all }, hangingUp.signal)
      .catch(() => undefined)
      .finally(() => (progress.isOver = true));
    for (let turn = 0; !progress.isOver; turn++) {
      await new Promise((resolve) => (turn < 20 ? setImmediate(resolve) : setTimeout(resolve, 2)));
      if (turn >= 20 && !progress.isOver && hangs(tenant, sent)) {
        // On a clock that is moved, the time for which a response hung counts as a pause: reads are not worth it.
        if (sent.method !== 'GET') await stagehand.pass(timeout);
        hangingUp.abort();
        await new Promise((resolve) => setImmediate(resolve));
        return undefined;
      }
    }
    return received;
  };
  return { exchange, kill: () => agent.destroy() };
}

/** The newest requests, of which a client sends two at once at the most. */
const newest = 2;

/** True when such a request is left hanging. */
const hangs = (tenant: SimTenant, { method, path }: Sent): boolean =>
  tenant
    .requests()
    .slice(-newest)
    .some(
      (one) => one.fault?.fault.end === 'hang' && one.method === method && path.startsWith(one.path) && isOpen(one),
    );

const isOpen = ({ delivered }: Exchange): boolean => delivered?.end !== 'client-aborted';

const received = (status: number, text: string, retryAfter: string | null | undefined): Received => ({
  status,
  body: text === '' ? undefined : JSON.parse(text),
  retryAfter: Number(retryAfter ?? 0) * 1000,
});

const inProcess =
  (tenant: SimTenant): Fetch =>
  async ({ method, path, body, headers }, signal) => {
    const sent = {
      method,
      signal,
      ...(headers && { headers }),
      ...(body !== undefined && { body: JSON.stringify(body) }),
    };
    const response = await tenant.fetch(path, sent);
    return received(response.status, await response.text(), response.headers.get('retry-after'));
  };

const overHttp =
  (base: string, agent: Agent): Fetch =>
  ({ method, path, body, headers }, signal) =>
    new Promise((resolve, reject) => {
      const sent = request(`${base}${path}`, { method, agent, signal, ...(headers && { headers }) }, (response) => {
        const chunks: Buffer[] = [];
        response.on('data', (chunk: Buffer) => chunks.push(chunk));
        response.on('error', reject);
        response.on('end', () => {
          try {
            resolve(
              received(response.statusCode ?? 0, Buffer.concat(chunks).toString(), response.headers['retry-after']),
            );
          } catch (error) {
            reject(error);
          }
        });
      });
      sent.on('error', reject);
      sent.end(body === undefined ? undefined : JSON.stringify(body));
    });
