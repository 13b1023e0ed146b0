/** Exports a typed client of the control API, for tests that talk to a simulator which runs elsewhere. */
import { fillPathTemplate } from '../core/exchange/path-template.ts';
import { pathsWithoutTenant } from './control-endpoints.ts';
import type { ControlEndpoints } from './control-endpoints.ts';

/** Exports the types of requests and what they hold: `Exchange`, `Verdict`, `Rule` and so on. */
export type * from './control-endpoints.ts';

/** Says which simulator to talk to, and as whom. */
export interface ControlClientOptions {
  /** Sets the address of the simulator (default: `http://127.0.0.1:4010`). */
  readonly url?: string;
  /** Sets the key of the control API, where the simulator was started with `--admin-key`. */
  readonly adminKey?: string;
  /** Sets the tenant that requests are about (default: `default`). */
  readonly tenant?: string;
  /** Sends the requests (default: `globalThis.fetch`). */
  readonly fetch?: (url: string, init: RequestInit) => Promise<Response>;
}

/** Names a request to the control API: `POST /clock`. */
export type ControlRequest = keyof ControlEndpoints;

/** Names what the simulator may respond with; `ControlEndpoints['POST /clock']['errorCode']` has those of one request. */
export type ControlErrorCode = ControlEndpoints[ControlRequest]['errorCode'];

type PathsOf<Method extends string> = ControlRequest extends infer Name
  ? Name extends `${Method} ${infer Path}`
    ? Path
    : never
  : never;

type Endpoint<Method extends string, Path extends string> = `${Method} ${Path}` extends infer Name extends
  ControlRequest
  ? ControlEndpoints[Name]
  : never;

/** Holds what a request takes: `params` of its path, `query`, `body`, and a signal that aborts it. */
export type ControlInput<Name extends ControlRequest> = Omit<ControlEndpoints[Name], 'response' | 'errorCode'> & {
  readonly signal?: AbortSignal;
};

type InputOf<Method extends string, Path extends string> = `${Method} ${Path}` extends infer Name extends ControlRequest
  ? ControlInput<Name>
  : never;

/** Sends a request of this method; the input may be left out where nothing in it is required. */
type Send<Method extends string> = <Path extends PathsOf<Method>>(
  path: Path,
  ...input: object extends InputOf<Method, Path> ? [input?: InputOf<Method, Path>] : [input: InputOf<Method, Path>]
) => Promise<Endpoint<Method, Path>['response']>;

export interface ControlClient {
  readonly get: Send<'GET'>;
  readonly post: Send<'POST'>;
  readonly put: Send<'PUT'>;
  readonly delete: Send<'DELETE'>;
}

/** Holds an error that the simulator responded with; its message is the simulator's, with each field that is wrong. */
export class ControlError extends Error {
  override readonly name = 'ControlError';
  readonly status: number;
  readonly errorCode: ControlErrorCode;
  /** Lists the fields that are wrong. */
  readonly validationErrors: readonly { readonly field: string; readonly errorDescription: string }[];

  constructor(message: string, { status, errorCode, validationErrors = [] }: ErrorFields) {
    super(message);
    this.status = status;
    // The simulator's own word, by the table of its endpoints.
    this.errorCode = errorCode as ControlErrorCode;
    this.validationErrors = validationErrors;
  }
}

interface ErrorBody {
  readonly errorCode: string;
  readonly message: string;
  readonly validationErrors?: readonly { readonly field: string; readonly errorDescription: string }[];
}

interface ErrorFields extends Pick<ErrorBody, 'errorCode' | 'validationErrors'> {
  readonly status: number;
}

/** Holds the input of any request, as it is sent. */
interface AnyInput {
  readonly params?: Readonly<Record<string, string>>;
  readonly query?: Readonly<Record<string, unknown>>;
  readonly body?: unknown;
  readonly signal?: AbortSignal;
}

/**
 * Returns a client of the control API at this address.
 *
 * @example
 * const control = createControlClient({ tenant: 'checkout-7' });
 * await control.post('/clock', { body: { advance: '30d' } });
 */
export function createControlClient(options: ControlClientOptions = {}): ControlClient {
  const { url = 'http://127.0.0.1:4010', adminKey, tenant, fetch = globalThis.fetch } = options;
  const base = `${url.replace(/\/+$/, '').replace(/\/__admin$/, '')}/__admin`;

  async function send(method: string, path: string, { params = {}, query = {}, body, signal }: AnyInput) {
    const takesTenant = tenant !== undefined && !pathsWithoutTenant.includes(path);
    const search = searchOf({ ...(takesTenant && { tenant }), ...query });
    const response = await fetch(`${base}${pathOf(path, params)}${search}`, {
      method,
      headers: {
        ...(adminKey !== undefined && { 'x-sim-admin-key': adminKey }),
        ...(body !== undefined && { 'content-type': 'application/json' }),
      },
      ...(body !== undefined && { body: JSON.stringify(body) }),
      ...(signal && { signal }),
    });
    if (!response.ok) throw await errorOf(response, `${method} ${base}${path}`);
    const type = response.headers.get('content-type') ?? '';
    if (type.startsWith('text/event-stream')) return response;
    return type.startsWith('application/json') ? response.json() : response.text();
  }

  // Types say what each path takes and returns; what is sent is the same for all of them.
  const sender = (method: string) => ((path: string, input: AnyInput = {}) => send(method, path, input)) as never;
  return { get: sender('GET'), post: sender('POST'), put: sender('PUT'), delete: sender('DELETE') };
}

const pathOf = (path: string, params: Readonly<Record<string, string>>): string =>
  fillPathTemplate(path, (name) => {
    const value = params[name];
    if (value === undefined) throw new TypeError(`${path}: params has no "${name}"`);
    return value;
  });

function searchOf(query: Readonly<Record<string, unknown>>): string {
  const search = new URLSearchParams();
  for (const [name, value] of Object.entries(query)) if (value !== undefined) search.set(name, String(value));
  return search.size === 0 ? '' : `?${search}`;
}

async function errorOf(response: Response, request: string): Promise<Error> {
  const { status } = response;
  const text = await response.text();
  let body: Partial<ErrorBody> = {};
  try {
    // Read as far as it has these fields.
    body = JSON.parse(text) as Partial<ErrorBody>;
  } catch {
    // Said below.
  }
  const { errorCode, message, validationErrors = [] } = body;
  if (errorCode === undefined || message === undefined) {
    return new Error(`${request}: the server responded with ${status}, and is no simulator: ${text.slice(0, 200)}`);
  }
  const fields = validationErrors.map(({ field, errorDescription }) => `${field} ${errorDescription}`);
  return new ControlError([message, ...fields].join('\n'), { status, errorCode, validationErrors });
}
