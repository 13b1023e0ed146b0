/** What a tenant's journal tells: its calls as rules see calls, and how many it no longer holds. */
import type { MatchableRequest } from '../../core/exchange/fault-plan.ts';
import { isTooDeeplyNested } from '../../core/validation/unknown-fields.ts';
import type { Exchange } from '../../core/exchange/exchange.ts';
import type { Tenant } from '../../core/tenant/tenant.ts';
import { RequestView } from '../../matching/request-view.ts';
import { RequestIndex } from './request-index.ts';
import { findEndpoint } from '../../service/endpoint-lookup.ts';

export interface MatchedRequests {
  readonly found: readonly RequestView[];
  /** The ids of the requests that are found. */
  readonly ids: string[];
  /** The requests in flight that may match when they are over. */
  readonly open: readonly RequestView[];
}

export interface JournalEvidence {
  readonly tenant: Tenant;
  /** Oldest first. */
  readonly calls: readonly RequestView[];
  readonly index: RequestIndex;
  /** What has been looked for, and found. */
  readonly matchCache: Map<string, MatchedRequests>;
  readonly evicted: number;
}

export function collectEvidence(tenant: Tenant): JournalEvidence {
  const calls = [...tenant.journal.exchanges()].map((exchange) => new RequestView(callOf(exchange), tenant));
  let index: RequestIndex | undefined;
  return {
    tenant,
    calls,
    // Most verdicts look for no call.
    get index() {
      index ??= new RequestIndex(calls);
      return index;
    },
    matchCache: new Map(),
    evicted: tenant.journal.evicted,
  };
}

/** Most calls are only looked at by their endpoint: the rest is worked out when it is asked for. */
function callOf(exchange: Exchange): MatchableRequest {
  const { method, path, query, request } = exchange;
  return {
    exchange,
    // One that was turned away at the door didn't reach its endpoint.
    endpoint: exchange.endpoint ?? findEndpoint(method, path)?.endpoint.id,
    get params() {
      return findEndpoint(method, path)?.params ?? {};
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
    return isTooDeeplyNested(value) ? undefined : value;
  } catch {
    return undefined;
  }
}

/** Whether the caller has been told all that it will be told. */
export const isCompleted = ({ call: { exchange } }: RequestView): boolean => exchange.finishedAt !== undefined;

export const requestId = ({ call: { exchange } }: RequestView): string => exchange.id;

const maxListed = 10;

/** `default-4, default-7`; of many only the first. */
export function listIds(calls: readonly RequestView[]): string {
  const ids = calls.slice(0, maxListed).map(requestId).join(', ');
  return calls.length > maxListed ? `${ids} and ${calls.length - maxListed} more` : ids;
}
