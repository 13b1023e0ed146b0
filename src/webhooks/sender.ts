/** One call of the webhook: the only part that knows the network. Loaded when something is first sent. */
import { Agent as HttpAgent, request as requestHttp } from 'node:http';
import type { IncomingMessage } from 'node:http';
import { Agent as HttpsAgent, request as requestHttps } from 'node:https';
import { after, machineNow } from '../core/clock.ts';
import type { Attempt } from '../core/deliveries.ts';
import { version } from '../package.ts';
import { sign } from './envelope.ts';
import { bodyOf } from './outgoing.ts';
import type { Outgoing } from './outgoing.ts';
import { answerTime } from './retries.ts';

export type Result = Pick<Attempt, 'status' | 'error'>;

/** A connection that was idle for longer is not used again: its other end may be about to close it. */
const agentOptions = { keepAlive: true, timeout: 1000 };
const httpAgent = new HttpAgent(agentOptions);
const httpsAgent = new HttpsAgent(agentOptions);

/** More of an answer that is no success than this is of no interest, in characters. */
const maxAnswer = 200;

/** Sends a delivery once. Never throws: what went wrong is part of the result. */
export async function send(outgoing: Outgoing & { readonly signal: AbortSignal }): Promise<Result> {
  const { webhook, delivery, signal } = outgoing;
  try {
    const body = bodyOf(outgoing);
    const headers = {
      'content-type': 'application/json; charset=utf-8',
      'user-agent': `loyalty-sim/${version()}`,
      'content-length': String(Buffer.byteLength(body)),
      ...(webhook.secret !== undefined && sign({ id: delivery.id, at: machineNow(), body, secret: webhook.secret })),
    };
    return await post({ url: webhook.url, headers, body, signal });
  } catch (error) {
    return { error: wordsOf(error) };
  }
}

interface Call {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
  readonly signal: AbortSignal;
}

function post({ url, headers, body, signal }: Call): Promise<Result> {
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
async function read(answer: IncomingMessage): Promise<Result> {
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
