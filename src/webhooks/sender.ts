/** Calls the webhook once, as the only part that knows the network. Loaded when something is first sent. */
import { Agent as HttpAgent, request as requestHttp } from 'node:http';
import type { IncomingMessage } from 'node:http';
import { Agent as HttpsAgent, request as requestHttps } from 'node:https';
import { startTimer, systemNow, monotonicNow } from '../core/time/clock.ts';
import type { WebhookAttempt, WebhookFault } from '../core/tenant/webhook-outbox.ts';
import { signHeaders } from './envelope.ts';
import { deriveSecret } from './keys.ts';
import { tamperPayload, buildWebhookBody } from './webhook-body.ts';
import type { OutgoingWebhook } from './webhook-body.ts';
import { responseTimeout } from './retry-schedule.ts';

export type SendResult = Pick<WebhookAttempt, 'ms' | 'status' | 'error' | 'fault'>;

/** A connection that was idle for longer is not used again: its other end may be about to close it. */
const agentOptions = { keepAlive: true, timeout: 1000 };
const httpAgent = new HttpAgent(agentOptions);
const httpsAgent = new HttpsAgent(agentOptions);

/** More of a response that is no success than this is of no interest, in characters. */
const maxBody = 200;

interface Sending extends OutgoingWebhook {
  /** Holds the `user-agent` of the request. */
  readonly userAgent: string;
  readonly signal: AbortSignal;
  /** Holds the fault that hits the attempt. */
  readonly fault?: WebhookFault | undefined;
}

/** Holds a key that no point master has. */
const wrongKey = 'not-the-key-of-any-point-master!';

/** Makes one attempt, or two of what is sent twice. Never throws: what went wrong is part of the results. */
export async function sendWebhook({ fault, ...outgoing }: Sending): Promise<readonly [SendResult, ...SendResult[]]> {
  switch (fault?.kind) {
    case 'drop':
      return [{ ms: 0, error: 'it was dropped on purpose and not sent', fault: 'drop' }];
    case 'duplicate':
      return [await sendOnce(outgoing), { ...(await sendOnce(outgoing)), fault: 'duplicate' }];
    case 'tamper':
      return [{ ...(await sendOnce(outgoing, tamperPayload)), fault: 'tamper' }];
    case 'wrong-key':
      return [{ ...(await sendOnce(encryptedWith(wrongKey, outgoing))), fault: 'wrong-key' }];
    case 'rotated-key':
      return [{ ...(await sendOnce(rotatedTo(fault.key, outgoing))), fault: 'rotated-key' }];
    default:
      return [await sendOnce(outgoing)];
  }
}

type Attempted = Omit<Sending, 'fault'>;

/** Uses another key, and encrypts even if payloads are not. */
function encryptedWith(key: string, { webhook, assumptions, ...rest }: Attempted): Attempted {
  const { 'A-48': profile = 'default' } = assumptions;
  const other = profile === 'plain' ? 'default' : profile;
  return { ...rest, webhook: { ...webhook, key }, assumptions: { ...assumptions, 'A-48': other } };
}

/** A secret that followed from the key follows from the new one. */
function rotatedTo(key: string, outgoing: Attempted): Attempted {
  const { webhook } = outgoing;
  const isDerived = webhook.key !== undefined && webhook.secret === deriveSecret(webhook.key);
  const secret = isDerived ? deriveSecret(key) : webhook.secret;
  return encryptedWith(key, { ...outgoing, webhook: { ...webhook, secret } });
}

async function sendOnce(
  { signal, ...outgoing }: Attempted,
  onTheWay: (body: string) => string = (body) => body,
): Promise<SendResult> {
  const { webhook, delivery, userAgent } = outgoing;
  const started = monotonicNow();
  const took = (): number => Math.round((monotonicNow() - started) * 10) / 10;
  try {
    const signed = buildWebhookBody(outgoing);
    const body = onTheWay(signed);
    const headers = {
      'content-type': 'application/json; charset=utf-8',
      'user-agent': userAgent,
      'content-length': String(Buffer.byteLength(body)),
      ...(webhook.secret !== undefined &&
        signHeaders({ id: delivery.id, at: systemNow(), body: signed, secret: webhook.secret })),
    };
    const response = await post({ url: webhook.url, headers, body, signal });
    return { ms: took(), ...response };
  } catch (error) {
    return { ms: took(), error: describeNetworkError(error) };
  }
}

interface PostRequest {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
  readonly signal: AbortSignal;
}

type PostResponse = Pick<WebhookAttempt, 'status' | 'error'>;

function post({ url, headers, body, signal }: PostRequest): Promise<PostResponse> {
  const isSecure = new URL(url).protocol === 'https:';
  const [request, agent] = isSecure ? [requestHttps, httpsAgent] : [requestHttp, httpAgent];
  return new Promise((resolve, reject) => {
    const outgoing = request(url, { method: 'POST', headers, agent, signal });
    const cancel = startTimer(responseTimeout, () => {
      // Before the connection ends: its end is then no news.
      reject(new Error(`no response within ${responseTimeout / 1000} s`));
      outgoing.destroy();
    });
    outgoing.once('response', (response) => read(response).then(resolve, reject).finally(cancel));
    outgoing.once('error', (error) => {
      cancel();
      reject(error);
    });
    outgoing.end(body);
  });
}

/** Reads a response to its end, so that its connection can be used again. */
async function read(response: IncomingMessage): Promise<PostResponse> {
  const { statusCode: status = 0 } = response;
  let text = '';
  for await (const part of response) if (text.length < maxBody) text += String(part);
  if (status >= 200 && status < 300) return { status };
  const said = text.trim().slice(0, maxBody);
  return { status, error: said === '' ? `responded with ${status}` : `responded with ${status}: ${said}` };
}

const reasons: Readonly<Record<string, string>> = {
  ECONNREFUSED: 'nobody listens there',
  ECONNRESET: 'the connection was reset',
  ENOTFOUND: 'there is no such host',
  EPIPE: 'the connection was closed',
};

/** Describes why no response came. */
export function describeNetworkError(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const code = 'code' in error ? String(error.code) : '';
  return reasons[code] ?? error.message;
}
