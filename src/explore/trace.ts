/** Reads from a tenant's journal which requests a client sent, by names that hold from run to run. */
import { createHash } from 'node:crypto';
import type { Endpoint, RetryClass } from '../core/exchange/endpoint.ts';
import type { Exchange } from '../core/exchange/exchange.ts';
import { operationKey } from '../core/exchange/operation-key.ts';
import type { Tenant } from '../core/tenant/tenant.ts';
import { endpoints } from '../service/endpoints.ts';
import { JournaledRequest } from '../matching/request-view.ts';

/** Describes one request of a run, by what it is about: the same in every run of a client that does the same work. */
export interface Call {
  /** Names it: `createReceipt#2.1` is the first attempt of the second receipt. */
  readonly id: string;
  readonly endpoint: string;
  readonly retry: RetryClass;
  /** Counts the operations of its endpoint from 1. */
  readonly operation: number;
  /** Counts the attempts of its operation from 1. */
  readonly attempt: number;
  readonly exchange: Exchange;
}

const endpointById: ReadonlyMap<string, Endpoint> = new Map(endpoints.map((endpoint) => [endpoint.id, endpoint]));

export const callId = ({ endpoint, operation, attempt }: Pick<Call, 'endpoint' | 'operation' | 'attempt'>): string =>
  `${endpoint}#${operation}.${attempt}`;

/** Returns the requests to endpoints that are served, in the order in which they arrived. */
export function traceOf(tenant: Tenant): Call[] {
  const counts = new Map<string, Map<string, { readonly operation: number; attempts: number }>>();
  const calls: Call[] = [];
  for (const exchange of tenant.journal.exchanges()) {
    const endpoint = endpointById.get(new JournaledRequest(exchange).endpoint ?? '');
    if (!endpoint) continue;
    const operations = counts.get(endpoint.id) ?? new Map<string, { operation: number; attempts: number }>();
    counts.set(endpoint.id, operations);
    const key = operationKey(exchange, endpoint).text;
    const known = operations.get(key) ?? { operation: operations.size + 1, attempts: 0 };
    operations.set(key, known);
    const place = { endpoint: endpoint.id, operation: known.operation, attempt: ++known.attempts };
    calls.push({ ...place, id: callId(place), retry: endpoint.retry, exchange });
  }
  return calls;
}

/** Returns a short hash of a text, as hexadecimal digits. */
export const hashOf = (text: string): string => createHash('sha256').update(text).digest('hex').slice(0, 16);
