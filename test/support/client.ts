import { expect } from 'vitest';
import { adminEndpoints } from '../../src/admin/endpoints.ts';
import { pathParameters } from '../../src/core/exchange/path-template.ts';
import { endpoints } from '../../src/service/endpoints.ts';
import type { Sim } from '../../src/simulator/sim.ts';
import { eventsIn } from './events.ts';

/** Describes a response as a client sees it. */
export interface Answered {
  readonly status: number;
  // Tests compare whole bodies; what is in them is up to the test.
  // oxlint-disable-next-line typescript/no-explicit-any
  readonly body: any;
  readonly headers: Headers;
  readonly warnings: string;
}

interface CallOptions {
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
}

/** Describes a client of a sim in process; checks every good response against the schema that its endpoint declares. */
export interface Client {
  readonly sim: Sim;
  readonly call: (method: string, path: string, options?: CallOptions) => Promise<Answered>;
  readonly get: (path: string) => Promise<Answered>;
  readonly post: (path: string, body?: unknown) => Promise<Answered>;
  readonly patch: (path: string, body?: unknown) => Promise<Answered>;
}

export function clientOf(sim: Sim): Client {
  const call = async (method: string, path: string, { body, headers }: CallOptions = {}): Promise<Answered> => {
    const sent = body === undefined ? undefined : typeof body === 'string' ? body : JSON.stringify(body);
    const request = new Request(`http://127.0.0.1${path}`, {
      method,
      headers: { 'user-agent': 'test', ...(sent !== undefined && { 'content-type': 'application/json' }), ...headers },
      ...(sent !== undefined && { body: sent }),
    });
    const response = await sim.fetch(request);
    const text = await response.text();
    const answered = {
      status: response.status,
      body: parsed(response, text),
      headers: response.headers,
      warnings: warningsIn(response),
    };
    checkSchema(method, path, answered);
    return answered;
  };
  return {
    sim,
    call,
    get: (path) => call('GET', path),
    post: (path, body) => call('POST', path, { body }),
    patch: (path, body) => call('PATCH', path, { body }),
  };
}

/** Leaves out that there is no key: the first response of every tenant says so. */
const warningsIn = ({ headers }: Response): string =>
  (headers.get('x-sim-warnings') ?? '')
    .split(' | ')
    .filter((warning) => !warning.startsWith('key-missing'))
    .join(' | ');

function parsed({ headers }: Response, text: string): unknown {
  if (headers.get('content-type')?.startsWith('text/event-stream')) return eventsIn(text);
  return text === '' ? undefined : JSON.parse(text);
}

function checkSchema(method: string, path: string, { status, body }: Answered): void {
  if (status >= 300) return;
  const served = path
    .replace(/^\/t\/[^/]+/, '')
    .replace(/\?.*$/, '')
    .replace(/(.)\/$/, '$1');
  const exact = [...endpoints, ...adminEndpoints].filter((endpoint) => endpoint.method === method);
  const found =
    exact.find((endpoint) => [endpoint.path, ...(endpoint.aliases ?? [])].includes(served)) ??
    exact.find(({ path: own, aliases = [] }) =>
      [own, ...aliases].some((known) => pathParameters(known, served) !== undefined),
    );
  const schema = found?.responses[status];
  expect(schema, `${method} ${served} answers ${status}, which it doesn't declare`).toBeDefined();
  for (const answered of found?.mediaType ? body : [body]) {
    const issues = schema?.safeParse(answered).error?.issues;
    expect(issues, `${method} ${served} answers what it declares`).toBeUndefined();
  }
}
