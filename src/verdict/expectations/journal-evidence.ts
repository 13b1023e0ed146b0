/** Reads a tenant's journal: its requests as rules match them, and the number of dropped ones. */
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
  /** Holds the results of earlier searches, by pattern. */
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
    // Most verdicts search for no request.
    get index() {
      index ??= new RequestIndex(calls);
      return index;
    },
    matchCache: new Map(),
    evicted: tenant.journal.evicted,
  };
}

/** True when the client has received all that it will receive. */
export const isCompleted = ({ call: { exchange } }: RequestView): boolean => exchange.finishedAt !== undefined;

export const requestId = ({ call: { exchange } }: RequestView): string => exchange.id;

const maxListed = 10;

/** Lists ids, of many only the first: `default-4, default-7`. */
export function listIds(requests: readonly RequestView[]): string {
  const ids = requests.slice(0, maxListed).map(requestId).join(', ');
  return requests.length > maxListed ? `${ids} and ${requests.length - maxListed} more` : ids;
}
