/**
 * Opens a point master on a port, and makes webhooks as the service sends them: from the contract, by another's
 * library.
 */
import { createCipheriv, randomBytes, randomUUID } from 'node:crypto';
import { createServer } from 'node:http';
import type { IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Webhook } from 'standardwebhooks';
import { createPointMaster } from '../../src/point-master/point-master.ts';
import type { PointMasterOptions } from '../../src/point-master/options.ts';
import type { PointMaster } from '../../src/point-master/point-master.ts';
import { astrid } from './people.ts';

export const key = '0123456789abcdef0123456789abcdef';
export const secret = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw';

const closing: (() => Promise<unknown>)[] = [];

/** Closes all of them; is to be called after each test. */
export async function closeAll(): Promise<void> {
  await Promise.all(closing.splice(0).map((close) => close()));
}

export interface OpenMaster {
  readonly master: PointMaster;
  readonly url: string;
}

/** Opens a master on a free port, that checks signatures unless an option says otherwise. */
export async function openMaster(options: PointMasterOptions = {}): Promise<OpenMaster> {
  const master = createPointMaster({ key, secret, retryPause: 1, ...options });
  closing.push(master.close);
  const { url } = await master.listen();
  return { master, url };
}

/** Returns what a manual adjustment says, before it is encrypted. */
export const manual = (rest: object = {}) => ({
  contactId: astrid,
  amount: 25,
  description: 'For the long wait',
  source: 'Manual',
  pointDefinitionId: 1,
  userId: '5a0e7c1e-0009-4000-8000-000000000009',
  userName: 'Kim Larsson',
  ...rest,
});

interface Sealed {
  readonly eventType?: string;
  readonly id?: string;
  readonly tenant?: string;
  readonly payload?: object | string;
  readonly encryption?: 'aes-256-cbc' | 'aes-256-gcm' | 'plain';
  readonly key?: string;
  readonly secret?: string;
  readonly family?: 'webhook' | 'svix';
  readonly signedAt?: Date;
  readonly isEncrypted?: boolean;
}

/** Encrypts by A-48: IV in front, for GCM the tag behind, base64url without padding. */
function encrypted(text: string, { key: own = key, encryption = 'aes-256-cbc' }: Sealed): string {
  if (encryption === 'plain') return text;
  if (encryption === 'aes-256-cbc') {
    const iv = randomBytes(16);
    const cipher = createCipheriv(encryption, own, iv);
    return Buffer.concat([iv, cipher.update(text), cipher.final()]).toString('base64url');
  }
  const iv = randomBytes(12);
  const cipher = createCipheriv(encryption, own, iv);
  return Buffer.concat([iv, cipher.update(text), cipher.final(), cipher.getAuthTag()]).toString('base64url');
}

export interface Letter {
  readonly body: string;
  readonly headers: Readonly<Record<string, string>>;
}

/** Returns the body and headers of a webhook. */
export function seal(given: Sealed = {}): Letter {
  const { eventType = 'loyalty.addPoints', id = randomUUID(), tenant = 'default', payload = manual() } = given;
  const text = typeof payload === 'string' ? payload : JSON.stringify(payload);
  const { isEncrypted = given.encryption !== 'plain' } = given;
  const body = JSON.stringify({ eventType, id, payload: encrypted(text, given), tenant, isEncrypted });
  return sign(body, { ...given, id });
}

/** Returns the headers of A-49 for a body. */
export function sign(body: string, given: Sealed = {}): Letter {
  const { id = randomUUID(), signedAt = new Date(), family = 'webhook', secret: own = secret } = given;
  const headers = {
    'content-type': 'application/json',
    [`${family}-id`]: id,
    [`${family}-timestamp`]: String(Math.floor(signedAt.getTime() / 1000)),
    [`${family}-signature`]: new Webhook(own).sign(id, signedAt, body),
  };
  return { body, headers };
}

interface Replied {
  readonly status: number;
  // Tests compare whole bodies; what is in them is up to the test.
  // oxlint-disable-next-line typescript/no-explicit-any
  readonly body: any;
}

export async function call(url: string, init: RequestInit = {}): Promise<Replied> {
  const response = await fetch(url, init);
  return { status: response.status, body: await response.json() };
}

export const send = (url: string, letter: Letter): Promise<Replied> => call(url, { method: 'POST', ...letter });

export const post = (url: string, body: object = {}): Promise<Replied> =>
  call(url, { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) });

/** Describes a request that a service got. */
interface Asked {
  readonly path: string;
  readonly headers: IncomingMessage['headers'];
  readonly body: string;
}

/**
 * Opens somebody else's service: takes balances down, and responds with one given status after the other, then with
 * 202.
 */
export async function openService(statuses: readonly (number | 'reset')[] = []) {
  const asked: Asked[] = [];
  const server = createServer(async (incoming, outgoing) => {
    const chunks: Buffer[] = [];
    for await (const chunk of incoming) chunks.push(chunk);
    const answer = statuses[asked.length] ?? 202;
    asked.push({ path: incoming.url ?? '', headers: incoming.headers, body: Buffer.concat(chunks).toString() });
    if (answer === 'reset') incoming.socket.resetAndDestroy();
    else
      outgoing
        .writeHead(answer)
        .end(JSON.stringify(answer === 202 ? { id: 'sync-1' } : { message: `${answer} it is` }));
  });
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve));
  closing.push(
    async () => server.closeAllConnections(),
    async () => server.close(),
  );
  const { port } = server.address() as AddressInfo;
  const items = (): unknown[] => asked.map(({ body }) => JSON.parse(body));
  return { url: `http://127.0.0.1:${port}`, asked, items };
}
