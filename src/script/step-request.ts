/** Sends a step's request, and tells what came back: an answer, or what was left of it. */
import { monotonicNow } from '../core/time/clock.ts';
import { stepHeader } from '../verdict/history/attempt.ts';
import type { ScriptTarget } from './target.ts';

interface StepRequest {
  readonly method: string;
  readonly path: string;
  readonly query?: Readonly<Record<string, unknown>> | undefined;
  readonly headers?: Readonly<Record<string, string>> | undefined;
  readonly body?: unknown;
}

interface StepRequestOptions {
  readonly step: number;
  /** How long the whole answer may take, in ms. */
  readonly within: number;
  readonly signal: AbortSignal;
}

export interface StepResponse {
  /** Undefined when not even a status came. */
  readonly status: number | undefined;
  readonly headers: Readonly<Record<string, string>>;
  /** Parsed where it is JSON; undefined when it didn't come whole. */
  readonly body: unknown;
  /** What became of the connection, in words that a step may expect; none for a whole answer. */
  readonly networkErrors: readonly string[];
  /** The error for a person: `ECONNRESET (read ECONNRESET)`. */
  readonly broken: string | undefined;
  readonly ms: number;
}

/** Nobody is there any more. */
class UnreachableError extends Error {
  override readonly name = 'NoSimError';
}

export async function sendStepRequest(
  target: ScriptTarget,
  sent: StepRequest,
  options: StepRequestOptions,
): Promise<StepResponse> {
  const started = monotonicNow();
  const signal = AbortSignal.any([options.signal, AbortSignal.timeout(options.within)]);
  const ms = (): number => monotonicNow() - started;
  let response: Response | undefined;
  try {
    response = await fetch(requestOf(target, sent, options.step), { signal, redirect: 'manual' });
    const body = parsed(await response.text());
    return {
      status: response.status,
      headers: headersOf(response),
      body,
      networkErrors: [],
      broken: undefined,
      ms: ms(),
    };
  } catch (error) {
    options.signal.throwIfAborted();
    const code = codeOf(error);
    if (code === 'ECONNREFUSED') throw new UnreachableError(`Nobody answers at ${target.serviceUrl} any more.`);
    const errors = [...(response ? ['truncated'] : []), networkErrorOf(error), 'any'];
    return {
      status: response?.status,
      headers: response ? headersOf(response) : {},
      body: undefined,
      networkErrors: code === 'ECONNRESET' ? [...errors, code] : errors,
      broken: response ? `an answer of status ${response.status} that broke off (${code})` : `no answer (${code})`,
      ms: ms(),
    };
  }
}

function requestOf({ serviceUrl, headers }: ScriptTarget, sent: StepRequest, step: number): Request {
  const query = new URLSearchParams(
    Object.entries(sent.query ?? {}).map(([name, value]): [string, string] => [name, String(value)]),
  );
  const search = query.size === 0 ? '' : `${sent.path.includes('?') ? '&' : '?'}${query}`;
  const body = sent.body === undefined || typeof sent.body === 'string' ? sent.body : JSON.stringify(sent.body);
  return new Request(`${serviceUrl}${sent.path}${search}`, {
    method: sent.method,
    headers: {
      'user-agent': 'loyalty-sim run',
      ...headers,
      ...(body !== undefined && { 'content-type': 'application/json' }),
      ...sent.headers,
      [stepHeader]: String(step),
    },
    ...(body !== undefined && { body }),
  });
}

const headersOf = (response: Response): Record<string, string> => Object.fromEntries(response.headers);

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text === '' ? undefined : text;
  }
}

type Cause = Partial<Record<'name' | 'code' | 'message', string>>;

/** fetch says what happened only in its cause. */
const causeOf = (error: unknown): Cause => (error as { readonly cause?: Cause } | undefined)?.cause ?? {};

function codeOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  if (error.name === 'TimeoutError') return 'timeout';
  const { code, message } = causeOf(error);
  return code ?? message ?? error.message;
}

function networkErrorOf(error: unknown): string {
  const code = codeOf(error);
  if (code === 'timeout') return 'timeout';
  if (code === 'ECONNRESET') return 'reset';
  // Since Node 24 an error of the parser has no code.
  return causeOf(error).name === 'HTTPParserError' ? 'invalid' : 'closed';
}
