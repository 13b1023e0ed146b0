/** One call of the webhook: the only part that knows the network. Loaded when something is first sent. */
import { Agent as HttpAgent, request as requestHttp } from 'node:http';
import type { IncomingMessage } from 'node:http';
import { Agent as HttpsAgent, request as requestHttps } from 'node:https';
import { after, machineNow, monotonic } from '../core/clock.ts';
import type { Attempt, DeliveryFault } from '../core/deliveries.ts';
import { version } from '../package.ts';
import { sign } from './envelope.ts';
import { secretOfKey } from './keys.ts';
import { altered, bodyOf } from './outgoing.ts';
import type { Outgoing } from './outgoing.ts';
import { answerTime } from './retries.ts';

export type Result = Pick<Attempt, 'ms' | 'status' | 'error' | 'fault'>;

/** A connection that was idle for longer is not used again: its other end may be about to close it. */
const agentOptions = { keepAlive: true, timeout: 1000 };
const httpAgent = new HttpAgent(agentOptions);
const httpsAgent = new HttpsAgent(agentOptions);

/** More of an answer that is no success than this is of no interest, in characters. */
const maxAnswer = 200;

interface Sending extends Outgoing {
  readonly signal: AbortSignal;
  /** What goes wrong with it on purpose. */
  readonly fault?: DeliveryFault | undefined;
}

/** A key that nobody has. */
const wrongKey = 'not-the-key-of-any-point-master!';

/** Makes one attempt, or two of what is sent twice. Never throws: what went wrong is part of the results. */
export async function send({ fault, ...outgoing }: Sending): Promise<readonly [Result, ...Result[]]> {
  switch (fault?.kind) {
    case 'drop':
      return [{ ms: 0, error: 'it was dropped on purpose and not sent', fault: 'drop' }];
    case 'duplicate':
      return [await sendOnce(outgoing), { ...(await sendOnce(outgoing)), fault: 'duplicate' }];
    case 'tamper':
      return [{ ...(await sendOnce(outgoing, altered)), fault: 'tamper' }];
    case 'wrong-key':
      return [{ ...(await sendOnce(encryptedWith(wrongKey, outgoing))), fault: 'wrong-key' }];
    case 'rotated-key':
      return [{ ...(await sendOnce(rotatedTo(fault.key, outgoing))), fault: 'rotated-key' }];
    default:
      return [await sendOnce(outgoing)];
  }
}

type Attempted = Omit<Sending, 'fault'>;

/** With another key, and encrypted even if payloads are not. */
function encryptedWith(key: string, { webhook, assume, ...rest }: Attempted): Attempted {
  const { 'A-48': profile = 'default' } = assume;
  const other = profile === 'plain' ? 'default' : profile;
  return { ...rest, webhook: { ...webhook, key }, assume: { ...assume, 'A-48': other } };
}

/** A secret that followed from the key follows from the new one. */
function rotatedTo(key: string, outgoing: Attempted): Attempted {
  const { webhook } = outgoing;
  const isDerived = webhook.key !== undefined && webhook.secret === secretOfKey(webhook.key);
  const secret = isDerived ? secretOfKey(key) : webhook.secret;
  return encryptedWith(key, { ...outgoing, webhook: { ...webhook, secret } });
}

async function sendOnce(
  { signal, ...outgoing }: Attempted,
  onTheWay: (body: string) => string = (body) => body,
): Promise<Result> {
  const { webhook, delivery } = outgoing;
  const started = monotonic();
  const took = (): number => Math.round((monotonic() - started) * 10) / 10;
  try {
    const signed = bodyOf(outgoing);
    const body = onTheWay(signed);
    const headers = {
      'content-type': 'application/json; charset=utf-8',
      'user-agent': `loyalty-sim/${version()}`,
      'content-length': String(Buffer.byteLength(body)),
      ...(webhook.secret !== undefined &&
        sign({ id: delivery.id, at: machineNow(), body: signed, secret: webhook.secret })),
    };
    const answered = await post({ url: webhook.url, headers, body, signal });
    return { ms: took(), ...answered };
  } catch (error) {
    return { ms: took(), error: wordsOf(error) };
  }
}

interface Call {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
  readonly signal: AbortSignal;
}

type Answer = Pick<Attempt, 'status' | 'error'>;

function post({ url, headers, body, signal }: Call): Promise<Answer> {
  const isSecure = new URL(url).protocol === 'https:';
  const [request, agent] = isSecure ? [requestHttps, httpsAgent] : [requestHttp, httpAgent];
  return new Promise((resolve, reject) => {
    const outgoing = request(url, { method: 'POST', headers, agent, signal });
    const cancel = after(answerTime, () => {
      // Before the connection ends: its end is then no news.
      reject(new Error(`no answer within ${answerTime / 1000} s`));
      outgoing.destroy();
    });
    outgoing.once('response', (answer) => read(answer).then(resolve, reject).finally(cancel));
    outgoing.once('error', (error) => {
      cancel();
      reject(error);
    });
    outgoing.end(body);
  });
}

/** Reads an answer to its end, so that its connection can be used again. */
async function read(answer: IncomingMessage): Promise<Answer> {
  const { statusCode: status = 0 } = answer;
  let text = '';
  for await (const part of answer) if (text.length < maxAnswer) text += String(part);
  if (status >= 200 && status < 300) return { status };
  const said = text.trim().slice(0, maxAnswer);
  return { status, error: said === '' ? `answered ${status}` : `answered ${status}: ${said}` };
}

const reasons: Readonly<Record<string, string>> = {
  ECONNREFUSED: 'nobody listens there',
  ECONNRESET: 'the connection was reset',
  ENOTFOUND: 'there is no such host',
  EPIPE: 'the connection was closed',
};

function wordsOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const code = 'code' in error ? String(error.code) : '';
  return reasons[code] ?? error.message;
}
