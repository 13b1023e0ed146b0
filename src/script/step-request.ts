/** Sends a step's request, and returns the response or what was left of it. */
import { timeLimit } from '../core/lib/limited-fetch.ts';
import { monotonicNow } from '../core/time/clock.ts';
import { stepHeader } from '../verdict/history/attempt.ts';

interface AdminRequest {
  readonly method?: 'GET' | 'POST' | 'DELETE';
  readonly query?: Readonly<Record<string, string>>;
  readonly body?: unknown;
  readonly signal?: AbortSignal;
}

/** Describes the tenant of a simulator against which a script runs, reached by HTTP alone. */
export interface ScriptTarget {
  /** Holds the base URL of requests. */
  readonly serviceUrl: string;
  /** Holds the headers that are sent with every request: the API key. */
  readonly headers: Readonly<Record<string, string>>;
  /** Sends a request about the tenant to the control API. Throws `InputError` when the API rejects the request. */
  readonly admin: (path: string, request?: AdminRequest) => Promise<unknown>;
}

interface StepRequest {
  readonly method: string;
  readonly path: string;
  readonly query?: Readonly<Record<string, unknown>> | undefined;
  readonly headers?: Readonly<Record<string, string>> | undefined;
  readonly body?: unknown;
}

interface StepRequestOptions {
  readonly step: number;
  /** Holds the time limit for the whole response, in ms. */
  readonly within: number;
  readonly signal: AbortSignal;
}

export interface StepResponse {
  /** Is undefined without a status line. */
  readonly status: number | undefined;
  readonly headers: Readonly<Record<string, string>>;
  /** Is parsed if it is JSON, and undefined when it is incomplete. */
  readonly body: unknown;
  /** Holds the network errors that a step may expect; none for a complete response. */
  readonly networkErrors: readonly string[];
  /** Holds the error for a person: `ECONNRESET (read ECONNRESET)`. */
  readonly broken: string | undefined;
  readonly ms: number;
}

class UnreachableError extends Error {
  override readonly name = 'UnreachableError';
}

export async function sendStepRequest(
  target: ScriptTarget,
  sent: StepRequest,
  options: StepRequestOptions,
): Promise<StepResponse> {
  const started = monotonicNow();
  const { signal, clear } = timeLimit(options.within, options.signal);
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
    if (code === 'ECONNREFUSED') throw new UnreachableError(`Nothing listens at ${target.serviceUrl} any more.`);
    const errors = [...(response ? ['truncated'] : []), networkErrorOf(error), 'any'];
    return {
      status: response?.status,
      headers: response ? headersOf(response) : {},
      body: undefined,
      networkErrors: code === 'ECONNRESET' ? [...errors, code] : errors,
      broken: response ? `a truncated response of status ${response.status} (${code})` : `no response (${code})`,
      ms: ms(),
    };
  } finally {
    clear();
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

/** fetch names the network error only in its cause. */
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
