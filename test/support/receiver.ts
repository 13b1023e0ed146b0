/** Opens the other end of a webhook: takes down what comes, and responds with what a test says. */
import { createServer } from 'node:http';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createDecipheriv } from 'node:crypto';

export const webhookKey = '0123456789abcdef0123456789abcdef';

/** Describes a request of the webhook as it came. */
export interface Received {
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
  // Tests compare whole envelopes; what is in them is up to the test.
  // oxlint-disable-next-line typescript/no-explicit-any
  readonly envelope: any;
}

/** Says what to do about the n-th request: a status, or anything else with its connection. */
type Script = (n: number, received: Received, response: ServerResponse) => number | undefined;

export interface Receiver {
  readonly url: string;
  readonly received: Received[];
  /** Resolves when so many calls have come. */
  readonly atLeast: (count: number) => Promise<void>;
  readonly close: () => Promise<void>;
}

const open = new Set<Receiver>();

async function bodyOf(request: IncomingMessage): Promise<string> {
  let text = '';
  for await (const part of request) text += String(part);
  return text;
}

/** Listens on a free port; 200 to everything unless the script says otherwise. */
export async function openReceiver(script: Script = () => 200): Promise<Receiver> {
  const received: Received[] = [];
  let waiting: (() => void)[] = [];
  const server = createServer((request, response) => {
    void bodyOf(request).then((body) => {
      const call = { headers: request.headers as Record<string, string>, body, envelope: JSON.parse(body) };
      received.push(call);
      const status = script(received.length, call, response);
      if (status !== undefined) response.writeHead(status).end();
      for (const look of waiting) look();
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const receiver: Receiver = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/hook`,
    received,
    atLeast: (count) =>
      new Promise((resolve) => {
        const look = (): void => {
          if (received.length < count) return;
          waiting = waiting.filter((other) => other !== look);
          resolve();
        };
        waiting.push(look);
        look();
      }),
    close: () =>
      new Promise((resolve) => {
        open.delete(receiver);
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
  open.add(receiver);
  return receiver;
}

/** Closes all receivers; is to be called after each test. */
export async function closeReceivers(): Promise<void> {
  for (const receiver of open) await receiver.close();
}

/**
 * Decrypts a payload as somebody would who knows no more than A-48: AES-256-CBC, PKCS#7, 16 random bytes of IV in
 * front, base64url without padding; the key is a 32-character string, its UTF-8 bytes.
 */
export function decryptAsTold(payload: string, key = webhookKey): unknown {
  const bytes = Buffer.from(payload, 'base64url');
  const decipher = createDecipheriv('aes-256-cbc', Buffer.from(key, 'utf8'), bytes.subarray(0, 16));
  return JSON.parse(Buffer.concat([decipher.update(bytes.subarray(16)), decipher.final()]).toString('utf8'));
}
