/** What a tenant's journal tells: its calls as rules see calls, and how many it no longer holds. */
import type { Call } from '../core/faults.ts';
import { isTooDeep } from '../core/fields.ts';
import type { Exchange } from '../core/journal.ts';
import type { Tenant } from '../core/tenant.ts';
import { Asked } from '../scenario/asked.ts';
import { CallIndex } from './call-index.ts';
import type { FoundCalls } from './calls.ts';
import { servedAt } from './served.ts';

export interface Evidence {
  readonly tenant: Tenant;
  /** Oldest first. */
  readonly calls: readonly Asked[];
  readonly index: CallIndex;
  /** What has been looked for, and found. */
  readonly found: Map<string, FoundCalls>;
  readonly evicted: number;
}

export function evidenceOf(tenant: Tenant): Evidence {
  const calls = [...tenant.journal.exchanges()].map((exchange) => new Asked(callOf(exchange), tenant));
  let index: CallIndex | undefined;
  return {
    tenant,
    calls,
    // Most verdicts look for no call.
    get index() {
      index ??= new CallIndex(calls);
      return index;
    },
    found: new Map(),
    evicted: tenant.journal.evicted,
  };
}

/** Most calls are only looked at by their endpoint: the rest is worked out when it is asked for. */
function callOf(exchange: Exchange): Call {
  const { method, path, query, request } = exchange;
  return {
    exchange,
    // One that was turned away at the door didn't reach its endpoint.
    endpoint: exchange.endpoint ?? servedAt(method, path)?.endpoint.id,
    get params() {
      return servedAt(method, path)?.params ?? {};
    },
    get query() {
      return new URLSearchParams(query);
    },
    header: (name) => request.headers[name.toLowerCase()],
    get body() {
      return parsed(request.body ?? '');
    },
  };
}

function parsed(text: string): unknown {
  try {
    const value: unknown = JSON.parse(text);
    return isTooDeep(value) ? undefined : value;
  } catch {
    return undefined;
  }
}

/** Whether the caller has been told all that it will be told. */
export const isOver = ({ call: { exchange } }: Asked): boolean => exchange.finishedAt !== undefined;

export const idOf = ({ call: { exchange } }: Asked): string => exchange.id;

const maxListed = 10;

/** `default-4, default-7`; of many only the first. */
export function listed(calls: readonly Asked[]): string {
  const ids = calls.slice(0, maxListed).map(idOf).join(', ');
  return calls.length > maxListed ? `${ids} and ${calls.length - maxListed} more` : ids;
}
