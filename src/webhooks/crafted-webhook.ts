/** Composes webhooks by hand, right or with something wrong, and sends them: to see how a receiver takes them. */
import { request as requestHttp } from 'node:http';
import type { ClientRequest, IncomingMessage } from 'node:http';
import { request as requestHttps } from 'node:https';
import { monotonicNow, startTimer, systemNow } from '../core/time/clock.ts';
import type { Instant } from '../core/time/clock.ts';
import type { WebhookSettings } from '../core/tenant/settings.ts';
import { seededBytes } from '../core/lib/random.ts';
import { encryptEnvelopePayload, envelopeProfile, signHeaders } from './envelope.ts';
import { responseTimeout } from './retry-schedule.ts';
import { describeNetworkError } from './sender.ts';

/** Describes what the service and the receiver have agreed on. */
export interface WebhookAgreement {
  readonly tenant: string;
  readonly assumptions: Readonly<Record<string, string>>;
  readonly webhook: Pick<WebhookSettings, 'url' | 'key' | 'secret'>;
}

/** Describes one webhook, before it is encrypted and signed. */
export interface CraftedWebhook {
  readonly id: string;
  readonly eventType: string;
  /** A text is encrypted as it is, anything else as JSON. */
  readonly payload: object | string;
  /** Holds further fields of the envelope. */
  readonly envelope?: object;
}

export const isEncrypted = ({ assumptions, webhook: { key } }: WebhookAgreement): boolean =>
  key !== undefined && envelopeProfile(assumptions['A-48'] ?? 'default') !== 'plain';

/** Returns the body of a webhook; `key` encrypts it in place of the key that was agreed on. */
export function composeBody(
  agreement: WebhookAgreement,
  { id, eventType, payload, envelope }: CraftedWebhook,
  key = agreement.webhook.key ?? '',
): string {
  const { tenant, assumptions } = agreement;
  const rest = { tenant, isEncrypted: isEncrypted(agreement), ...envelope };
  if (!rest.isEncrypted) return JSON.stringify({ eventType, id, payload, ...rest });
  const text = typeof payload === 'string' ? payload : JSON.stringify(payload);
  const profile = envelopeProfile(assumptions['A-48'] ?? 'default');
  const encrypted = encryptEnvelopePayload(text, { key, profile, seed: seededBytes(0, id, 16) });
  return JSON.stringify({ eventType, id, payload: encrypted, ...rest });
}

interface SignatureOptions {
  readonly id: string;
  readonly body: string;
  /** Signs in place of the secret that was agreed on. */
  readonly secret?: string | undefined;
  /** Holds the moment of the signature (default: now). */
  readonly at?: Instant | undefined;
}

/** Returns the headers that sign a body; none if no secret was agreed on. */
export function composeHeaders(
  { webhook }: WebhookAgreement,
  { id, body, secret = webhook.secret, at = systemNow() }: SignatureOptions,
): Record<string, string> {
  return webhook.secret === undefined || secret === undefined ? {} : signHeaders({ id, at, body, secret });
}

/** `cut`: the connection ends in the middle of the body. `unread`: it is reset before the response could be read. */
export type Transmission = 'whole' | 'cut' | 'unread';

export interface SentWebhook {
  /** Is absent when no response was read. */
  readonly status?: number;
  /** Holds the beginning of the response's body. */
  readonly body?: string;
  /** Says why none was. */
  readonly error?: string;
  /** Holds the duration, in ms. */
  readonly ms: number;
}

interface Letter {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
  readonly transmission?: Transmission | undefined;
}

/** Sends a webhook once. Never throws: what went wrong is part of the result. */
export async function sendCraftedWebhook(letter: Letter): Promise<SentWebhook> {
  const started = monotonicNow();
  try {
    return { ...(await transmit(letter)), ms: monotonicNow() - started };
  } catch (error) {
    return { error: describeNetworkError(error), ms: monotonicNow() - started };
  }
}

/** So long a receiver has the whole request before its connection is reset, unless it responds sooner, in ms. */
const unreadAfter = 300;

/** So long it has half of a body before the connection ends, in ms. */
const cutAfter = 50;

/** Limits what is kept of a response's body, in characters. */
const maxBody = 1000;

type ReadResponse = Pick<SentWebhook, 'status' | 'body'>;

function transmit({ url, headers, body, transmission = 'whole' }: Letter): Promise<ReadResponse> {
  const request = new URL(url).protocol === 'https:' ? requestHttps : requestHttp;
  const bytes = Buffer.from(body);
  const sent = {
    'content-type': 'application/json; charset=utf-8',
    'content-length': String(bytes.length),
    ...headers,
  };
  return new Promise((resolve, reject) => {
    const isWhole = transmission === 'whole';
    // On a connection of its own: one that was idle may be about to be closed.
    const outgoing = request(url, { method: 'POST', headers: sent, agent: false });
    const timers: (() => void)[] = [];
    const after = (time: number, work: () => void): void => void timers.push(startTimer(time, work));
    const settle = <Value>(done: (value: Value) => void, value: Value): void => {
      for (const cancel of timers) cancel();
      done(value);
    };
    const breakOff = (): void => {
      outgoing.destroy();
      settle(resolve, {});
    };
    after(responseTimeout, () => {
      settle(reject, new Error(`no response within ${responseTimeout / 1000} s`));
      outgoing.destroy();
    });
    outgoing.once('error', (error) => settle(reject, error));
    outgoing.once('response', (response: IncomingMessage) => {
      if (!isWhole) return breakOff();
      let text = '';
      response.setEncoding('utf8').on('data', (part: string) => (text = (text + part).slice(0, maxBody)));
      response.once('end', () => settle(resolve, { status: response.statusCode ?? 0, body: text }));
      response.once('error', (error) => settle(reject, error));
      return undefined;
    });
    write(outgoing, { bytes, isCut: transmission === 'cut' });
    if (!isWhole) after(transmission === 'cut' ? cutAfter : unreadAfter, breakOff);
  });
}

function write(outgoing: ClientRequest, { bytes, isCut }: { readonly bytes: Buffer; readonly isCut: boolean }): void {
  if (isCut) outgoing.write(bytes.subarray(0, bytes.length / 2));
  else outgoing.end(bytes);
}
