/** Draws requests to the service by a seed from the examples that the API description gives. */
import { createHash } from 'node:crypto';
import { Agent, request } from 'node:http';
import { endpoints } from '../src/service/endpoints.ts';
import { calledPath } from '../test/support/examples.ts';
import { pick } from '../test/support/mutations.ts';
import { astrid, bo } from '../test/support/people.ts';

/** Names a point account of the default fixture. */
export const account = '591dbf2c-961c-4f6c-99ed-aec9a3f18487';

export type Dice = () => number;

export interface Call {
  readonly method: string;
  /** Holds path and query, without the prefix of a tenant. */
  readonly path: string;
  /** Is sent as JSON, or as it is if it is a buffer. */
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
}

/** Holds what the client got. */
export interface Answer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly text: string;
}

/** Lists the calls of all examples. */
export const exampleCalls: readonly Call[] = endpoints.flatMap(({ method, path, examples = [] }) =>
  examples.map((example) => ({
    method,
    path: calledPath(path, example),
    ...('body' in example && { body: example.body }),
  })),
);

const fresh: readonly ((n: number) => Call)[] = [
  (n) => ({ method: 'POST', path: '/api/v3/contacts', body: { email: `proof${n}@example.com`, firstName: `F${n}` } }),
  (n) => ({ method: 'PATCH', path: `/api/v3/contacts/${astrid}`, body: { street: `Street ${n}` } }),
  (n) => ({
    method: 'POST',
    path: '/api/v3/point-transactions',
    body: {
      accountId: account,
      amount: n % 90,
      type: 'Addition',
      transactionId: `p-${n}`,
    },
  }),
  (n) => ({
    method: 'POST',
    path: '/api/v3/receipts',
    body: {
      uniqueReceiptId: `r-${n}`,
      createdDate: '2026-03-01T10:00:00Z',
      receiptType: 'Purchase',
      contact: { contactId: bo },
      total: n % 500,
      items: [{ productId: `p${n % 7}`, quantity: 1, totalAmount: n % 500 }],
    },
  }),
];

/** Draws a call: one of the examples, or one that adds something of its own. */
export const drawCall = (dice: Dice, n: number): Call =>
  dice() < 0.5 ? pick(exampleCalls, dice) : pick(fresh, dice)(n);

/** Returns a function that sends calls to a simulator, by as many connections as there are calls at once. */
export function sender(url: string): {
  readonly send: (call: Call, tenant?: string) => Promise<Answer>;
  readonly close: () => void;
} {
  const { hostname, port } = new URL(url);
  const agent = new Agent({ keepAlive: true });
  const send = ({ method, path, body, headers: others }: Call, tenant?: string): Promise<Answer> =>
    new Promise((resolve, reject) => {
      const prefix = tenant === undefined ? '' : `/t/${tenant}`;
      const headers = { apikey: 'proof', ...(body !== undefined && { 'content-type': 'application/json' }), ...others };
      const sent = request({ hostname, port, agent, method, path: `${prefix}${path}`, headers }, (response) => {
        let text = '';
        response.setEncoding('utf8');
        response.on('data', (part: string) => (text += part));
        response.on('error', reject);
        response.on('end', () => resolve({ status: response.statusCode ?? 0, headers: response.headers, text }));
      });
      sent.on('error', reject);
      sent.end(body === undefined || Buffer.isBuffer(body) ? body : JSON.stringify(body));
    });
  return { send, close: () => agent.destroy() };
}

/** Digests what a client can see of a response, without the moment at which the machine sent it. */
export function digest({ status, headers, text }: Answer): string {
  const { date: _, ...own } = headers;
  return createHash('sha256')
    .update(JSON.stringify([status, own, text]))
    .digest('base64');
}
