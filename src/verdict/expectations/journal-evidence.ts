/** What a tenant's journal tells: its calls as rules see calls, and how many it no longer holds. */
import type { Tenant } from '../../core/tenant/tenant.ts';
import { JournaledRequest, RequestView } from '../../matching/request-view.ts';
import { RequestIndex } from './request-index.ts';

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
  const calls = [...tenant.journal.exchanges()].map(
    (exchange) => new RequestView(new JournaledRequest(exchange), tenant),
  );
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

/** Whether the caller has been told all that it will be told. */
export const isCompleted = ({ call: { exchange } }: RequestView): boolean => exchange.finishedAt !== undefined;

export const requestId = ({ call: { exchange } }: RequestView): string => exchange.id;

const maxListed = 10;

/** `default-4, default-7`; of many only the first. */
export function listIds(calls: readonly RequestView[]): string {
  const ids = calls.slice(0, maxListed).map(requestId).join(', ');
  return calls.length > maxListed ? `${ids} and ${calls.length - maxListed} more` : ids;
}
